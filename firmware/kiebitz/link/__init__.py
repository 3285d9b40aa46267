"""The USB line protocol between the device and a laptop; docs/link.md describes it."""

PROTOCOL = 1
