/* Numbers as people read them, by one rule: groups of three, a unit that fits the size, digits that count, no
 * exponent: "1,234,568", "0.0123", "12.3 KiB", "601 ms", "7.4 %".
 *
 * A text is valid until the 16th next call of its thread. NAN is FS_NO_NUMBER.
 */
#pragma once

#include "sim/base/alloc.h"

#include <stdbool.h>

/* What stands for a number that does not exist: on pages and in documents; on a terminal and in CSV it is
 * "-". */
#define FS_NO_NUMBER "\xe2\x80\x93"

/* A text of up to 63 bytes that lasts as theirs do (printf rules). */
const char *fs_number_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

const char *fs_number_grouped(double value);           /* whole, in groups of three */
const char *fs_number_short(double value, int digits); /* significant digits, grouped when large */

/* A value in s, B, J or W: in the unit of its kind that fits, which is named. Of another unit: all digits of a
 * whole number, else four that count, and the unit is not named. */
const char *fs_number_in(double value, const char *unit, int digits);
/* The same with three digits, and the unit always named where it is not "": "601 ms", "784.5 mm2". */
const char *fs_number_with(double value, const char *unit);
#define fs_number_seconds(seconds) fs_number_in(seconds, "s", 3) /* "601 ms" */
#define fs_number_bytes(bytes)     fs_number_in(bytes, "B", 3)   /* "12.3 KiB" */
#define fs_number_joules(joules)   fs_number_in(joules, "J", 3)  /* "124 mJ" */
#define fs_number_watts(watts)     fs_number_in(watts, "W", 3)   /* "3.41 W" */

const char *fs_number_percent(double ratio); /* 0.074: "7.4 %"; two digits below 10 %, else three */
const char *fs_number_share(double share);   /* the same, but "under 0.1 %" */
const char *fs_number_change(double ratio);  /* "+7.4 %", "-0.037 %"; "=" */

/* By a form: "whole" 1,234; ".2" 0.57; "3" three digits that count, "3e-6" those of its millionth; of a share "%" and
 * "%1" per cent, "share" per cent as findings say it, "under 0.1 %" too; of per cent "most" what bounds: "at most
 * 3 %", "nothing"; "si" before its unit: 0.87 M, 12 k; "s", "B", "J", "W" with the unit that fits; "ray/rays" one of
 * two words, the first for 1. Without a form as the unit says. */
const char *fs_number_form(double value, const char *form, const char *unit);

/* ---- texts with values in braces ---- */

typedef struct fs_number_value {
    double number;    /* NAN: not known */
    const char *text; /* instead of a number; NULL */
    const char *unit; /* "" */
    bool whole;
} fs_number_value;

/* What `name` is; false: not known. */
typedef bool fs_number_lookup(void *self, const char *name, fs_number_value *out);

/* `text` with values for {NAME} and {NAME|form}, of the arena; NULL when it is NULL or a value is not known. A clause in
 * brackets, "[, and {rings|whole} turned]", is left out instead, or "[one|other]" is the other; "[rings?one|other]" is the
 * one where `rings` is known and neither 0 nor "". */
const char *fs_number_fill(fs_arena *arena, const char *text, fs_number_lookup *lookup, void *self);
