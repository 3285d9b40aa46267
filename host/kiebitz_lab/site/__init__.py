"""Build the web site: the device under MicroPython in a page, a page for a Kiebitz on USB, guides and downloads."""
