"""Store journals and decisions in the database, and read results from it: the only package with SQL."""
