"""Provide developer tools that build, measure and test the shipped image. They are not part of the wheel."""
