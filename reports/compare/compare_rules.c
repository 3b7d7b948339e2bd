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
    double size = fabs(value);
    if (size >= 1000 || value == floor(value))
        return fs_arena_strdup(arena, fs_number_grouped(value));
    return fs_arena_printf(arena,
                           size >= 100  ? "%.1f"
                           : size >= 10 ? "%.2f"
                           : size >= 1  ? "%.3f"
                                        : "%.3g",
                           value);
}

const char *fs_text_seconds(fs_arena *arena, double seconds) {
    static const struct {
        double least;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {0, "ns"}};
    if (isnan(seconds))
        return "-";
    size_t i = 0;
    while (fabs(seconds) < units[i].least && seconds != 0)
        i++;
    const double scale = units[i].least == 0 ? 1e-9 : units[i].least, value = seconds / scale;
    if (fabs(value) >= 1000)
        return fs_arena_printf(arena, "%s %s", fs_number_grouped(value), units[i].unit);
    return fs_arena_printf(arena,
                           fabs(value) >= 100  ? "%.1f %s"
                           : fabs(value) >= 10 ? "%.2f %s"
                                               : "%.3f %s",
                           value, units[i].unit);
}

const char *fs_text_percent(fs_arena *arena, double percent) {
    double size = fabs(percent);
    if (isinf(size))
        return "infinitely many %";
    if (size >= 1000)
        return fs_arena_printf(arena, "%s %%", fs_number_grouped(size));
    return fs_arena_printf(arena, size >= 0.95 || size == 0 ? "%.1f %%" : "%.2g %%", size);
}

const char *fs_text_change(fs_arena *arena, double percent) {
    if (percent == 0)
        return "=";
    return fs_arena_printf(arena, "%s%s", percent > 0 ? "+" : "-", fs_text_percent(arena, percent));
}

static const char *bytes(fs_arena *arena, double value) {
    double scale = value >= 1024 * 1024 ? 1024 * 1024 : value >= 1024 ? 1024 : 1;
    return fs_arena_printf(arena, scale == 1 ? "%.0f %s" : "%.1f %s", value / scale,
                           scale == 1      ? "B"
                           : scale == 1024 ? "KiB"
                                           : "MiB");
}

const char *fs_compare_value(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *f = figure->values[run];
    if (f == NULL)
        return "-";
    if (f->kind != FS_FIGURE_NUMBER)
        return f->text;
    if (isnan(f->value))
        return figure->row != NULL && figure->row->null_is != NULL ? figure->row->null_is : "-";
    if (strcmp(figure->unit, "s") == 0)
        return fs_text_seconds(c->arena, f->value);
    if (strcmp(figure->unit, "B") == 0)
        return bytes(c->arena, f->value);
    if (strcmp(figure->unit, "J") == 0)
        return fs_arena_printf(c->arena, "%s", fs_number_joules(f->value));
    if (strcmp(figure->unit, "W") == 0)
        return fs_arena_printf(c->arena, "%s", fs_number_watts(f->value));
    if (says(figure) == FS_SAYS_SHARE)
        return fs_arena_printf(c->arena, "%.1f %%", 100 * f->value);
    if (says(figure) == FS_SAYS_DECIBEL)
        return fs_arena_printf(c->arena, "%.2f %s", f->value, figure->unit);
    return fs_text_count(c->arena, f->value);
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

const char *fs_compare_cell(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    enum { SHORT = 8 };
    static const char *const have[] = {"s", "B", "J", "W"};
    const fs_figure *f = figure->values[run];
    const char *text = fs_compare_value(c, figure, run);
    bool plain = f != NULL && f->kind == FS_FIGURE_NUMBER && !isnan(f->value) &&
                 says(figure) == FS_SAYS_QUANTITY && figure->unit[0] != '\0' && strlen(figure->unit) <= SHORT;
    for (size_t i = 0; i < sizeof have / sizeof *have; i++)
        plain &= strcmp(figure->unit, have[i]) != 0;
    return plain && !says_unit(figure->label, figure->unit)
               ? fs_arena_printf(c->arena, "%s %s", text, figure->unit)
               : text;
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
        return fs_arena_printf(c->arena, 100 * gap >= 0.05 ? "%s%.1f points" : "%s%.2g points", sign,
                               100 * gap);
    if (says(figure) == FS_SAYS_DECIBEL)
        return fs_arena_printf(c->arena, "%s%.2f %s", sign, gap, figure->unit);
    if (isinf(percent))
        return fs_arena_printf(c->arena, "%s%s", sign, fs_text_count(c->arena, gap));
    return fs_text_change(c->arena, percent);
}
