"""Everything that only a developer runs: builds, measures and tries the image that ships. Not part of the wheel."""
