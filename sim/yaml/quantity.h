/* Numbers with units as text. Decimal prefixes are applied to the decimal text before it is rounded, so that
 * 5 us and 5e-6 s are the same double. */
#ifndef FOAMSIM_SIM_CONFIG_QUANTITY_H
#define FOAMSIM_SIM_CONFIG_QUANTITY_H

#include "sim/config/param.h"

enum { FS_QUANTITY_TEXT = 64 }; /* bytes that any printed quantity fits in */

typedef enum fs_quantity_fault {
    FS_QUANTITY_OK,
    FS_QUANTITY_NO_NUMBER, /* or more than a number where no unit belongs */
    FS_QUANTITY_NO_UNIT,
    FS_QUANTITY_BAD_UNIT,
    FS_QUANTITY_FRACTION, /* of the base unit, for an integer */
    FS_QUANTITY_TOO_LARGE,
} fs_quantity_fault;

fs_quantity_fault fs_quantity_int(const char *text, fs_unit unit, int64_t *out);
fs_quantity_fault fs_quantity_real(const char *text, fs_unit unit, double *out);

/* The shortest text that reads back as the same value: "624 KiB", "1.33 GHz", "0.1", "1e-07". */
void fs_quantity_print_int(char out[FS_QUANTITY_TEXT], fs_unit unit, int64_t value);
void fs_quantity_print_real(char out[FS_QUANTITY_TEXT], fs_unit unit, double value);

/* Where the unit starts in a quantity's text; text itself when it begins with no number. */
const char *fs_quantity_unit_of(const char *text);
/* The units that may be written, base unit first, NULL-terminated; empty for FS_UNIT_NONE. */
const char *const *fs_unit_words(fs_unit unit);

#endif
