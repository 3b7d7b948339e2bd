/* A roofline from shares of peaks: the first column of the panel is work, the others what it moves through. Over both
 * peaks every part has the same roof: as much work as its own peak lets through at the run's work for each byte, at
 * most all (S. Williams, A. Waterman, D. Patterson, Roofline, CACM 52 (4), 2009). */
#include "reports/sections/sections_private.h"

#include <math.h>

enum { PARTS = 8 };

typedef struct part {
    const fs_plan_column *column;
    double share, x,
        roof; /* x: work over traffic, each as a share of its peak; roof: share of the work's peak */
} part;

static size_t read_parts(const fs_show *s, const fs_plan_panel *plan, double work, part *parts) {
    size_t count = 0;
    for (size_t i = 1; i < plan->column_count && count < PARTS; i++) {
        const double share = fs_folder_number(s->run[0], plan->columns[i].column);
        if (share > 0)
            parts[count++] = (part){&plan->columns[i], share, work / share, fmin(1, work / share)};
    }
    return count;
}

static const fs_values *one(fs_show *s, double value) {
    return fs_values_steps(s->sheet, value, 0, 1);
}

static void add_part(fs_show *s, fs_panel *panel, const part *p, double work, unsigned form) {
    const char **name = FS_NEW(s->arena, const char *, 1);
    *name =
        fs_arena_printf(s->arena, "%s: %s of the peak", p->column->label, fs_number_form(p->share, "%", ""));
    *name = fs_arena_printf(s->arena, "%s, the roof is at %s", *name, fs_number_form(p->roof, "%", ""));
    fs_chart_series *dot = fs_panel_series(s->sheet, panel, FS_DRAW_DOTS, p->column->label, "%"),
                    *gap = fs_panel_series(s->sheet, panel, FS_DRAW_RANGE, NULL, NULL);
    dot->colour = gap->colour = p->column->colour;
    dot->form = form;
    dot->size = 5;
    dot->x = gap->x = one(s, p->x);
    dot->y = gap->low = one(s, 100 * work);
    gap->high = one(s, 100 * p->roof);
    dot->names = fs_values_words(s->sheet, name, 1);
}

/* A decade to both sides of the balance, or as far as the parts are. */
static void set_axes(fs_show *s, fs_panel *panel, double work, const part *parts, size_t count) {
    double low = 0.1, high = 10;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, parts[i].x / 2);
        high = fmax(high, parts[i].x * 2);
    }
    panel->x = (fs_axis){.label = "work for each byte or access, over the balance of the peaks",
                         .low = low,
                         .high = high,
                         .log = true};
    panel->y =
        (fs_axis){.label = "% of the peak", .low = fmin(100 * low, 50 * work), .high = 200, .log = true};
    double *x = FS_NEW(s->arena, double, 3), *y = FS_NEW(s->arena, double, 3);
    x[0] = low, x[1] = 1, x[2] = high;
    y[0] = 100 * low, y[1] = y[2] = 100;
    fs_chart_series *roof = fs_panel_series(s->sheet, panel, FS_DRAW_LINE, "roof", "%");
    roof->colour = "ink";
    roof->x = fs_values_reals(s->sheet, x, 3);
    roof->y = fs_values_reals(s->sheet, y, 3);
    fs_panel_mark(s->sheet, panel, (fs_chart_mark){.kind = FS_MARK_UP, .x = 1, .text = "balance", .dash = 1});
}

void fs_show_roofline(fs_show *s, const fs_plan_panel *plan) {
    const fs_plan_column *of = &plan->columns[0];
    const double work = fs_folder_number(s->run[0], of->column);
    part parts[PARTS];
    const size_t count = work > 0 ? read_parts(s, plan, work, parts) : 0;
    if (count == 0)
        return;
    const part *least = &parts[0];
    for (size_t i = 1; i < count; i++)
        least = parts[i].roof < least->roof ? &parts[i] : least;
    const char *title =
        fs_arena_printf(s->arena, "Work at %s of its peak (%s), ", fs_number_form(work, "%", ""), of->label);
    title = fs_arena_printf(s->arena, "%sunder a roof of %s", title, fs_number_form(least->roof, "%", ""));
    if (least->roof < 1)
        title = fs_arena_printf(s->arena, "%s (%s)", title, least->column->label);
    fs_chart *chart = fs_sheet_chart(s->sheet, plan->name, title, fs_show_caption(s, plan, NULL, NULL, NULL));
    fs_panel *panel = fs_chart_panel(s->sheet, chart, NULL);
    panel->tall = 270;
    set_axes(s, panel, work, parts, count);
    for (size_t i = 0; i < count; i++)
        add_part(s, panel, &parts[i], work, (unsigned)i);
}
