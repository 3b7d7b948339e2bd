/* How values and differences of figures are said, by what each figure says of itself. */
#include "reports/compare/compare.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- differences ---- */

double fs_compare_percent(const fs_stat *row, double base, double value) {
    double stand_in = row == NULL || row->null_is == NULL ? NAN : INFINITY;
    base = isnan(base) ? stand_in : base;
    value = isnan(value) ? stand_in : value;
    if (isnan(base) || isnan(value))
        return NAN;
    if (base == value)
        return 0;
    if (isinf(base)) /* from "for ever" to a number: all of it */
        return -100;
    if (base == 0 || isinf(value))
        return value > base ? INFINITY : -INFINITY;
    return 100 * (value - base) / fabs(base);
}

static fs_says says(const fs_compare_figure *figure) {
    return figure->row == NULL ? FS_SAYS_QUANTITY : figure->row->says;
}

double fs_compare_worse(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *base = figure->values[c->base], *value = figure->values[run];
    if (base == NULL || value == NULL)
        return NAN;
    if (base->kind == FS_FIGURE_WORD || value->kind == FS_FIGURE_WORD)
        return strcmp(base->text, value->text) == 0 ? 0 : INFINITY;
    double percent = fs_compare_percent(figure->row, base->value, value->value);
    if (isnan(percent)) /* null in one of the two only is a change */
        return isnan(base->value) == isnan(value->value) ? 0 : INFINITY;
    fs_better better = figure->row == NULL ? FS_BETTER_NEITHER : figure->row->better;
    double worse = better == FS_BETTER_LESS ? percent : better == FS_BETTER_MORE ? -percent : fabs(percent);
    return worse > 0 ? worse : 0;
}

/* ---- texts ---- */

const char *fs_text_count(fs_arena *arena, double value) {
    if (isnan(value))
        return "-";
    if (isinf(value))
        return value > 0 ? "infinite" : "-infinite";
    return fs_arena_strdup(arena, fs_number_in(value, "", 4));
}

const char *fs_text_seconds(fs_arena *arena, double seconds) {
    return isnan(seconds) ? "-" : fs_arena_strdup(arena, fs_number_in(seconds, "s", 4));
}

const char *fs_compare_value(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *f = figure->values[run];
    if (f == NULL)
        return "-";
    if (f->kind != FS_FIGURE_NUMBER)
        return f->text;
    if (isnan(f->value))
        return figure->row != NULL && figure->row->null_is != NULL ? figure->row->null_is : "-";
    if (says(figure) == FS_SAYS_SHARE)
        return fs_arena_strdup(c->arena, fs_number_percent(fabs(f->value)));
    if (says(figure) == FS_SAYS_DECIBEL)
        return fs_arena_printf(c->arena, "%.2f %s", f->value, figure->unit);
    return isinf(f->value) ? fs_text_count(c->arena, f->value)
                           : fs_arena_strdup(c->arena, fs_number_in(f->value, figure->unit, 4));
}

bool fs_compare_known(const fs_compare *c, const fs_compare_figure *figure) {
    const bool share =
        figure->row != NULL && figure->row->held != NULL; /* of a limit: 0 where there is none */
    for (size_t r = 0; r < c->count; r++)
        if (strcmp(fs_compare_value(c, figure, r), "-") != 0 && (!share || figure->values[r]->value > 0))
            return true;
    return false;
}

/* Whether the label says the unit: "iterations", "cycles a path", "rays a second". */
static bool says_unit(const char *label, const char *unit) {
    const size_t whole = strlen(unit),
                 n = whole > 2 && strcmp(unit + whole - 2, "/s") == 0 ? whole - 2 : whole;
    for (const char *at = label; *at != '\0'; at++)
        if (strncasecmp(at, unit, n) == 0)
            return true;
    return false;
}

/* Half the interval of an estimate, in its unit; 0: the run knows it exactly. */
static double half_width(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *f = figure->values[run];
    if (f == NULL || figure->row == NULL || figure->row->interval == NULL)
        return 0;
    const double percent = fs_compare_number(c, run, figure->row->interval);
    return percent > 0 ? f->value * percent / 100 : 0;
}

bool fs_compare_within(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const double half = half_width(c, figure, run) + half_width(c, figure, c->base);
    return half > 0 && figure->values[c->base] != NULL &&
           fabs(figure->values[run]->value - figure->values[c->base]->value) <= half;
}

/* The value with its unit where nothing else says it. */
static const char *with_unit(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    enum { SHORT = 8 };
    static const char *const have[] = {"s", "B", "J", "W"};
    const fs_figure *f = figure->values[run];
    const char *text = fs_compare_value(c, figure, run);
    const bool plain = f != NULL && f->kind == FS_FIGURE_NUMBER && !isnan(f->value) &&
                       says(figure) == FS_SAYS_QUANTITY && figure->unit[0] != '\0' &&
                       strlen(figure->unit) <= SHORT &&
                       FS_WORD_PLACE(have, FS_COUNT(have), figure->unit) == FS_COUNT(have);
    return plain && !says_unit(figure->label, figure->unit)
               ? fs_arena_printf(c->arena, "%s %s", text, figure->unit)
               : text;
}

const char *fs_compare_cell(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const char *text = with_unit(c, figure, run);
    const double half = half_width(c, figure, run);
    return half > 0 ? fs_arena_printf(c->arena, "%s ± %s", text,
                                      fs_number_percent(half / figure->values[run]->value))
                    : text;
}

const fs_compare_figure *fs_compare_decides(const fs_compare *c) {
    if (c->main_count == 0 || (c->works_differ && c->unit == NULL))
        return NULL;
    for (size_t i = 0; i < c->main_count; i++) {
        const fs_compare_figure *f = c->main[i];
        bool has = f->row != NULL && f->row->null_is != NULL; /* null is a value of it */
        for (size_t r = 0; r < c->count; r++)
            has = has ||
                  (f->values[r] != NULL && f->values[r]->kind == FS_FIGURE_NUMBER && f->values[r]->value > 0);
        if (has)
            return f;
    }
    return c->main[0];
}

const char *fs_compare_decided(const fs_compare *c, double value) {
    const fs_compare_figure *f = fs_compare_decides(c);
    if (f == NULL || isnan(value) || strcmp(f->unit, "s") == 0)
        return fs_text_seconds(c->arena, value);
    return fs_arena_printf(c->arena, "%s%s%s", fs_text_count(c->arena, value), f->unit[0] == '\0' ? "" : " ",
                           f->unit);
}

const char *fs_compare_difference(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *base = figure->values[c->base], *value = figure->values[run];
    if (base == NULL || value == NULL)
        return "";
    if (base->kind != FS_FIGURE_NUMBER || value->kind != FS_FIGURE_NUMBER)
        return strcmp(base->text, value->text) == 0 ? "=" : "differs";
    double percent = fs_compare_percent(figure->row, base->value, value->value);
    if (isnan(percent))
        return isnan(base->value) && isnan(value->value) ? "=" : "";
    if (percent == 0)
        return "=";
    const char *sign = percent > 0 ? "+" : "-";
    double gap = fabs(value->value - base->value);
    if (isnan(gap)) /* one of them is null and stands for INFINITY */
        return "";
    if (says(figure) == FS_SAYS_LABEL)
        return "differs";
    if (says(figure) == FS_SAYS_SHARE)
        return fs_arena_printf(c->arena, "%s%s points", sign, fs_number_short(100 * gap, gap < 0.1 ? 2 : 3));
    if (says(figure) == FS_SAYS_DECIBEL)
        return fs_arena_printf(c->arena, "%s%.2f %s", sign, gap, figure->unit);
    if (isinf(percent))
        return fs_arena_printf(c->arena, "%s%s", sign, fs_text_count(c->arena, gap));
    return fs_arena_strdup(c->arena, fs_number_change(percent / 100));
}
