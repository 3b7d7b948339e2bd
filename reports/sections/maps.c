/* Maps of several runs side by side: one scale for all, then each less the base's. */
#include "reports/sections/sections_private.h"
#include "sim/base/quantile.h"

#include <math.h>
#include <stdlib.h>

double fs_show_reach(const double *a, const double *b, size_t count) {
    double *gap = fs_malloc((count + 1) * sizeof *gap);
    for (size_t i = 0; i < count; i++)
        gap[i] = a[i] == b[i] ? NAN : fabs(a[i] - b[i]);
    const double reach = fs_quantile_nearest(gap, count, 0.99);
    free(gap);
    return isnan(reach) ? 0 : reach;
}

void fs_show_tell(fs_show *s, fs_panel *panel, const fs_values *values, const char *label, const char *unit) {
    fs_panel_series(s->sheet, panel, FS_DRAW_TOLD, label, unit)->value = values;
}

static bool at_one_place(const fs_show_maps *m, size_t run) {
    return m->of[run] != NULL && (run == 0 || m->gap[run] != NULL);
}

static void add_run(fs_show *s, fs_chart *chart, const fs_show_maps *m, size_t run) {
    fs_panel *panel = m->add(m->self, chart, run, fs_show_run(s, run));
    panel->series[0]->label = s->label[run];
    for (size_t other = 0; other < s->count; other++)
        if (other != run && at_one_place(m, run) && at_one_place(m, other))
            fs_show_tell(s, panel, m->of[other], s->label[other], m->unit);
}

static void add_difference(fs_show *s, fs_chart *chart, const fs_show_maps *m, size_t run) {
    const double most = m->reach > 0 ? m->reach : 1; /* no two differ: every place is white */
    fs_panel *panel =
        m->add(m->self, chart, run, fs_arena_printf(s->arena, "%s less %s", s->label[run], s->label[0]));
    panel->colour =
        (fs_axis){.label = fs_arena_printf(s->arena, "difference, %s", m->unit), .low = -most, .high = most};
    panel->colours = FS_COLOURS_DIFFERENCE;
    panel->corner = m->reach > 0 ? NULL : "no difference";
    panel->series[0]->label = "difference";
    panel->series[0]->value = m->gap[run];
    fs_show_tell(s, panel, m->of[0], s->label[0], m->unit);
    fs_show_tell(s, panel, m->of[run], s->label[run], m->unit);
}

/* Two runs stand in one row with their difference; of more runs the differences stand below them. */
void fs_show_beside(fs_show *s, fs_chart *chart, const fs_show_maps *m) {
    for (size_t r = 0; r < s->count; r++)
        if (m->of[r] != NULL)
            add_run(s, chart, m, r);
    chart->columns = s->count == 2 && m->gap[1] != NULL ? 3 : chart->panels;
    for (size_t r = 1; r < s->count; r++)
        if (m->gap[r] != NULL)
            add_difference(s, chart, m, r);
}
