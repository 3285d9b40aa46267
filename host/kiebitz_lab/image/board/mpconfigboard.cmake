# The board of Kiebitz: a Raspberry Pi Pico or Pico 2 with what the firmware needs of MicroPython, and no more.
set(PICO_BOARD ${KIEBITZ_BOARD})
set(PICO_PLATFORM ${KIEBITZ_PLATFORM})
list(APPEND MICROPY_DEF_BOARD MP_CONFIGFILE="kiebitz_config.h")
list(APPEND MICROPY_SOURCE_BOARD ${MICROPY_BOARD_DIR}/kiebitz_board.c)
# Without it the port sets clk_peri to 48 MHz at start and to clk_sys after a light sleep: SPI would change its speed.
list(APPEND MICROPY_DEF_BOARD PICO_CLOCK_ADJUST_PERI_CLOCK_WITH_SYS_CLOCK=1)
if(KIEBITZ_PLATFORM STREQUAL "rp2040")
    list(APPEND MICROPY_DEF_BOARD SYS_CLK_KHZ=200000)
endif()
add_link_options(-Wl,--wrap=mp_find_frozen_module)
