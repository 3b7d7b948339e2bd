/* Numbers with units as text. Decimal prefixes are applied to the decimal text before it is rounded, so that
 * 5 us and 5e-6 s are the same double. */
#pragma once

#include <stdint.h>

/* How a quantity is written in YAML. A quantity with a unit must carry one; the value is stored in the base
 * unit (first in the list). Decimal and binary prefixes: B, kB, KiB, MB, MiB, GB, GiB. */
typedef enum fs_unit {
    FS_UNIT_NONE,
    FS_UNIT_BYTES,            /* B, kB, KiB, MB, MiB, GB, GiB */
    FS_UNIT_HZ,               /* Hz, kHz, MHz, GHz */
    FS_UNIT_CYCLES,           /* cycles */
    FS_UNIT_SLOTS,            /* slots: issue slots of one worker */
    FS_UNIT_BYTES_PER_CYCLE,  /* B/cycle */
    FS_UNIT_BYTES_PER_SECOND, /* B/s, kB/s, MB/s, GB/s (decimal), KiB/s, MiB/s, GiB/s */
    FS_UNIT_SECONDS,          /* s, ms, us, ns */
    FS_UNIT_JOULES,           /* J, mJ, uJ, nJ, pJ, fJ */
    FS_UNIT_WATTS,            /* W, kW, mW, uW */
    FS_UNIT_SQUARE_MM,        /* mm2, um2 */
    FS_UNIT_DEGREES,          /* deg, rad (converted to deg) */
    FS_UNIT_PERCENT,          /* % (60 % is stored as 60) */
} fs_unit;

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
const char *const *fs_quantity_units(fs_unit unit);
