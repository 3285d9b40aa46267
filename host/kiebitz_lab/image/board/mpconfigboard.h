// The hardware, and where the file system begins.
#if PICO_RP2350
#define MICROPY_HW_BOARD_NAME                   "Raspberry Pi Pico 2, Kiebitz"
#else
#define MICROPY_HW_BOARD_NAME                   "Raspberry Pi Pico, Kiebitz"
#endif

// The first megabyte of the flash is firmware, and the file system takes the rest: 1 MB on a Pico, 3 MB on a Pico 2.
// This boundary never changes. An image with another one would not find the games that are on a device.
#define MICROPY_HW_FLASH_STORAGE_BYTES          (PICO_FLASH_SIZE_BYTES - 1024 * 1024)
