/* Numbers with units: reading them exactly, printing them as they are written. */
#include "sim/yaml/quantity.h"

#include <stdbool.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 8, NUMBER_BYTES = 400, MAX_EXPONENT = 100000 };

/* A unit is base * 10^exp10 * 2^exp2; radians are the one unit that is no such multiple. */
typedef struct scale {
    int exp10, exp2;
    bool radians;
} scale;

typedef struct family {
    const char *words[MAX_WORDS]; /* base first, ascending from there, smaller ones last; NULL-terminated */
    scale scales[MAX_WORDS];
} family;

static const family families[] = {
    [FS_UNIT_NONE] = {{NULL}, {{0}}},
    [FS_UNIT_BYTES] =
        {{"B", "kB", "KiB", "MB", "MiB", "GB", "GiB"},
         {{0}, {.exp10 = 3}, {.exp2 = 10}, {.exp10 = 6}, {.exp2 = 20}, {.exp10 = 9}, {.exp2 = 30}}},
    [FS_UNIT_HZ] = {{"Hz", "kHz", "MHz", "GHz"}, {{0}, {.exp10 = 3}, {.exp10 = 6}, {.exp10 = 9}}},
    [FS_UNIT_CYCLES] = {{"cycles"}, {{0}}},
    [FS_UNIT_SLOTS] = {{"slots"}, {{0}}},
    [FS_UNIT_BYTES_PER_CYCLE] = {{"B/cycle"}, {{0}}},
    [FS_UNIT_BYTES_PER_SECOND] =
        {{"B/s", "kB/s", "KiB/s", "MB/s", "MiB/s", "GB/s", "GiB/s"},
         {{0}, {.exp10 = 3}, {.exp2 = 10}, {.exp10 = 6}, {.exp2 = 20}, {.exp10 = 9}, {.exp2 = 30}}},
    [FS_UNIT_SECONDS] = {{"s", "ms", "us", "ns"}, {{0}, {.exp10 = -3}, {.exp10 = -6}, {.exp10 = -9}}},
    [FS_UNIT_JOULES] = {{"J", "mJ", "uJ", "nJ", "pJ", "fJ"},
                        {{0}, {.exp10 = -3}, {.exp10 = -6}, {.exp10 = -9}, {.exp10 = -12}, {.exp10 = -15}}},
    [FS_UNIT_WATTS] = {{"W", "kW", "mW", "uW"}, {{0}, {.exp10 = 3}, {.exp10 = -3}, {.exp10 = -6}}},
    [FS_UNIT_SQUARE_MM] = {{"mm2", "um2"}, {{0}, {.exp10 = -6}}},
    [FS_UNIT_DEGREES] = {{"deg", "rad"}, {{0}, {.radians = true}}},
    [FS_UNIT_PERCENT] = {{"%"}, {{0}}},
};

static const double degrees_per_radian = 57.295779513082320877; /* 180 / pi */

const char *const *fs_quantity_units(fs_unit unit) {
    return families[unit].words;
}

/* ---- reading ---- */

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

/* A number's text cut in pieces; all NULL where there is no number. */
typedef struct number {
    const char *begin, *exponent, *end; /* exponent: its 'e', or end */
    bool point;
    bool exponent_written;
} number;

static number scan(const char *text) {
    number n = {.begin = text};
    const char *c = text + (*text == '-' || *text == '+');
    int digits = 0;
    for (; digit(*c) || (*c == '.' && !n.point); c++) {
        digits += *c != '.';
        n.point |= *c == '.';
    }
    if (digits == 0)
        return (number){0};
    n.exponent = c;
    if (*c == 'e' || *c == 'E') {
        const char *e = c + 1 + (c[1] == '-' || c[1] == '+');
        if (digit(*e)) {
            while (digit(*e))
                e++;
            n.exponent_written = true;
            c = e;
        }
    }
    n.end = c;
    return n;
}

const char *fs_quantity_unit_of(const char *text) {
    number n = scan(text);
    if (n.end == NULL)
        return text;
    return n.end + strspn(n.end, " ");
}

static fs_quantity_fault find_scale(const number *n, fs_unit unit, scale *out) {
    const char *word = n->end + strspn(n->end, " ");
    const family *f = &families[unit];
    *out = (scale){0};
    if (f->words[0] == NULL)
        return *word == '\0' ? FS_QUANTITY_OK : FS_QUANTITY_NO_NUMBER;
    if (*word == '\0')
        return FS_QUANTITY_NO_UNIT;
    for (size_t i = 0; f->words[i] != NULL; i++)
        if (strcmp(f->words[i], word) == 0) {
            *out = f->scales[i];
            return FS_QUANTITY_OK;
        }
    return FS_QUANTITY_BAD_UNIT;
}

static int written_exponent(const number *n) {
    long e = n->exponent_written ? strtol(n->exponent + 1, NULL, 10) : 0;
    return e > MAX_EXPONENT ? MAX_EXPONENT : e < -MAX_EXPONENT ? -MAX_EXPONENT : (int)e;
}

/* value * factor^times, or an overflow. */
static bool multiply(int64_t *value, int64_t factor, int times) {
    for (int i = 0; i < times && *value != 0; i++)
        if (__builtin_mul_overflow(*value, factor, value))
            return false;
    return true;
}

static fs_quantity_fault read_scaled(const char *text, fs_unit unit, number *n, scale *s) {
    *n = scan(text);
    return n->end == NULL ? FS_QUANTITY_NO_NUMBER : find_scale(n, unit, s);
}

fs_quantity_fault fs_quantity_int(const char *text, fs_unit unit, int64_t *out) {
    number n;
    scale s;
    const fs_quantity_fault fault = read_scaled(text, unit, &n, &s);
    if (fault != FS_QUANTITY_OK)
        return fault;
    if (unit == FS_UNIT_NONE && (n.point || n.exponent_written))
        return FS_QUANTITY_NO_NUMBER;
    if (s.radians)
        return FS_QUANTITY_FRACTION;
    /* The value is m / 10^down; m is kept negative, where int64_t reaches one further. */
    int64_t m = 0;
    int down = -written_exponent(&n) - s.exp10;
    bool fraction = false;
    for (const char *c = n.begin; c < n.exponent; c++) {
        fraction |= *c == '.';
        if (!digit(*c))
            continue;
        if (__builtin_mul_overflow(m, 10, &m) || __builtin_sub_overflow(m, *c - '0', &m))
            return FS_QUANTITY_TOO_LARGE;
        down += fraction;
    }
    for (; down > 0 && m != 0 && m % 10 == 0; down--)
        m /= 10;
    if (!multiply(&m, 2, s.exp2) || !multiply(&m, 10, -down))
        return FS_QUANTITY_TOO_LARGE;
    for (; down > 0 && m != 0; down--) {
        if (m % 10 != 0)
            return FS_QUANTITY_FRACTION;
        m /= 10;
    }
    if (*n.begin != '-' && __builtin_sub_overflow(0, m, &m))
        return FS_QUANTITY_TOO_LARGE;
    *out = m;
    return FS_QUANTITY_OK;
}

fs_quantity_fault fs_quantity_real(const char *text, fs_unit unit, double *out) {
    number n;
    scale s;
    const fs_quantity_fault fault = read_scaled(text, unit, &n, &s);
    if (fault != FS_QUANTITY_OK)
        return fault;
    char decimal[NUMBER_BYTES + 16];
    if (n.exponent - n.begin > NUMBER_BYTES)
        return FS_QUANTITY_TOO_LARGE;
    snprintf(decimal, sizeof decimal, "%.*se%d", (int)(n.exponent - n.begin), n.begin,
             written_exponent(&n) + s.exp10);
    double value = strtod(decimal, NULL) * (double)(INT64_C(1) << s.exp2);
    if (s.radians)
        value *= degrees_per_radian;
    if (!__builtin_isfinite(value))
        return FS_QUANTITY_TOO_LARGE;
    *out = value;
    return FS_QUANTITY_OK;
}

/* ---- printing ---- */

/* The fewest significant digits that read back as `value`, laid out without an exponent where that is short.
 * The value printed is value * 10^shift. */
static void print_number(char out[FS_QUANTITY_TEXT], double value, int shift) {
    char text[40];
    int precision = 0;
    do
        snprintf(text, sizeof text, "%.*e", precision, value);
    while (strtod(text, NULL) != value && ++precision < 17);
    const char *sign = text[0] == '-' ? "-" : "";
    char digits[24];
    int n = 0;
    for (const char *c = text; *c != 'e'; c++)
        if (digit(*c))
            digits[n++] = *c;
    digits[n] = '\0';
    int e = value == 0 ? 0 : (int)strtol(strchr(text, 'e') + 1, NULL, 10) + shift;
    static const char zeros[] = "0000000000000000";
    if (e >= n - 1 && e <= 15)
        snprintf(out, FS_QUANTITY_TEXT, "%s%s%.*s", sign, digits, e - n + 1, zeros);
    else if (e >= 0 && e < n - 1)
        snprintf(out, FS_QUANTITY_TEXT, "%s%.*s.%s", sign, e + 1, digits, digits + e + 1);
    else if (e < 0 && e >= -4)
        snprintf(out, FS_QUANTITY_TEXT, "%s0.%.*s%s", sign, -e - 1, zeros, digits);
    else if (n == 1)
        snprintf(out, FS_QUANTITY_TEXT, "%s%se%d", sign, digits, e);
    else
        snprintf(out, FS_QUANTITY_TEXT, "%s%c.%se%d", sign, digits[0], digits + 1, e);
}

static void add_unit(char text[FS_QUANTITY_TEXT], const char *word) {
    size_t used = strlen(text);
    snprintf(text + used, FS_QUANTITY_TEXT - used, " %s", word);
}

void fs_quantity_print_real(char out[FS_QUANTITY_TEXT], fs_unit unit, double value) {
    const family *f = &families[unit];
    print_number(out, value, 0);
    if (f->words[0] == NULL)
        return;
    add_unit(out, f->words[0]);
    for (size_t i = 1; f->words[i] != NULL; i++) {
        const scale *s = &f->scales[i];
        char text[FS_QUANTITY_TEXT];
        double back;
        if (s->radians || value == 0)
            continue;
        print_number(text, value / (double)(INT64_C(1) << s->exp2), -s->exp10);
        add_unit(text, f->words[i]);
        if (fs_quantity_real(text, unit, &back) != FS_QUANTITY_OK || back != value)
            continue;
        if (strchr(text, 'e') == NULL && text[text[0] == '-'] != '0' && strlen(text) <= strlen(out))
            memcpy(out, text, sizeof text);
    }
}

void fs_quantity_print_int(char out[FS_QUANTITY_TEXT], fs_unit unit, int64_t value) {
    const family *f = &families[unit];
    snprintf(out, FS_QUANTITY_TEXT, "%" PRId64, value);
    if (f->words[0] == NULL)
        return;
    add_unit(out, f->words[0]);
    for (size_t i = 1; f->words[i] != NULL && value != 0; i++) {
        const scale *s = &f->scales[i];
        int64_t factor = INT64_C(1) << s->exp2;
        if (s->radians || s->exp10 < 0 || !multiply(&factor, 10, s->exp10) || value % factor != 0)
            continue;
        char text[FS_QUANTITY_TEXT];
        snprintf(text, sizeof text, "%" PRId64, value / factor);
        add_unit(text, f->words[i]);
        if (strlen(text) <= strlen(out))
            memcpy(out, text, sizeof text);
    }
}
