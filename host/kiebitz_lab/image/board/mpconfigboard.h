// The hardware, and where the file system begins.
#define MICROPY_HW_BOARD_NAME                   "Raspberry Pi Pico, Kiebitz"

// The last 1408 KB of the flash, from 0xA0000 on, as in MicroPython's own image for the Pico: games that are there stay
// where they are, whichever of the two images is put on the device. This number never changes.
#define MICROPY_HW_FLASH_STORAGE_BYTES          (1408 * 1024)
