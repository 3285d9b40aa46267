"""Talk to a device over USB: ports, requests, journals, sync."""
