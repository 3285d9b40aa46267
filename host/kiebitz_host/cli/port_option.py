"""The option --port of the commands that talk to a Kiebitz on USB, and what they say if there is none."""

NOBODY = (
    "no Kiebitz found on USB: plug it in with a cable that carries data, wait until its display is on, and try again; "
    "or name its port, or the --flash folder of a simulator, with --port."
)


def add_port_option(parser):
    """Add the option --port to a command."""
    parser.add_argument(
        "--port", metavar="PORT", help="only this port, such as /dev/ttyACM0, COM3, or the flash folder of a simulator"
    )
