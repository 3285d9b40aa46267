"""The names by which MicroPython's compiler is told of constants and machine code, for every other Python too."""

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
        """Elsewhere Python is quick enough as it is."""

        @staticmethod
        def viper(function):
            return function

        native = viper
