"""What stands for `@micropython.viper` and its types on other computers: there, Python is quick enough."""

from array import array


class micropython:
    viper = staticmethod


ptr8 = bytearray
ptr16 = array
ptr32 = array
