"""What only a developer runs: the image that ships, and what measures and tries it. Not part of the wheel."""
