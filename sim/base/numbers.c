/* Numbers as people read them. */
#include "sim/base/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 16, TEXT_BYTES = 64 };

static char *next_text(void) {
    static char text[TEXTS][TEXT_BYTES];
    static unsigned next;
    return text[next++ % TEXTS];
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

/* Three digits of value / unit and the unit's name. */
static const char *with_unit(double value, const double *unit, const char *const *name, size_t count) {
    size_t i = 0;
    while (i + 1 < count && (value < 0 ? -value : value) < unit[i] * 0.9995)
        i++;
    char *text = next_text();
    snprintf(text, TEXT_BYTES, "%s %s", fs_number_short(value / unit[i], 3), name[i]);
    return text;
}

const char *fs_number_bytes(double bytes) {
    static const double unit[] = {1073741824, 1048576, 1024, 1};
    static const char *const name[] = {"GiB", "MiB", "KiB", "B"};
    return with_unit(bytes, unit, name, 4);
}

const char *fs_number_seconds(double seconds) {
    static const double unit[] = {1, 1e-3, 1e-6, 1e-9};
    static const char *const name[] = {"s", "ms", "µs", "ns"};
    return with_unit(seconds, unit, name, seconds == 0 ? 1 : 4);
}

const char *fs_number_joules(double joules) {
    static const double unit[] = {1e3, 1, 1e-3, 1e-6, 1e-9, 1e-12};
    static const char *const name[] = {"kJ", "J", "mJ", "µJ", "nJ", "pJ"};
    return joules == 0 ? with_unit(0, unit + 1, name + 1, 1) : with_unit(joules, unit, name, 6);
}

const char *fs_number_watts(double watts) {
    static const double unit[] = {1e3, 1, 1e-3, 1e-6};
    static const char *const name[] = {"kW", "W", "mW", "µW"};
    return watts == 0 ? with_unit(0, unit + 1, name + 1, 1) : with_unit(watts, unit, name, 4);
}
