// What the board of Kiebitz does otherwise than the port.

#include <stdint.h>
#include <string.h>

#include "py/mpconfig.h"
#include "py/builtin.h"
#include "py/emitglue.h"
#include "py/frozenmod.h"

#if PICO_RP2040
#include "hardware/clocks.h"
#include "hardware/structs/vreg_and_chip_reset.h"
#include "hardware/xosc.h"
#include "pico/runtime.h"

#define VSEL_1_15_V (0xc)
#define SETTLE_US (1000) // as the SDK waits

// 200 MHz needs a core voltage of at least 1.15 V; it is 1.10 V after power-on. The port replaces the SDK's clock set-up
// and leaves the voltage out, so it is raised here, just before the clocks are set up ("00500"). The crystal is started
// first: its cycles have a known length, those of the ring oscillator are up to six times as long.
static void raise_core_voltage(void) {
    xosc_init();
    clocks_hw->clk[clk_ref].ctrl = CLOCKS_CLK_REF_CTRL_SRC_VALUE_XOSC_CLKSRC; // clk_sys is clk_ref after a reset
    while (!(clocks_hw->clk[clk_ref].selected & (1u << CLOCKS_CLK_REF_CTRL_SRC_VALUE_XOSC_CLKSRC))) {
    }
    hw_write_masked(&vreg_and_chip_reset_hw->vreg, VSEL_1_15_V << VREG_AND_CHIP_RESET_VREG_VSEL_LSB,
        VREG_AND_CHIP_RESET_VREG_VSEL_BITS);
    busy_wait_at_least_cycles(SETTLE_US * (XOSC_HZ / MHZ));
}
PICO_RUNTIME_INIT_FUNC_HW(raise_core_voltage, "00499");
#endif

// The port calls these at every start, also without the I2S that kiebitz_config.h leaves out.
void machine_i2s_init0(void) {
}

void machine_i2s_deinit_all(void) {
}

// Finding a frozen module: every import asks three times for a file or a folder, and the port compares all names each time,
// 0.4 ms in all. Here a hash table of all files and folders is made at the first import.
#define NAMES_MAX (255)
#define SLOTS (512) // a power of two, more than there are files and folders

extern const char mp_frozen_names[];
extern const mp_frozen_module_t *const mp_frozen_mpy_content[];

static uint16_t starts[NAMES_MAX]; // of each name
static uint8_t slots[SLOTS]; // 1 + the number of a name that is this file or begins with this folder; 0: free
static bool noted;

static size_t next_slot(size_t slot) {
    return (slot + 1) % SLOTS;
}

static size_t hash_more(size_t hash, char c) {
    return hash * 33 + (byte)c;
}

// Return the slot of the file or folder with a name of this length and hash, or the free slot that ends the search.
static size_t find_slot(const char *str, size_t len, size_t hash) {
    size_t slot = hash % SLOTS;
    while (slots[slot] != 0) {
        const char *name = mp_frozen_names + starts[slots[slot] - 1];
        if (strncmp(name, str, len) == 0 && (name[len] == 0 || name[len] == '/')) {
            break;
        }
        slot = next_slot(slot);
    }
    return slot;
}

static void note_names(void) {
    size_t count = 0;
    // Names that have no place here would not be found, and neither would the firmware: the build refuses them.
    for (const char *name = mp_frozen_names; *name != 0 && count < NAMES_MAX; name += strlen(name) + 1) {
        starts[count++] = name - mp_frozen_names;
        size_t hash = 0;
        for (size_t len = 0;; len++) {
            if (name[len] == 0 || name[len] == '/') {
                size_t slot = find_slot(name, len, hash);
                if (slots[slot] == 0) {
                    slots[slot] = count;
                }
            }
            if (name[len] == 0) {
                break;
            }
            hash = hash_more(hash, name[len]);
        }
    }
}

mp_import_stat_t __wrap_mp_find_frozen_module(const char *str, int *frozen_type, void **data) {
    if (!noted) {
        noted = true;
        note_names();
    }
    if (frozen_type != NULL) {
        *frozen_type = MP_FROZEN_NONE;
    }
    size_t hash = 0, len = 0;
    for (; str[len] != 0; len++) {
        hash = hash_more(hash, str[len]);
    }
    size_t found = slots[find_slot(str, len, hash)];
    if (len == 0 || found == 0) {
        return MP_IMPORT_STAT_NO_EXIST;
    }
    if (mp_frozen_names[starts[found - 1] + len] == '/') {
        return MP_IMPORT_STAT_DIR;
    }
    if (frozen_type != NULL) {
        *frozen_type = MP_FROZEN_MPY;
        *data = (void *)mp_frozen_mpy_content[found - 1];
    }
    return MP_IMPORT_STAT_FILE;
}
