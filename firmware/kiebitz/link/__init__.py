"""Talk to a laptop over USB by the line protocol of docs/link.md."""

PROTOCOL = 1
PACKET = 64  # bytes that go over USB at once

# Seconds since 1970, from 2025 to 2100: a clock with a time outside this range was never set
EARLIEST = 1_735_689_600
LATEST = 4_102_444_800
