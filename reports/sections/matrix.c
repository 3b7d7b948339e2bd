/* Matrices: tile by iteration, in groups from the top level down; or link by frame, in groups by heading.
 * A long run has more cells than a picture has dots: neighbouring tiles of a group and iterations are
 * pooled, each pool keeping its most. Of several runs the same group of each stands below the other's, on
 * one scale. */
#include "reports/sections/sections_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 960, HIGHEST = 512, HIGHEST_LINKS = 128, GROUPS = 64 };

/* What a run's file holds. */
typedef struct tiles {
    const int64_t *tile, *level, *matrix;  /* [count]; matrix [count][columns] */
    const char *const *role, *const *name; /* name: of links */
    int64_t frame;                         /* cycles of a column; 0: it is an iteration */
    size_t count, columns;
    const fs_csv *places; /* tiles.csv; NULL */
} tiles;

/* Tiles of a role at a level, or links of a heading. */
typedef struct group {
    size_t key; /* higher ones first */
    const char *role;
    int64_t level;
    size_t most; /* tiles of it, of the run with the most */
    size_t tiles[FS_SHOW_RUNS], row[FS_SHOW_RUNS], rows[FS_SHOW_RUNS]; /* row: the first of the pooled ones */
} group;

typedef struct grid {
    struct grid *next; /* read before it */
    const fs_plan_panel *panel;
    tiles run[FS_SHOW_RUNS];
    size_t step, columns, groups; /* columns: iterations of the longest run */
    group group[GROUPS];
    int64_t frame;
    size_t rows[FS_SHOW_RUNS];
    int64_t *values[FS_SHOW_RUNS]; /* [rows][columns of it pooled] */
    const char **label[FS_SHOW_RUNS];
    const fs_values *x[FS_SHOW_RUNS], *shown[FS_SHOW_RUNS], *labels[FS_SHOW_RUNS]; /* as charts have them */
    int64_t *row_of; /* of each tile of the first run's tiles.csv, -1: none; NULL: they are links */
    size_t row_ofs;
    int64_t most, tile, when;
    const char *name; /* of the link that has the most; NULL: there are tiles */
    bool linear;
} grid;

static bool know(void *self, const char *name, fs_number_value *out) {
    const grid *g = self;
    *out = (fs_number_value){.unit = "", .whole = true};
    if (strcmp(name, "name") == 0)
        out->text = g->name;
    out->number = (double)(strcmp(name, "most") == 0    ? g->most
                           : strcmp(name, "tile") == 0  ? g->tile
                           : strcmp(name, "frame") == 0 ? g->frame
                                                        : g->when);
    return strcmp(name, "most") == 0 || strcmp(name, "tile") == 0 || strcmp(name, "when") == 0 ||
           strcmp(name, "frame") == 0 || out->text != NULL;
}

/* ---- data ---- */

static fs_status read_tiles(fs_show *s, size_t i, const char *file, const char *first, tiles *t,
                            fs_error *err) {
    const fs_csv *table = fs_show_table_of(s, i, file, err);
    if (table == NULL)
        return err->status;
    t->matrix = fs_csv_matrix(table, first, &t->columns, err);
    const bool links = t->matrix != NULL && fs_csv_has(table, "link");
    t->tile = t->matrix == NULL ? NULL : fs_csv_ints(table, links ? "link" : "tile", err);
    t->name = t->tile == NULL || !links ? NULL : fs_csv_words(table, "name", err);
    const int64_t *frame = t->name == NULL ? NULL : fs_csv_ints(table, "frame", err);
    t->frame = frame != NULL && fs_csv_rows(table) > 0 && frame[0] > 0 ? frame[0] : 0;
    if (err->status != FS_OK)
        return err->status;
    t->level = fs_csv_ints(table, "level", err);
    t->role = t->level == NULL ? NULL : fs_csv_words(table, "role", err);
    t->count = t->role == NULL || t->columns == 0 ? 0 : fs_csv_rows(table);
    t->places = err->status == FS_OK ? fs_show_table_of(s, i, "tiles.csv", err) : NULL;
    return err->status;
}

/* Of a level and a role: the highest level first, at a level the last role of the plan first. */
static size_t key_of(fs_show *s, const tiles *t, size_t i) {
    return (size_t)(t->level[i] < 0 ? 0 : t->level[i]) * FS_ROLES + fs_roles_at(s->roles, t->role[i]);
}

static void find_groups(fs_show *s, grid *g, size_t run) {
    const tiles *t = &g->run[run];
    for (size_t i = 0; i < t->count; i++) {
        const size_t key = key_of(s, t, i);
        size_t at = 0;
        while (at < g->groups && g->group[at].key > key)
            at++;
        if (at == g->groups || g->group[at].key != key) {
            if (g->groups == GROUPS)
                continue;
            memmove(g->group + at + 1, g->group + at, (g->groups - at) * sizeof *g->group);
            g->group[at] =
                (group){.key = key, .role = fs_arena_strdup(s->arena, t->role[i]), .level = t->level[i]};
            g->groups++;
        }
        g->group[at].tiles[run]++;
        g->group[at].most =
            g->group[at].tiles[run] > g->group[at].most ? g->group[at].tiles[run] : g->group[at].most;
    }
}

/* Tiles or links of a row. */
static size_t pooled(const grid *g, const group *of) {
    return (of->most - 1) / (g->frame > 0 ? HIGHEST_LINKS : HIGHEST) + 1;
}

static size_t columns_of(const grid *g, size_t run) {
    return g->run[run].columns == 0 ? 0 : (g->run[run].columns - 1) / g->step + 1;
}

/* Iterations or cycles of a column that is not pooled. */
static double each_of(const grid *g) {
    return g->frame > 0 ? (double)g->frame : 1;
}

/* "router 12–15 (level 3)", "tracer 7 (shard 7)". */
static const char *label_row(fs_show *s, const tiles *t, const group *of, const size_t *member,
                             size_t count) {
    const int64_t first = t->tile[member[0]], last = t->tile[member[count - 1]];
    if (t->name != NULL)
        return count == 1
                   ? fs_arena_strdup(s->arena, t->name[member[0]])
                   : fs_arena_printf(s->arena, "%s to %s", t->name[member[0]], t->name[member[count - 1]]);
    const char *words = fs_arena_printf(s->arena, "%s %lld", of->role, (long long)first);
    if (last > first)
        words = fs_arena_printf(s->arena, "%s–%lld", words, (long long)last);
    const char *shard =
        t->places != NULL && (size_t)first < fs_csv_rows(t->places) && fs_csv_has(t->places, "shard")
            ? fs_csv_text(t->places, (size_t)first, "shard")
            : "";
    if (fs_roles_levelled(s->roles, of->role))
        return fs_arena_printf(s->arena, "%s (level %lld)", words, (long long)of->level);
    return last == first && shard[0] >= '0' && shard[0] <= '9'
               ? fs_arena_printf(s->arena, "%s (shard %s)", words, shard)
               : words;
}

/* The most of the members in each pool of columns. */
static void pool_row(grid *g, size_t run, const size_t *member, size_t count, int64_t *line) {
    const tiles *t = &g->run[run];
    for (size_t m = 0; m < count; m++)
        for (size_t k = 0; k < t->columns; k++) {
            const int64_t v = t->matrix[member[m] * t->columns + k];
            line[k / g->step] = v > line[k / g->step] ? v : line[k / g->step];
            if (v > g->most) {
                g->most = v;
                g->tile = t->tile[member[m]];
                g->name = t->name == NULL ? NULL : t->name[member[m]];
                g->when = (int64_t)k;
            }
        }
}

static void note_rows(grid *g, const size_t *member, size_t count, size_t row) {
    for (size_t m = 0; m < count; m++) {
        const int64_t tile = g->run[0].tile[member[m]];
        if (tile >= 0 && (size_t)tile < g->row_ofs)
            g->row_of[tile] = (int64_t)row;
    }
}

static void pool_run(fs_show *s, grid *g, size_t run) {
    const tiles *t = &g->run[run];
    const size_t columns = columns_of(g, run);
    size_t *member = FS_NEW(s->arena, size_t, t->count + 1), row = 0;
    g->values[run] = FS_NEW(s->arena, int64_t, t->count * columns + 1);
    g->label[run] = FS_NEW(s->arena, const char *, t->count + 1);
    for (size_t k = 0; k < g->groups && t->count > 0; k++) {
        group *of = &g->group[k];
        const size_t each = pooled(g, of);
        size_t count = 0;
        for (size_t i = 0; i < t->count; i++)
            if (key_of(s, t, i) == of->key)
                member[count++] = i;
        of->row[run] = row;
        for (size_t i = 0; i < count; i += each, row++) {
            const size_t n = i + each < count ? each : count - i;
            pool_row(g, run, member + i, n, g->values[run] + row * columns);
            if (run == 0)
                note_rows(g, member + i, n, row);
            g->label[run][row] = label_row(s, t, of, member + i, n);
        }
        of->rows[run] = row - of->row[run];
    }
    g->rows[run] = row;
    for (size_t i = 0; i < row * columns && g->linear;
         i++) /* none: grey, which on a logarithmic scale 0 is anyway */
        g->values[run][i] = g->values[run][i] > 0 ? g->values[run][i] : -1;
    g->x[run] = fs_values_steps(s->sheet, 0, (double)g->step * each_of(g), columns);
    g->shown[run] = fs_values_whole(s->sheet, g->values[run], row * columns, 1);
    g->labels[run] = fs_values_words(s->sheet, g->label[run], row);
}

/* Read once: a map of the chip may have asked for it. NULL: an error. */
static grid *read_grid(fs_show *s, const fs_plan_section *section, const fs_plan_panel *panel,
                       fs_error *err) {
    const char *file = fs_show_file(section, panel);
    grid *g = s->grids;
    while (g != NULL && g->panel != panel)
        g = g->next;
    if (g != NULL)
        return g;
    g = FS_NEW(s->arena, grid, 1);
    *g = (grid){.next = s->grids, .panel = panel, .linear = strcmp(panel->form, "linear") == 0};
    for (size_t i = 0; i < s->count; i++) {
        if (read_tiles(s, i, file, panel->columns[0].column, &g->run[i], err))
            return NULL;
        g->columns = g->run[i].columns > g->columns ? g->run[i].columns : g->columns;
        g->frame = g->run[i].frame > 0 ? g->run[i].frame : g->frame;
        find_groups(s, g, i);
    }
    if (g->run[0].places != NULL && g->run[0].name == NULL) {
        g->row_ofs = fs_csv_rows(g->run[0].places);
        g->row_of = FS_NEW(s->arena, int64_t, g->row_ofs + 1);
        memset(g->row_of, -1, g->row_ofs * sizeof *g->row_of);
    }
    g->step = g->columns == 0 ? 1 : (g->columns - 1) / WIDEST + 1;
    for (size_t i = 0; i < s->count; i++) {
        pool_run(s, g, i);
        g->name = g->name == NULL ? NULL : fs_arena_strdup(s->arena, g->name); /* the table goes */
        if (g->run[i].count > 0)
            fs_folder_forget(s->run[i], file);
    }
    s->grids = g;
    return g;
}

/* ---- the chart ---- */

static const char *caption_of(fs_show *s, grid *g) {
    const fs_plan_column *c = &g->panel->columns[0];
    const char *things = g->frame > 0 ? "links" : "tiles", *rows = "", *columns = "";
    size_t each = 1;
    for (size_t k = 0; k < g->groups; k++)
        each = pooled(g, &g->group[k]) > each ? pooled(g, &g->group[k]) : each;
    if (each > 1)
        rows = fs_arena_printf(s->arena, " Each row of a large group: the most of %zu %s.", each, things);
    if (g->step > 1)
        columns = fs_arena_printf(s->arena, " Each column: the most of %zu iterations.", g->step);
    const char *compared = fs_arena_printf(s->arena, "Each row: %s (%s); grey: none. One scale for all runs.",
                                           c->label, c->unit);
    return fs_arena_printf(s->arena, "%s%s%s", fs_show_caption(s, g->panel, know, g, compared), rows,
                           columns);
}

/* The height of a group grows with the root of its tiles, so that one router and a thousand tracers are
 * both seen. */
static double height_of(size_t rows) {
    return rows > 256 ? (double)rows : floor(14 + 13.5 * sqrt((double)rows) + 0.5);
}

/* Rows of a run, in the colours of all. */
static void fill_panel(fs_show *s, const grid *g, fs_panel *panel, size_t run, size_t row, size_t rows) {
    const fs_plan_column *c = &g->panel->columns[0];
    const bool decades = strcmp(g->panel->form, "decades") == 0;
    const double least = g->linear ? 0 : decades && g->most > 1000 ? (double)g->most / 1000 : 1;
    panel->x.high = (double)g->columns * each_of(g);
    panel->colour = (fs_axis){
        .label = g->frame > 0 ? fs_arena_printf(s->arena, "%s in %lld cycles", c->label, (long long)g->frame)
                              : fs_arena_printf(s->arena, "%s, %s", c->label, c->unit),
        .low = least,
        .high = (double)g->most > least ? (double)g->most : 2 * least,
        .log = !g->linear};
    fs_chart_series *one = fs_panel_series(s->sheet, panel, FS_DRAW_MATRIX, c->label, c->unit);
    one->x = g->x[run];
    one->value = g->shown[run];
    one->names = g->labels[run];
    one->cols = columns_of(g, run);
    one->row = row;
    one->rows = rows;
}

static void add_group(fs_show *s, const grid *g, fs_chart *chart, size_t k, size_t run, bool last) {
    const group *of = &g->group[k];
    const char *title =
        fs_roles_group(s->roles, of->role, fs_roles_levelled(s->roles, of->role), of->level, of->tiles[run]);
    fs_panel *panel = fs_chart_panel(s->sheet, chart, s->count > 1 && run > 0 ? s->label[run] : title);
    panel->note = of->tiles[run] > 8
                      ? fs_arena_printf(s->arena, "%s %s", fs_number_grouped((double)of->tiles[run]),
                                        g->frame > 0 ? "links" : "tiles")
                      : NULL;
    if (s->count > 1 && run == 0)
        panel->note = fs_arena_printf(s->arena, "%s%s%s", s->label[run], panel->note == NULL ? "" : ", ",
                                      panel->note == NULL ? "" : panel->note);
    panel->x.label = last ? (g->frame > 0 ? "cycle" : "iteration") : "";
    panel->y.down = true;
    panel->tall = height_of(of->rows[run]);
    fill_panel(s, g, panel, run, of->row[run], of->rows[run]);
}

static void put_grid(fs_show *s, grid *g, const char *title) {
    fs_chart *chart = fs_sheet_chart(s->sheet, g->panel->name, title, caption_of(s, g));
    chart->beside = chart->linked = true;
    size_t end = 0, at = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < g->groups; k++)
            end += g->group[k].rows[i] > 0;
    for (size_t k = 0; k < g->groups; k++)
        for (size_t i = 0; i < s->count; i++)
            if (g->group[k].rows[i] > 0)
                add_group(s, g, chart, k, i, ++at == end);
}

/* ---- on a map of the tiles ---- */

static fs_chart_frames *frames_of(fs_show *s, const grid *g, const fs_show_places *c) {
    int64_t *row = FS_NEW(s->arena, int64_t, c->drawn + 1);
    fs_chart_frames *frames = FS_NEW(s->arena, fs_chart_frames, 1);
    fs_panel *panel = FS_NEW(s->arena, fs_panel, 1);
    for (size_t i = 0; i < c->drawn; i++) {
        const int64_t tile = c->tile[c->tile_of[i]];
        row[i] = tile >= 0 && (size_t)tile < g->row_ofs ? g->row_of[tile] : -1;
    }
    panel->x.label = "iteration";
    fill_panel(s, g, panel, 0, 0, g->rows[0]);
    *frames = (fs_chart_frames){.of = panel, .row = fs_values_whole(s->sheet, row, c->drawn, 1)};
    return frames;
}

fs_status fs_show_frames(fs_show *s, const fs_show_places *places, const fs_chart_frames **to,
                         fs_error *err) {
    *to = NULL;
    for (size_t i = 0; i < s->plan->section_count; i++) {
        const fs_plan_section *section = s->plan->sections[i];
        for (size_t p = 0; p < section->panel_count && strcmp(section->kind, "matrix") == 0; p++) {
            if (!fs_show_shown(s, &section->panels[p]))
                continue;
            const grid *g = read_grid(s, section, &section->panels[p], err);
            if (g == NULL)
                return err->status;
            if (g->groups == 0 || g->row_of == NULL || g->columns < 2)
                continue;
            fs_chart_frames *one = frames_of(s, g, places);
            *to = one;
            to = &one->next;
        }
    }
    return FS_OK;
}

static fs_status put_matrix(fs_show *s, const fs_plan_section *section, fs_error *err) {
    grid *g[FS_PAGE_PANELS];
    const char *first = NULL, *title[FS_PAGE_PANELS];
    size_t count = 0;
    for (size_t p = 0; p < section->panel_count && p < FS_PAGE_PANELS; p++) {
        if (!fs_show_shown(s, &section->panels[p]))
            continue;
        g[count] = read_grid(s, section, &section->panels[p], err);
        if (g[count] == NULL)
            return err->status;
        if (g[count]->groups == 0)
            continue;
        title[count] = fs_show_title(s, &section->panels[p], g[count]->most == 0, know, g[count]);
        first = first == NULL ? title[count] : first;
        count++;
    }
    if (count == 0)
        return FS_OK;
    fs_show_begin(s, section, fs_show_inside(s, first, count));
    for (size_t i = 0; i < s->count; i++)
        if (g[0]->run[i].count == 0)
            fs_sheet_note(s->sheet, "%s has no %s.", s->label[i], fs_show_file(section, g[0]->panel));
    fs_sheet_choice(s->sheet, fs_arena_printf(s->arena, "%s-choice", section->id), "what to show");
    for (size_t i = 0; i < count; i++) {
        fs_sheet_panel(s->sheet, fs_show_label(g[i]->panel));
        put_grid(s, g[i], title[i]);
    }
    fs_sheet_end(s->sheet);
    return FS_OK;
}

const fs_show_kind fs_show_kind_matrix = {"matrix", put_matrix, NULL};
