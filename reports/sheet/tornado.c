/* How far parameters move a figure, each alone: bars from 0 to both ends, the widest first. */
#include "reports/sheet/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double fs_lever_reach(const fs_lever *lever) {
    const double low = fabs(lever->change[0]), high = fabs(lever->change[1]);
    return fmax(isnan(low) ? 0 : low, isnan(high) ? 0 : high);
}

/* The widest first; ties by name. */
static int by_reach(const void *a, const void *b) {
    const double x = fs_lever_reach(a), y = fs_lever_reach(b);
    return x > y ? -1 : x < y ? 1 : strcmp(((const fs_lever *)a)->key, ((const fs_lever *)b)->key);
}

static void put_end(fs_sheet *s, fs_panel *panel, const fs_lever *lever, size_t count, const char *what,
                    size_t end) {
    fs_arena *arena = fs_sheet_arena(s);
    double *to = FS_NEW(arena, double, count);
    const char **text = FS_NEW(arena, const char *, count), **name = FS_NEW(arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        to[i] = 100 * lever[i].change[end];
        text[i] = lever[i].end[end];
        name[i] = fs_arena_printf(arena, "%s: %s to %s", lever[i].key, lever[i].end[0], lever[i].end[1]);
    }
    fs_chart_series *q =
        fs_panel_series(s, panel, FS_DRAW_SPANS,
                        fs_arena_printf(arena, "%s at the %s value", what, end == 0 ? "low" : "high"), "%");
    q->colour = end == 0 ? "series-5" : "series-1";
    q->y = fs_values_steps(s, 0, 1, count);
    q->low = fs_values_steps(s, 0, 0, count);
    q->high = fs_values_reals(s, to, count);
    q->texts = fs_values_words(s, text, count);
    q->names = fs_values_words(s, name, count);
}

fs_panel *fs_sheet_levers(fs_sheet *s, fs_chart *chart, const char *what, fs_lever *lever, size_t count,
                          size_t most) {
    qsort(lever, count, sizeof *lever, by_reach);
    const size_t shown = count < most ? count : most;
    const double reach = 140 * fs_lever_reach(&lever[0]); /* room for words */
    const char **key = FS_NEW(fs_sheet_arena(s), const char *, shown);
    for (size_t i = 0; i < shown; i++)
        key[i] = lever[i].key;
    fs_panel *panel = fs_chart_panel(s, chart, NULL);
    panel->tall = 30 * (double)shown;
    panel->x = (fs_axis){.label = fs_arena_printf(fs_sheet_arena(s), "change of %s, %%", what),
                         .low = reach > 0 ? -reach : -1,
                         .high = reach > 0 ? reach : 1};
    panel->y = (fs_axis){.label = "parameter",
                         .low = -0.5,
                         .high = (double)shown - 0.5,
                         .names = fs_values_words(s, key, shown),
                         .down = true};
    put_end(s, panel, lever, shown, what, 0);
    put_end(s, panel, lever, shown, what, 1);
    fs_panel_mark(s, panel, (fs_chart_mark){.kind = FS_MARK_UP, .x = 0, .colour = "ink"});
    return panel;
}
