"""Pixels: the surfaces that screens draw on, the fonts, and every inner loop of drawing in machine code."""
