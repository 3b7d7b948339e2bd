/* Maps of a network: its links between the places of routers, coloured by a measure. */
#include "reports/sections/sections_private.h"

#include <math.h>
#include <string.h>

enum { MAPS = 8 };
static const double of_a_pitch = 100; /* places in the file: hundredths of the way to a neighbour */
static const double aside = 0.1;      /* of a pitch: from the line between two routers to the link's own */

typedef struct map {
    const fs_plan_panel *panel;
    const double *value; /* [links] */
    double most, mean;
    size_t most_at;
    const char *title;
    const fs_values *values; /* of the links between routers */
} map;

typedef struct links {
    fs_show *s;
    const fs_plan_section *section;
    size_t count, between, maps; /* between: links that are no way out to an end point */
    bool grid;
    const int64_t *out;
    const char *const *name;
    double *at[4];          /* x, y of both ends */
    double low[2], high[2]; /* of all x, of all y */
    map map[MAPS];
    const map *told;
    const fs_values *place[4], *names;
} links;

static bool know(void *self, const char *name, fs_number_value *out) {
    const links *l = self;
    const map *m = l->told;
    *out = (fs_number_value){.unit = ""};
    if (strcmp(name, "most") == 0 || strcmp(name, "mean") == 0)
        out->number = name[1] == 'o' ? m->most : m->mean;
    else if (strcmp(name, "link") == 0)
        out->text = l->name[m->most_at];
    else
        return false;
    return true;
}

/* ---- data ---- */

static fs_status read_map(links *l, const fs_csv *t, const fs_plan_panel *panel, fs_error *err) {
    map *m = &l->map[l->maps];
    *m = (map){.panel = panel, .value = fs_measured(l->s->arena, t, &panel->columns[0], err)};
    if (m->value == NULL)
        return err->status;
    for (size_t i = 0; i < l->count; i++) {
        if (l->out[i] != 0)
            continue;
        m->mean += m->value[i];
        if (m->value[i] > m->most) {
            m->most = m->value[i];
            m->most_at = i;
        }
    }
    m->mean = l->between > 0 ? m->mean / (double)l->between : 0;
    l->maps += m->most > 0;
    return FS_OK;
}

static fs_status read_links(links *l, fs_error *err) {
    static const char *const places[] = {"x", "y", "to_x", "to_y"};
    const fs_csv *t = fs_show_table_of(l->s, 0, l->section->file, err);
    if (t == NULL || !fs_csv_has(t, "name"))
        return err->status;
    if ((l->out = fs_csv_ints(t, "out", err)) == NULL || (l->name = fs_csv_words(t, "name", err)) == NULL)
        return err->status;
    l->count = fs_csv_rows(t);
    l->grid = l->count > 0 && l->name[0][0] == '('; /* named by its places */
    for (int k = 0; k < 4; k++)
        if ((l->at[k] = fs_measured(l->s->arena, t,
                                    &(fs_plan_column){.column = places[k], .scale = 1 / of_a_pitch}, err)) ==
            NULL)
            return err->status;
    l->low[0] = l->low[1] = INFINITY;
    l->high[0] = l->high[1] = -INFINITY;
    for (size_t i = 0; i < l->count; i++) {
        l->between += l->out[i] == 0;
        for (int d = 0; d < 2; d++) {
            l->low[d] = fmin(l->low[d], fmin(l->at[d][i], l->at[2 + d][i]));
            l->high[d] = fmax(l->high[d], fmax(l->at[d][i], l->at[2 + d][i]));
        }
    }
    for (size_t i = 0; i < l->section->panel_count && l->maps < MAPS; i++)
        if (fs_show_shown(l->s, &l->section->panels[i]) && read_map(l, t, &l->section->panels[i], err))
            return err->status;
    return FS_OK;
}

/* Links keep to their right, so that the two directions of a connection lie beside each other; those that
 * lead back round a ring end half way out. */
static void add_values(links *l) {
    fs_sheet *sheet = l->s->sheet;
    double *place[4], *value[MAPS];
    const char **name = FS_NEW(l->s->arena, const char *, l->between + 1);
    size_t n = 0;
    for (int k = 0; k < 4; k++)
        place[k] = FS_NEW(l->s->arena, double, l->between + 1);
    for (size_t k = 0; k < l->maps; k++)
        value[k] = FS_NEW(l->s->arena, double, l->between + 1);
    for (size_t i = 0; i < l->count; i++) {
        if (l->out[i] != 0)
            continue;
        const double x = l->at[0][i], y = l->at[1][i], dx = l->at[2][i] - x, dy = l->at[3][i] - y,
                     length = sqrt(dx * dx + dy * dy), ux = length > 0 ? dx / length : 0,
                     uy = length > 0 ? dy / length : 0;
        place[0][n] = x + 0.18 * ux + aside * uy;
        place[1][n] = y + 0.18 * uy - aside * ux;
        place[2][n] = place[0][n] + dx - 0.36 * ux;
        place[3][n] = place[1][n] + dy - 0.36 * uy;
        for (size_t k = 0; k < l->maps; k++)
            value[k][n] = l->map[k].value[i];
        name[n++] = l->name[i];
    }
    for (int k = 0; k < 4; k++)
        l->place[k] = fs_values_reals(sheet, place[k], n);
    for (size_t k = 0; k < l->maps; k++)
        l->map[k].values = fs_values_reals(sheet, value[k], n);
    l->names = fs_values_words(sheet, name, n);
}

/* ---- charts ---- */

/* Columns (0) or rows (1) of routers, numbered where they are a grid, by at most eight numbers. */
static fs_axis axis_of(links *l, int d) {
    const double last = fmax(floor(l->high[d]), 0);
    double step = 1;
    while (8 * step < l->high[d] - l->low[d])
        step *= 2;
    fs_axis axis = {.low = l->low[d] - 0.7, .high = l->high[d] + 0.7};
    if (l->grid) {
        axis.label = d == 0 ? "column" : "row";
        axis.tics = fs_values_steps(l->s->sheet, 0, step, (size_t)(last / step) + 1);
    }
    return axis;
}

static fs_panel *add_panel(links *l, fs_chart *chart, const map *m) {
    fs_sheet *sheet = l->s->sheet;
    const fs_plan_column *c = &m->panel->columns[0];
    const double across = l->high[0] - l->low[0] + 1.4, down = l->high[1] - l->low[1] + 1.4,
                 cell = fmin(900 / across, 90);
    fs_panel *panel = fs_chart_panel(sheet, chart, NULL);
    panel->x = axis_of(l, 0);
    panel->y = axis_of(l, 1);
    panel->y.down = true;
    panel->colour = (fs_axis){.label = c->label, .high = m->most};
    panel->dark = true; /* so that the busiest links are the brightest */
    panel->flat = down / across;
    panel->tall = 760;
    fs_chart_series *one = fs_panel_series(sheet, panel, FS_DRAW_LINKS, c->label, c->unit);
    one->x = l->place[0];
    one->y = l->place[1];
    one->x2 = l->place[2];
    one->y2 = l->place[3];
    one->value = m->values;
    one->names = l->names;
    one->width = cell > 40 || l->high[1] - l->low[1] < 2 ? 4 : cell > 20 ? 3 : cell > 10 ? 2 : 1;
    for (size_t i = 0; i < l->maps; i++)
        if (&l->map[i] != m)
            fs_panel_series(sheet, panel, FS_DRAW_TOLD, l->map[i].panel->columns[0].label,
                            l->map[i].panel->columns[0].unit)
                ->value = l->map[i].values;
    return panel;
}

/* The maps of a section, read once. */
static links *links_of(fs_show *s, const fs_plan_section *section, fs_error *err) {
    links *l = s->links;
    if (l != NULL && l->section == section)
        return l;
    l = FS_NEW(s->arena, links, 1);
    l->s = s;
    l->section = section;
    if (read_links(l, err))
        return NULL;
    for (size_t i = 0; i < l->maps; i++) {
        l->told = &l->map[i];
        l->map[i].title = fs_show_title(s, l->map[i].panel, false, know, l);
    }
    if (l->maps > 0)
        add_values(l);
    s->links = s->links == NULL ? l : s->links;
    return l;
}

static fs_status put_links(fs_show *s, const fs_plan_section *section, fs_error *err) {
    links *l = links_of(s, section, err);
    if (l == NULL || l->maps == 0)
        return err->status;
    fs_show_begin(s, section, fs_show_inside(s, l->map[0].title, l->maps));
    fs_sheet_choice(s->sheet, fs_arena_printf(s->arena, "%s-choice", section->id),
                    "what to show on the links");
    for (size_t i = 0; i < l->maps; i++) {
        const map *m = l->told = &l->map[i];
        fs_sheet_panel(s->sheet, fs_show_label(m->panel));
        add_panel(
            l,
            fs_sheet_chart(s->sheet, m->panel->name, m->title, fs_show_caption(s, m->panel, know, l, NULL)),
            m);
    }
    fs_sheet_end(s->sheet);
    return FS_OK;
}

static fs_status sight_of_links(fs_show *s, const fs_plan_section *section, fs_error *err) {
    enum { LINKS = 4096 }; /* more are no sight in a small picture */
    links *l = links_of(s, section, err);
    if (l == NULL || l->maps == 0 || l->count > LINKS)
        return err->status;
    s->sight = add_panel(l, FS_NEW(s->arena, fs_chart, 1), &l->map[0]);
    s->sight_title = l->map[0].title;
    s->sight_id = section->id;
    return FS_OK;
}

const fs_show_kind fs_show_kind_links = {"links", put_links, sight_of_links};
