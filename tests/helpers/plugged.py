"""Devices on the ports that a command of the laptop finds."""

from kiebitz_host.link.ports import Port

from helpers.cable import Cable


def plug_in(monkeypatch, command, devices):
    """Let a command, which is a module, find these devices by their ports; an exception is raised when it is opened."""

    def open_port(port):
        found = devices[port.path]
        if isinstance(found, Exception):
            raise found
        cable = Cable(found)
        cable.name = port.path
        return cable

    monkeypatch.setattr(command, "ports", lambda: [Port(name, "Pico") for name in devices])
    monkeypatch.setattr(command, "open_port", open_port)
