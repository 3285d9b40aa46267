"""The USB line protocol between the device and a laptop; docs/link.md describes it."""

PROTOCOL = 1
PACKET = 64  # bytes that go over USB at once

# A clock that tells another time was never set: from 2025 to 2100
EARLIEST = 1_735_689_600
LATEST = 4_102_444_800
