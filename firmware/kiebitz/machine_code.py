"""Define MicroPython's names for constants and machine code, so that the same code runs on other Pythons too."""

from array import array

ptr8 = bytearray
ptr16 = array
ptr32 = array

try:
    import micropython
    from micropython import const
except ImportError:

    def const(value):  # type: ignore[misc]
        return value

    class micropython:  # type: ignore[no-redef]
        """A replacement on other Pythons whose decorators change nothing."""

        @staticmethod
        def viper(function):
            return function

        native = viper
