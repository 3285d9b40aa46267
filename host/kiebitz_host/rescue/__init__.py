"""Takes games out of an image of a Pico's flash, even if its file system can no longer be mounted."""
