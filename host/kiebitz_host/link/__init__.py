"""The laptop's end of the link: ports, the client, and the games that come through it."""
