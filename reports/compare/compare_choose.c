/* What of the plan is compared: panels with a title for it. */
#include "reports/compare/compare_page.h"

#include <string.h>

static bool is(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

/* Letters, digits and _ of a column's name: a variable of gnuplot and a file. */
static const char *id_of(fs_arena *arena, const char *name) {
    char *id = fs_arena_printf(arena, "%.20s", name);
    for (char *at = id; *at != '\0'; at++)
        if (!((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9' && at > id) || *at == '_'))
            *at = '_';
    return id;
}

static void add(fs_comparison_page *p, fs_measure *list, size_t *count, size_t most,
                const fs_plan_panel *panel, const fs_plan_column *column, const char *id) {
    if (*count == most || is(column->form, "told"))
        return;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i].id, id_of(p->c->arena, id)) == 0)
            return;
    list[(*count)++] = (fs_measure){.id = id_of(p->c->arena, id),
                                    .column = column,
                                    .panel = panel,
                                    .label = column->label,
                                    .unit = column->unit,
                                    .from_zero = panel->key != NULL,
                                    .logarithmic = !is(panel->form, "linear")};
}

static void add_series(fs_comparison_page *p, const fs_plan_section *s, size_t panel) {
    if (p->serieses == FS_SERIES)
        return;
    fs_compared_series *one = &p->series[p->serieses++];
    *one = (fs_compared_series){.section = s,
                                .panel = panel,
                                .id = id_of(p->c->arena, s->panels[panel].name),
                                .stacked = is(s->panels[panel].form, "stacked")};
}

void fs_compare_choose(fs_comparison_page *p) {
    for (size_t i = 0; i < p->plan->section_count; i++) {
        const fs_plan_section *s = p->plan->sections[i];
        for (size_t k = 0; k < s->panel_count; k++) {
            const fs_plan_panel *panel = &s->panels[k];
            if (panel->compared == NULL || panel->column_count == 0)
                continue;
            const char *file = panel->file == NULL ? s->file : panel->file;
            if (is(s->kind, "series"))
                add_series(p, s, k);
            if (is(s->kind, "matrix") && p->held == NULL) {
                p->held = panel;
                p->held_file = file;
            }
            if (is(s->kind, "chip"))
                add(p, p->chip, &p->chips, FS_CHIP_MEASURES, panel, &panel->columns[0], panel->name);
            for (size_t c = 0; c < panel->column_count; c++) {
                const size_t before = p->tails;
                if (is(s->kind, "pixels")) {
                    add(p, p->map, &p->maps, FS_MEASURES, panel, &panel->columns[c],
                        panel->columns[c].column);
                    p->map_file = file;
                }
                if (is(s->kind, "counts") || is(s->kind, "distribution"))
                    add(p, p->tail, &p->tails, FS_TAILS, panel, &panel->columns[c], panel->columns[c].column);
                if (p->tails > before)
                    p->tail_section[before] = s;
            }
        }
    }
}
