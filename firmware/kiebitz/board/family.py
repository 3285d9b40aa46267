"""Name the family of boards that this image is for.

The build compiles one image, and writes the other families into copies of it.
"""

# Found in the image and replaced there by host/kiebitz_lab/image/build.py: its length stays the same
MARK = b"kiebitz-family:                \n"

# A slice, because the hash of the constant may belong to another family
FAMILY = MARK[15:].strip().decode()
