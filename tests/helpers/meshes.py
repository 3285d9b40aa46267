"""Lines and points for the tests of printed parts."""

import math

import numpy


def hits(mesh, start, direction):
    """Return the distances along a line to each surface of the mesh, nearest first."""
    start, direction = numpy.asarray(start, float), numpy.asarray(direction, float)
    corner, second, third = (mesh.triangles[:, i] for i in range(3))
    edge1, edge2 = second - corner, third - corner
    normal = numpy.cross(direction, edge2)
    volume = numpy.einsum("ij,ij->i", edge1, normal)
    facing = numpy.abs(volume) > 1e-12
    scale = numpy.where(facing, volume, 1)
    offset = start - corner
    u = numpy.einsum("ij,ij->i", offset, normal) / scale
    across = numpy.cross(offset, edge1)
    v = across @ direction / scale
    distance = numpy.einsum("ij,ij->i", edge2, across) / scale
    return sorted(distance[facing & (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 0)])


# Slightly oblique, so that no line runs along an edge
UP = (0.00013, 0.00017, 1.0)
OUTWARDS = (0.00013, 1.0, 0.00017)
DOWN = (0.00013, 0.00017, -1.0)


def free(mesh, start, direction=UP):
    """Return True if a line meets no surface of the mesh."""
    return not hits(mesh, start, direction)


def inside(mesh, point):
    """Return True if a point is inside the solid."""
    return len(hits(mesh, point, UP)) % 2 == 1


def spread(low, high, step=1.0):
    """Return numbers from low to high, at most a step apart."""
    return numpy.linspace(low, high, max(2, math.ceil((high - low) / step) + 1))


def points(middle, size, bottom, top, step=3.0):
    """Yield points all over a box, slightly inside its surface."""
    x, y = middle
    half_x, half_y = size[0] / 2 - 0.05, size[1] / 2 - 0.05
    for px in spread(x - half_x, x + half_x, step):
        for py in spread(y - half_y, y + half_y, step):
            for pz in spread(bottom, top, step):
                yield px, py, pz
