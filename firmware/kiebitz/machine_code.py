"""What stands for `@micropython.viper` and its like on other computers: there, Python is quick enough."""

from array import array


class micropython:
    @staticmethod
    def viper(function):
        return function

    native = viper


ptr8 = bytearray
ptr16 = array
ptr32 = array
