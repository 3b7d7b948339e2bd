#include "sim/base/numbers.h"
#include "sim/base/arith.h"
#include "sim/base/error.h"

#include <math.h>
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
    FS_VARIADIC(args, format, vsnprintf(text, TEXT_BYTES, format, args));
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
    return FS_FOUND(scales, FS_COUNT(scales), unit, unit);
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

/* ---- forms ---- */

static const char *number_si(double value) {
    static const struct {
        double from, size;
        const char *letter;
    } step[] = {{1e9, 1e9, " G "}, {1e6, 1e6, " M "}, {1e4, 1e3, " k "}};
    for (size_t i = 0; i < sizeof step / sizeof *step; i++)
        if (value >= step[i].from)
            return fs_number_text("%s%s", fs_number_short(value / step[i].size, 3), step[i].letter);
    return fs_number_text("%s ", fs_number_short(value, 3));
}

/* A share in a sentence: "81 %", "0.3 %", "under 0.1 %". */
static const char *number_said(double share) {
    const double p = 100.0 * share;
    return p > 0 && p < 0.05 ? "under 0.1 %" : fs_number_text(p > 0 && p < 1 ? "%.1f %%" : "%.0f %%", p);
}

/* One that bounds, in per cent. */
static const char *number_most(double percent) {
    const double p = 100.0 * (percent / 100);
    if (!(p > 0))
        return "nothing";
    return p < 0.05 ? "less than 0.1 %" : fs_number_text("at most %s", number_said(percent / 100));
}

static int digit(char letter) {
    return letter >= '0' && letter <= '9' ? letter - '0' : 0;
}

const char *fs_number_form(double value, const char *form, const char *unit) {
    const char *second = strchr(form, '/');
    if (second != NULL)
        return value == 1 ? fs_number_text("%.*s", (int)(second - form), form)
                          : fs_number_text("%s", second + 1);
    if (isnan(value))
        return FS_NO_NUMBER;
    if (strcmp(form, "whole") == 0)
        return fs_number_grouped(value);
    if (strcmp(form, "si") == 0)
        return number_si(value);
    if (strcmp(form, "share") == 0)
        return number_said(value);
    if (strcmp(form, "most") == 0)
        return number_most(value);
    if (form[0] == '.')
        return fs_number_text("%.*f", digit(form[1]), value);
    if (form[0] == '%')
        return form[1] == '\0' ? fs_number_text("%s %%", fs_number_short(100 * value, 3))
                               : fs_number_text("%.*f %%", digit(form[1]), 100 * value);
    if (form[0] >= '1' && form[0] <= '9')
        return fs_number_short(strtod(fs_number_text("1%s", form + 1), NULL) * value, digit(form[0]));
    return fs_number_in(value, form[0] != '\0' && form[1] == '\0' ? form : unit, 3);
}

/* ---- texts with values in braces ---- */

enum { NAME_BYTES = 96 };

typedef struct filler {
    fs_arena *arena;
    fs_number_lookup *lookup;
    void *self;
    const char *at; /* where in the text */
} filler;

static bool look_up(const filler *f, const char *name, size_t length, fs_number_value *out) {
    char word[NAME_BYTES];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    *out = (fs_number_value){.number = (double)NAN, .unit = ""};
    return f->lookup(f->self, word, out) && (out->text != NULL || !isnan(out->number));
}

/* What stands in braces at `at`; NULL: not known. */
static const char *fill_value(filler *f) {
    const char *name = f->at + 1;
    const size_t length = strcspn(name, "}"), bar = strcspn(name, "|}");
    char form[NAME_BYTES] = "";
    fs_number_value value;
    if (bar < length)
        snprintf(form, sizeof form, "%.*s", (int)(length - bar - 1), name + bar + 1);
    f->at = name + length + (name[length] == '}');
    if (!look_up(f, name, bar, &value))
        return NULL;
    return value.text != NULL ? value.text : fs_number_form(value.number, form, value.unit);
}

static const char *fill(filler *f, const char *ends);

/* What of the clause at `at` is said. */
static const char *fill_clause(filler *f) {
    static const char names[] = "abcdefghijklmnopqrstuvwxyz0123456789_.@";
    const char *name = ++f->at, *one, *other = "";
    const size_t length = strspn(name, names);
    bool holds = true;
    if (name[length] == '?') {
        fs_number_value value;
        holds = look_up(f, name, length, &value) &&
                (value.text != NULL ? value.text[0] != '\0' : value.number != 0);
        f->at = name + length + 1;
    }
    one = fill(f, "{[|]");
    if (*f->at == '|') {
        f->at++;
        other = fill(f, "{[]");
    }
    f->at += *f->at == ']';
    one = holds && one != NULL ? one : other;
    return one == NULL ? "" : one;
}

/* Up to one of `ends` behind its first two, or the text's end; NULL: something in it is not known. */
static const char *fill(filler *f, const char *ends) {
    const char *out = "";
    while (f->at[0] != '\0' && strchr(ends + 2, f->at[0]) == NULL) {
        const size_t plain = strcspn(f->at, ends);
        const char *more = plain > 0         ? fs_arena_printf(f->arena, "%.*s", (int)plain, f->at)
                           : f->at[0] == '{' ? fill_value(f)
                                             : fill_clause(f);
        f->at += plain;
        out = out == NULL || more == NULL ? NULL : fs_arena_printf(f->arena, "%s%s", out, more);
    }
    return out;
}

const char *fs_number_fill(fs_arena *arena, const char *text, fs_number_lookup *lookup, void *self) {
    filler f = {arena, lookup, self, text};
    return text == NULL ? NULL : fill(&f, "{[");
}
