// What the board of Kiebitz does otherwise than the port.

#include <stdint.h>
#include <string.h>

#include "py/mpconfig.h"
#include "py/builtin.h"
#include "py/emitglue.h"
#include "py/frozenmod.h"

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
