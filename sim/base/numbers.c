/* Numbers as people read them. */
#include "sim/base/numbers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 16, TEXT_BYTES = 96 };

static char *next_text(void) {
    static _Thread_local char text[TEXTS][TEXT_BYTES];
    static _Thread_local unsigned next;
    return text[next++ % TEXTS];
}

const char *fs_number_text(const char *format, ...) {
    char *text = next_text();
    va_list args;
    va_start(args, format);
    vsnprintf(text, TEXT_BYTES, format, args);
    va_end(args);
    return text;
}

const char *fs_number_grouped(double value) {
    char digits[TEXT_BYTES / 2], *text = next_text(), *to = text;
    if (!(value > -1e20 && value < 1e20)) {
        snprintf(text, TEXT_BYTES, "%g", value);
        return text;
    }
    snprintf(digits, sizeof digits, "%.0f", value);
    const char *from = strcmp(digits, "-0") == 0 ? "0" : digits;
    if (*from == '-')
        *to++ = *from++;
    for (size_t left = strlen(from); left > 0; left--) {
        *to++ = *from++;
        if (left > 1 && left % 3 == 1)
            *to++ = ',';
    }
    *to = '\0';
    return text;
}

const char *fs_number_short(double value, int digits) {
    char *text = next_text();
    char power[TEXT_BYTES / 2];
    if (!(value > -1e20 && value < 1e20)) {
        snprintf(text, TEXT_BYTES, "%g", value);
        return text;
    }
    snprintf(power, sizeof power, "%.*e", digits - 1, value);
    int exponent = (int)strtol(strchr(power, 'e') + 1, NULL, 10), decimals = digits - 1 - exponent;
    if (value == 0 || exponent < -12)
        decimals = 0;
    if (decimals <= 0 && (value >= 1000 || value <= -1000))
        return fs_number_grouped(value);
    snprintf(text, TEXT_BYTES, "%.*f", decimals > 0 ? decimals : 0, value);
    if (strchr(text, '.') != NULL) { /* zeros that say nothing */
        size_t end = strlen(text);
        while (text[end - 1] == '0')
            end--;
        text[text[end - 1] == '.' ? end - 1 : end] = '\0';
    }
    return text;
}

/* Units with larger and smaller ones, the largest first. */
enum { STEPS = 6 };
static const struct scale {
    const char *unit;
    struct {
        double size;
        const char *name;
    } step[STEPS];
} scales[] = {
    {"s", {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}},
    {"B", {{1073741824, "GiB"}, {1048576, "MiB"}, {1024, "KiB"}, {1, "B"}}},
    {"J", {{1e3, "kJ"}, {1, "J"}, {1e-3, "mJ"}, {1e-6, "µJ"}, {1e-9, "nJ"}, {1e-12, "pJ"}}},
    {"Hz", {{1e9, "GHz"}, {1e6, "MHz"}, {1e3, "kHz"}, {1, "Hz"}}},
    {"W", {{1e3, "kW"}, {1, "W"}, {1e-3, "mW"}, {1e-6, "µW"}}},
};

static const struct scale *scale_of(const char *unit) {
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (strcmp(scales[i].unit, unit) == 0)
            return &scales[i];
    return NULL;
}

const char *fs_number_in(double value, const char *unit, int digits) {
    const struct scale *s = scale_of(unit);
    size_t i = 0;
    if (isnan(value))
        return FS_NO_NUMBER;
    if (s == NULL)
        return value == floor(value) ? fs_number_grouped(value) : fs_number_short(value, 4);
    while (i + 1 < STEPS && s->step[i + 1].name != NULL &&
           (value == 0 ? strcmp(s->step[i].name, unit) != 0 : fabs(value) < s->step[i].size * 0.9995))
        i++;
    return fs_number_text("%s %s", fs_number_short(value / s->step[i].size, digits), s->step[i].name);
}

const char *fs_number_with(double value, const char *unit) {
    const char *number = strcmp(unit, "%") == 0 ? fs_number_short(value, 3) : fs_number_in(value, unit, 3);
    if (isnan(value) || unit[0] == '\0' || scale_of(unit) != NULL)
        return isnan(value) ? FS_NO_NUMBER : number;
    return fs_number_text("%s %s", number, unit);
}

/* ---- parts of something ---- */

const char *fs_number_percent(double ratio) {
    if (isnan(ratio))
        return FS_NO_NUMBER;
    return isinf(ratio) ? "infinitely many %"
                        : fs_number_text("%s %%", fs_number_short(100 * ratio, fabs(ratio) < 0.1 ? 2 : 3));
}

const char *fs_number_share(double share) {
    return share > 0 && share < 0.0005 ? "under 0.1 %" : fs_number_percent(share);
}

const char *fs_number_change(double ratio) {
    if (isnan(ratio) || ratio == 0)
        return isnan(ratio) ? FS_NO_NUMBER : "=";
    return fs_number_text("%s%s", ratio > 0 ? "+" : "-", fs_number_percent(fabs(ratio)));
}
