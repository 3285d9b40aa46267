"""Draw pixels on canvases, with fonts and inner loops in machine code."""
