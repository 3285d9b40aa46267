// Features of MicroPython that the firmware does not use, left out to save flash.
#include "mpconfigport.h"

// The list of frozen modules for picotool
#undef MICROPY_FROZEN_LIST_ITEM

#undef MICROPY_VFS_FAT
#define MICROPY_VFS_FAT                         (0)
#undef MICROPY_SSL_MBEDTLS
#define MICROPY_SSL_MBEDTLS                     (0)
#undef MICROPY_PY_CRYPTOLIB
#define MICROPY_PY_CRYPTOLIB                    (0)
#undef MICROPY_PY_HASHLIB_SHA1
#define MICROPY_PY_HASHLIB_SHA1                 (0)
#undef MICROPY_PY_MACHINE_I2S
#define MICROPY_PY_MACHINE_I2S                  (0)
#undef MICROPY_PY_MACHINE_BITSTREAM
#define MICROPY_PY_MACHINE_BITSTREAM            (0)
#undef MICROPY_PY_MACHINE_DHT_READINTO
#define MICROPY_PY_MACHINE_DHT_READINTO         (0)
#undef MICROPY_PY_ONEWIRE
#define MICROPY_PY_ONEWIRE                      (0)
#undef MICROPY_HW_ENABLE_USB_RUNTIME_DEVICE
#define MICROPY_HW_ENABLE_USB_RUNTIME_DEVICE    (0)
#undef MICROPY_PY_MACHINE_PULSE
#define MICROPY_PY_MACHINE_PULSE                (0)
#undef MICROPY_PY_MACHINE_SOFTSPI
#define MICROPY_PY_MACHINE_SOFTSPI              (0)
#undef MICROPY_EMIT_INLINE_THUMB
#define MICROPY_EMIT_INLINE_THUMB               (0)
#undef MICROPY_PY_THREAD
#define MICROPY_PY_THREAD                       (0)
#undef MICROPY_PY_THREAD_GIL
#define MICROPY_PY_THREAD_GIL                   (0)
#undef MICROPY_THREAD_YIELD

#define MICROPY_PY_ASYNCIO                      (0)
#define MICROPY_PY_BUILTINS_COMPLEX             (0)
#define MICROPY_PY_BUILTINS_HELP                (0)
#define MICROPY_PY_CMATH                        (0)
#define MICROPY_PY_COLLECTIONS_DEQUE            (0)
#define MICROPY_PY_FRAMEBUF                     (0)
#define MICROPY_PY_HASHLIB                      (0)
#define MICROPY_PY_HEAPQ                        (0)
#define MICROPY_PY_MACHINE_SIGNAL               (0)
#define MICROPY_PY_MATH                         (0)
#define MICROPY_PY_MICROPYTHON_RINGIO           (0)
#define MICROPY_PY_RE                           (0)
#define MICROPY_PY_UCTYPES                      (0)

// Most modules have more names than this: fewer steps in which their table grows, and is hashed again
#define MICROPY_MODULE_DICT_SIZE                (12)

// py/compile.c without the emitters of machine code (no_native_emitter.patch); frozen machine code still runs.
#define MICROPY_COMPILE_NATIVE                  (0)
