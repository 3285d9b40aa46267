# The board of Kiebitz: a Raspberry Pi Pico with what the firmware needs of MicroPython, and no more.
set(PICO_BOARD "pico")
set(PICO_PLATFORM "rp2040")
list(APPEND MICROPY_DEF_BOARD MP_CONFIGFILE="kiebitz_config.h")
list(APPEND MICROPY_SOURCE_BOARD ${MICROPY_BOARD_DIR}/kiebitz_board.c)
add_link_options(-Wl,--wrap=mp_find_frozen_module)
