"""Write results as files for other programs."""
