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
#include "pico/runtime.h"

#define VSEL_1_15_V (0xc)
#define SETTLE_US (1000) // as the SDK waits

// 200 MHz needs a core voltage of at least 1.15 V; it is 1.10 V after power-on. The port replaces the SDK's clock set-up
// and leaves the voltage out, so it is raised here, just before the clocks are set up ("00500").
static void raise_core_voltage(void) {
    hw_write_masked(&vreg_and_chip_reset_hw->vreg, VSEL_1_15_V << VREG_AND_CHIP_RESET_VREG_VSEL_LSB,
        VREG_AND_CHIP_RESET_VREG_VSEL_BITS);
    busy_wait_at_least_cycles(SETTLE_US * (XOSC_HZ / MHZ)); // the ring oscillator is not faster than the crystal
}
PICO_RUNTIME_INIT_FUNC_HW(raise_core_voltage, "00499");
#endif

// The port calls these at every start, also without the I2S that kiebitz_config.h leaves out.
void machine_i2s_init0(void) {
}

void machine_i2s_deinit_all(void) {
}

// Finding a frozen module: every import asks three times, and the port measures all names anew each time, 0.4 ms in all.
// Here their lengths are kept, so that a module more costs the others nothing.
#define NAMES_MAX (256)

extern const char mp_frozen_names[];
extern const mp_frozen_module_t *const mp_frozen_mpy_content[];

static uint16_t starts[NAMES_MAX + 1]; // of each name, and behind the last one
static size_t count;

static void measure_names(void) {
    const char *name = mp_frozen_names;
    while (*name != 0 && count < NAMES_MAX) {
        starts[count++] = name - mp_frozen_names;
        name += strlen(name) + 1;
    }
    starts[count] = name - mp_frozen_names;
    // Names that have no room here would not be found, and neither would the firmware: the first start tells.
}

mp_import_stat_t __wrap_mp_find_frozen_module(const char *str, int *frozen_type, void **data) {
    size_t len = strlen(str);
    if (len == 0) {
        return MP_IMPORT_STAT_NO_EXIST;
    }
    if (frozen_type != NULL) {
        *frozen_type = MP_FROZEN_NONE;
    }
    if (count == 0) {
        measure_names();
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = mp_frozen_names + starts[i];
        size_t name_len = starts[i + 1] - starts[i] - 1;
        // Most names differ in the end of the path that is looked for
        if (name_len < len || name[len - 1] != str[len - 1] || (name_len > len && name[len] != '/')) {
            continue;
        }
        if (memcmp(str, name, len) != 0) {
            continue;
        }
        if (name_len > len) {
            return MP_IMPORT_STAT_DIR;
        }
        if (frozen_type != NULL) {
            *frozen_type = MP_FROZEN_MPY;
            *data = (void *)mp_frozen_mpy_content[i];
        }
        return MP_IMPORT_STAT_FILE;
    }
    return MP_IMPORT_STAT_NO_EXIST;
}
