/* Matrices: tile by iteration, in groups from the top level down; or link by frame, in groups by heading. A picture has
 * fewer dots than a long run has cells: neighbouring tiles of a group and iterations are pooled, each pool keeping
 * its most. */
#include "reports/run/report_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 960, HIGHEST = 512, HIGHEST_LINKS = 128 };

typedef struct group {
    const char *role;
    int64_t level;
    size_t tiles, row, rows; /* row: its first of the pooled ones */
} group;

typedef struct grid {
    const fs_plan_panel *panel;
    fs_report_picture *picture;
    size_t iterations, step, cols, rows, groups;
    group group[FS_PLOT_PANELS];
    int64_t *values; /* [rows][cols] */
    json_t *labels;  /* [rows]; owner: this, until it is on the page */
    double scale;    /* so that values fit 16 bits */
    int64_t most, tile, when;
    int64_t frame;    /* cycles of a column; 0: it is an iteration */
    const char *name; /* of the row that has the most; NULL: rows have none */
} grid;

typedef struct tiles {
    const fs_csv *table;
    const int64_t *tile, *level, *matrix;
    const char *const *role, *const *name; /* name: of links */
    int64_t frame;
    size_t count;
} tiles;

static bool know(void *self, const char *name, fs_fill_value *out) {
    const grid *g = self;
    *out = (fs_fill_value){.unit = "", .whole = true};
    if (strcmp(name, "name") == 0)
        out->text = g->name;
    out->number = (double)(strcmp(name, "most") == 0    ? g->most
                           : strcmp(name, "tile") == 0  ? g->tile
                           : strcmp(name, "frame") == 0 ? g->frame
                                                        : g->when);
    return strcmp(name, "most") == 0 || strcmp(name, "tile") == 0 || strcmp(name, "when") == 0 ||
           strcmp(name, "frame") == 0 || out->text != NULL;
}

/* "router 12–15 (level 3)", "tracer 7 (shard 7)". */
static void label_row(fs_report *r, grid *g, const tiles *t, const fs_csv *places, const group *of,
                      const size_t *member, size_t count) {
    const int64_t first = t->tile[member[0]], last = t->tile[member[count - 1]];
    if (t->name != NULL) {
        const char *more = count > 1 ? fs_arena_printf(r->arena, " to %s", t->name[member[count - 1]]) : "";
        json_array_append_new(g->labels, json_sprintf("%s%s", t->name[member[0]], more));
        return;
    }
    const char *words = fs_arena_printf(r->arena, "%s %lld", of->role, (long long)first);
    if (last > first)
        words = fs_arena_printf(r->arena, "%s–%lld", words, (long long)last);
    const char *shard = places != NULL && (size_t)first < fs_csv_rows(places) && fs_csv_has(places, "shard")
                            ? fs_csv_text(places, (size_t)first, "shard")
                            : "";
    if (fs_roles_levelled(&r->roles, of->role))
        words = fs_arena_printf(r->arena, "%s (level %lld)", words, (long long)of->level);
    else if (last == first && shard[0] >= '0' && shard[0] <= '9')
        words = fs_arena_printf(r->arena, "%s (shard %s)", words, shard);
    json_array_append_new(g->labels, json_string(words));
}

/* Tiles or links of a row. */
static size_t pooled(const grid *g, const group *of) {
    return (of->tiles - 1) / (g->frame > 0 ? HIGHEST_LINKS : HIGHEST) + 1;
}

static void pool_group(fs_report *r, grid *g, const tiles *t, const fs_csv *places, group *of,
                       const size_t *member) {
    const size_t each = pooled(g, of);
    of->row = g->rows;
    for (size_t i = 0; i < of->tiles; i += each) {
        const size_t end = i + each < of->tiles ? i + each : of->tiles;
        int64_t *line = g->values + g->rows * g->cols;
        for (size_t m = i; m < end; m++)
            for (size_t k = 0; k < g->iterations; k++) {
                const int64_t v = t->matrix[member[m] * g->iterations + k];
                line[k / g->step] = v > line[k / g->step] ? v : line[k / g->step];
                if (v > g->most) {
                    g->most = v;
                    g->tile = t->tile[member[m]];
                    g->name = t->name == NULL ? NULL : t->name[member[m]];
                    g->when = (int64_t)k;
                }
            }
        label_row(r, g, t, places, of, member + i, end - i);
        g->rows++;
    }
    of->rows = g->rows - of->row;
}

/* Groups of a level and a role, the highest level first; at a level the last role of the plan first. */
static void find_groups(fs_report *r, grid *g, const tiles *t) {
    size_t key[FS_PLOT_PANELS] = {0};
    for (size_t i = 0; i < t->count; i++) {
        const size_t role = fs_roles_at(&r->roles, t->role[i]),
                     wanted = (size_t)(t->level[i] < 0 ? 0 : t->level[i]) * FS_ROLES + role;
        size_t at = 0;
        while (at < g->groups && key[at] > wanted)
            at++;
        if (at < g->groups && key[at] == wanted) {
            g->group[at].tiles++;
        } else if (g->groups < FS_PLOT_PANELS) {
            memmove(key + at + 1, key + at, (g->groups - at) * sizeof *key);
            memmove(g->group + at + 1, g->group + at, (g->groups - at) * sizeof *g->group);
            key[at] = wanted;
            g->group[at] = (group){.role = t->role[i], .level = t->level[i], .tiles = 1};
            g->groups++;
        }
    }
}

static fs_status read_tiles(fs_report *r, const char *file, const char *first, tiles *t, size_t *iterations,
                            fs_error *err) {
    t->table = fs_folder_table(r->run, file, err);
    t->matrix = t->table == NULL ? NULL : fs_csv_matrix(t->table, first, iterations, err);
    const bool links = t->matrix != NULL && fs_csv_has(t->table, "link");
    t->tile = t->matrix == NULL ? NULL : fs_csv_ints(t->table, links ? "link" : "tile", err);
    t->name = t->tile == NULL || !links ? NULL : fs_csv_words(t->table, "name", err);
    const int64_t *frame = t->name == NULL ? NULL : fs_csv_ints(t->table, "frame", err);
    t->frame = frame != NULL && fs_csv_rows(t->table) > 0 && frame[0] > 0 ? frame[0] : 0;
    if (err->status != FS_OK)
        return err->status;
    t->level = t->tile == NULL ? NULL : fs_csv_ints(t->table, "level", err);
    t->role = t->level == NULL ? NULL : fs_csv_words(t->table, "role", err);
    t->count = t->table == NULL ? 0 : fs_csv_rows(t->table);
    return err->status;
}

static fs_status pool(fs_report *r, grid *g, const tiles *t, fs_error *err) {
    const fs_csv *places =
        fs_folder_has(r->run, "tiles.csv") ? fs_folder_table(r->run, "tiles.csv", err) : NULL;
    if (err->status != FS_OK)
        return err->status;
    FS_ASSERT(t->role != NULL && t->level != NULL && t->tile != NULL, "tiles that nobody has read");
    size_t *member = FS_NEW(r->arena, size_t, t->count + 1);
    find_groups(r, g, t);
    g->frame = t->frame;
    g->step = (g->iterations - 1) / WIDEST + 1;
    g->cols = (g->iterations - 1) / g->step + 1;
    g->values = FS_NEW(r->arena, int64_t, (t->count + 1) * g->cols);
    g->labels = json_array();
    for (size_t k = 0; k < g->groups; k++) {
        size_t count = 0;
        for (size_t i = 0; i < t->count; i++)
            if (t->level[i] == g->group[k].level && strcmp(t->role[i], g->group[k].role) == 0)
                member[count++] = i;
        g->group[k].tiles = count;
        pool_group(r, g, t, places, &g->group[k], member);
    }
    const int64_t whole = (g->most + UINT16_MAX - 2) / (UINT16_MAX - 1); /* so that dots are whole numbers */
    g->scale = g->most < UINT16_MAX ? 1 : (double)whole;
    return FS_OK;
}

/* A file of dots for each group. An image needs two rows: a tile alone in its group stands twice. */
static fs_status write_groups(fs_report *r, const grid *g, fs_error *err) {
    for (size_t k = 0; k < g->groups; k++) {
        const group *of = &g->group[k];
        r->text.used = 0;
        for (size_t y = 0; y < of->rows || (of->rows == 1 && y < 2); y++) {
            const int64_t *line = g->values + (of->row + (of->rows == 1 ? 0 : y)) * g->cols;
            for (size_t x = 0; x < g->cols; x++)
                fs_page_text_print(&r->text, "%s%lld", x > 0 ? " " : "", (long long)line[x]);
            fs_page_text_print(&r->text, "\n");
        }
        if (fs_page_text_save(&r->text, r->pictures,
                              fs_arena_printf(r->arena, "%s-%zu", g->panel->name, k + 1), "map", err))
            return err->status;
    }
    return FS_OK;
}

static const char *things_of(const grid *g) {
    return g->frame > 0 ? "links" : "tiles";
}

/* What a column of the file is along the axis: cycles, or an iteration. */
static double each_of(const grid *g) {
    return g->frame > 0 ? (double)g->frame : 1;
}

static fs_status write_script(fs_report *r, grid *g, fs_error *err) {
    const char *name[FS_PLOT_PANELS];
    double tiles_of[FS_PLOT_PANELS], rows_of[FS_PLOT_PANELS];
    size_t each = 1;
    for (size_t k = 0; k < g->groups; k++) {
        const group *of = &g->group[k];
        name[k] =
            fs_roles_group(&r->roles, of->role, fs_roles_levelled(&r->roles, of->role), of->level, of->tiles);
        tiles_of[k] = (double)of->tiles;
        rows_of[k] = (double)of->rows;
        each = pooled(g, of) > each ? pooled(g, of) : each;
    }
    fs_plan_panel panel = *g->panel;
    panel.caption = fs_arena_printf(
        r->arena, "%s%s%s", panel.caption == NULL ? "" : panel.caption,
        each > 1
            ? fs_arena_printf(r->arena, " Each row of a large group: the most of %zu %s.", each, things_of(g))
            : "",
        g->step > 1 ? fs_arena_printf(r->arena, " Each column: the most of %zu iterations.", g->step) : "");
    g->picture = fs_report_begin(r, &panel, g->most == 0, know, g);
    const bool decades = strcmp(panel.form, "decades") == 0;
    const fs_plan_column *c = &panel.columns[0];
    fs_report_set_text(r, "unit",
                       g->frame > 0
                           ? fs_arena_printf(r->arena, "%s in %lld cycles", c->label, (long long)g->frame)
                           : fs_arena_printf(r->arena, "%s, %s", c->label, c->unit));
    fs_report_set_texts(r, "group_name", name, g->groups);
    fs_report_set_numbers(r, "group_tiles", tiles_of, g->groups);
    fs_report_set_numbers(r, "group_rows", rows_of, g->groups);
    fs_report_set_text(r, "things", things_of(g));
    fs_report_set_text(r, "along", g->frame > 0 ? "cycle" : "iteration");
    fs_page_text_print(
        &r->text, "groups = %zu; iterations = %.0f; pool = %.0f; most = %lld.0; least = %.9g; linear = %d\n",
        g->groups, (double)g->iterations * each_of(g), (double)g->step * each_of(g), (long long)g->most,
        decades && g->most > 1000 ? (double)g->most / 1000 : 1.0, strcmp(panel.form, "linear") == 0);
    return fs_report_end(r, panel.name, "matrix.gp", err);
}

typedef struct matrices {
    size_t count;
    grid *grid[FS_PLOT_PANELS];
} matrices;

static fs_status prepare(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    matrices *m = FS_NEW(r->arena, matrices, 1);
    for (size_t i = 0; i < s->panel_count && m->count < FS_PLOT_PANELS; i++) {
        const char *file = fs_report_file(s, &s->panels[i]);
        tiles t = {0};
        grid *g = FS_NEW(r->arena, grid, 1);
        g->panel = &s->panels[i];
        if (file == NULL || !fs_folder_has(r->run, file) || g->panel->column_count == 0)
            continue;
        if (read_tiles(r, file, g->panel->columns[0].column, &t, &g->iterations, err))
            return err->status;
        if (g->iterations == 0 || t.count == 0)
            continue;
        if (pool(r, g, &t, err) || write_groups(r, g, err) || write_script(r, g, err))
            return err->status;
        fs_folder_forget(r->run, file);
        m->grid[m->count++] = g;
    }
    *own = m->count > 0 ? m : NULL;
    return FS_OK;
}

static json_t *show(const fs_plot_panel *panel, void *self) {
    const grid *g = self;
    const size_t at = strncmp(panel->name, "group-", 6) == 0 ? strtoul(panel->name + 6, NULL, 10) : 0;
    char values[64];
    if (at < 1 || at > g->groups)
        return NULL;
    const group *of = &g->group[at - 1];
    snprintf(values, sizeof values, "%s-values", g->panel->name);
    json_t *own = json_array();
    for (size_t i = 0; i < of->rows; i++)
        json_array_append(own, json_array_get(g->labels, of->row + i));
    const fs_plan_column *c = &g->panel->columns[0];
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:[o]}", "kind", "matrix", "x",
                     g->frame > 0 ? "cycle" : "iteration", "cols", (json_int_t)g->cols, "row",
                     (json_int_t)of->row, "rows", (json_int_t)of->rows, "step",
                     (json_int_t)((double)g->step * each_of(g)), "last",
                     (json_int_t)((double)g->iterations * each_of(g)) - 1, "labels", own, "layers",
                     fs_report_layer(c->label, c->unit, values, g->scale));
}

static fs_status put(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    matrices *m = own;
    const char *label[FS_PLOT_PANELS];
    for (size_t i = 0; i < m->count; i++)
        label[i] = m->grid[i]->panel->label == NULL ? m->grid[i]->panel->name : m->grid[i]->panel->label;
    fs_page_choice(r->page, fs_arena_printf(r->arena, "%s-choice", s->id), "what to show", label, m->count);
    for (size_t i = 0; i < m->count; i++) {
        grid *g = m->grid[i];
        fs_page_panel(r->page, label[i]);
        fs_page_cells(r->page, fs_arena_printf(r->arena, "plot-%s", g->panel->name));
        if (fs_report_figure(r, g->picture, err))
            return err->status;
        fs_report_values16(r, fs_arena_printf(r->arena, "%s-values", g->panel->name), g->values,
                           g->rows * g->cols, g->scale);
        fs_report_hover(r, g->picture, show, g);
        json_decref(g->labels);
    }
    fs_page_choice_end(r->page);
    return FS_OK;
}

const fs_report_kind fs_report_kind_matrix = {"matrix", prepare, put};
