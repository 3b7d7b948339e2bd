/* What the pictures of tiles draw: the chip, and rays held tile by iteration. */
#include "reports/compare/compare_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 480, /* pooled iterations across */
    MOST_ROWS = 256,    /* pooled tiles of a group */
    MOST_GROUPS = 12,   /* levels of an overlay that are drawn */
};

/* ---- chip ---- */

enum { SUPERTILE_PITCH = 5 }; /* four tiles and a gap */

enum { COLUMN, ROW, SUB, LEVEL, COLUMNS };

/* The columns of tiles.csv; and how many places on the chip there are in each direction. */
static fs_status read_places(const fs_folder *folder, const fs_csv *t, const int64_t **v, int64_t most[3],
                             fs_error *err) {
    static const char *const names[COLUMNS] = {"column", "row", "sub", "level"};
    for (size_t k = 0; k < COLUMNS; k++)
        if ((v[k] = fs_csv_ints(t, names[k], err)) == NULL)
            return err->status;
    for (size_t k = COLUMN; k <= SUB; k++)
        for (size_t i = 0; i < fs_csv_rows(t); i++) {
            if (v[k][i] < 0 || v[k][i] > 1000)
                return fs_fail(err, FS_INPUT, "%s/tiles.csv:%zu: no place on a chip", fs_folder_path(folder),
                               i + 2);
            most[k] = v[k][i] >= most[k] ? v[k][i] + 1 : most[k];
        }
    return FS_OK;
}

static fs_status read_chip(const fs_comparison_page *p, fs_shown_run *r, fs_error *err) {
    if (!fs_folder_has(r->folder, "tiles.csv"))
        return FS_OK;
    const fs_csv *t = fs_folder_table(r->folder, "tiles.csv", err);
    const char *const *role = t == NULL ? NULL : fs_csv_words(t, "role", err);
    const int64_t *v[COLUMNS] = {NULL};
    int64_t most[3] = {0};
    if (role == NULL || read_places(r->folder, t, v, most, err))
        return err->status;
    FS_ASSERT(v[COLUMN] != NULL && v[ROW] != NULL && v[SUB] != NULL, "places that nobody has read");
    size_t n = fs_csv_rows(t);
    if (n == 0 || most[SUB] > SUPERTILE_PITCH - 1) /* another chip than those that can be drawn */
        return FS_OK;
    fs_chip_map *map = &r->chip_map;
    int64_t folds = most[COLUMN] > 1 ? most[COLUMN] / 2 : 1, rows = most[ROW];
    size_t cells = (size_t)((folds * SUPERTILE_PITCH - 1) * (2 * rows + 1));
    map->width = (size_t)(folds * SUPERTILE_PITCH - 1);
    map->height = (size_t)(2 * rows + 1);
    map->tile = FS_NEW(p->c->arena, size_t, cells);
    map->role = role;
    map->level = v[LEVEL];
    double *measured[FS_CHIP_MEASURES] = {NULL};
    for (size_t m = 0; m < p->chips; m++) {
        measured[m] = fs_measured(p->c->arena, t, p->chip[m].column, err);
        map->value[m] = FS_NEW(p->c->arena, double, cells);
        if (err->status != FS_OK)
            return err->status;
        for (size_t i = 0; i < cells; i++)
            map->value[m][i] = NAN;
    }
    for (size_t i = 0; i < n; i++) {
        bool below = v[COLUMN][i] >= folds;
        int64_t fold = below ? most[COLUMN] - 1 - v[COLUMN][i] : v[COLUMN][i];
        size_t x = (size_t)(fold * SUPERTILE_PITCH + (v[SUB][i] & 1) * 2 + (v[SUB][i] >> 1));
        size_t y = (size_t)(below ? rows + 1 + v[ROW][i] : rows - 1 - v[ROW][i]);
        if (x >= map->width || y >= map->height)
            continue;
        map->tile[y * map->width + x] = i + 1;
        for (size_t m = 0; m < p->chips && strcmp(role[i], fs_role_unused) != 0; m++)
            map->value[m][y * map->width + x] = measured[m] == NULL ? 0 : measured[m][i];
    }
    r->chip = true;
    return FS_OK;
}

/* The marks of roles, as labels; a measure's value tells how bright the cell is. */
static fs_status write_marks(fs_comparison_page *p, size_t at, size_t m, fs_error *err) {
    const fs_chip_map *map = &p->run[at].chip_map;
    for (size_t i = 0; i < map->width * map->height; i++) {
        size_t tile = map->tile[i];
        const char *mark =
            tile == 0 ? "" : fs_roles_mark(p->roles, map->role[tile - 1], map->level[tile - 1]);
        if (mark[0] != '\0')
            fs_page_text_print(&p->data, "%zu %zu %s %.4g\n", i % map->width, i / map->width, mark,
                               map->value[m][i]);
    }
    /* Beside the chip, one on a dark and one on a bright cell: gnuplot 5.4 crashes over labels of which none
     * is defined. */
    fs_page_text_print(&p->data, "-9 -9 x 0\n-9 -9 x 1e30\n");
    return fs_page_text_save(&p->data, p->folder, fs_arena_printf(p->c->arena, "%s-%zu", p->chip[m].id, at),
                             "marks", err);
}

/* A tile that only one of the two uses does nothing in the other. */
static fs_status write_chip_difference(fs_comparison_page *p, size_t at, size_t m, double *reach,
                                       fs_error *err) {
    const fs_chip_map *map = &p->run[at].chip_map, *base = &p->run[0].chip_map;
    size_t n = map->width * map->height;
    double *a = FS_NEW(p->c->arena, double, n), *b = FS_NEW(p->c->arena, double, n);
    double *gap = FS_NEW(p->c->arena, double, n);
    for (size_t k = 0; k < n; k++) {
        bool used = !isnan(base->value[m][k]) || !isnan(map->value[m][k]);
        a[k] = isnan(base->value[m][k]) ? 0 : base->value[m][k];
        b[k] = isnan(map->value[m][k]) ? 0 : map->value[m][k];
        gap[k] = used ? b[k] - a[k] : NAN;
    }
    double here = fs_compare_reach(a, b, n);
    *reach = here > *reach ? here : *reach;
    return fs_compare_save_map(p, fs_arena_printf(p->c->arena, "%s-%zu-less", p->chip[m].id, at), gap,
                               map->width, map->height, err);
}

fs_status fs_compare_write_chip(fs_comparison_page *p, fs_error *err) {
    for (size_t i = 0; i < p->shown; i++) {
        fs_shown_run *r = &p->run[i];
        if (read_chip(p, r, err))
            return err->status;
        r->same_chip = r->chip && p->run[0].chip && r->chip_map.width == p->run[0].chip_map.width &&
                       r->chip_map.height == p->run[0].chip_map.height;
    }
    for (size_t m = 0; m < p->chips; m++) {
        double most = 0, reach = 0;
        for (size_t i = 0; i < p->shown; i++) {
            const fs_chip_map *map = &p->run[i].chip_map;
            if (!p->run[i].chip)
                continue;
            for (size_t k = 0; k < map->width * map->height; k++)
                most = map->value[m][k] > most ? map->value[m][k] : most;
            if (fs_compare_save_map(p, fs_arena_printf(p->c->arena, "%s-%zu", p->chip[m].id, i),
                                    map->value[m], map->width, map->height, err) ||
                write_marks(p, i, m, err))
                return err->status;
            if (i > 0 && p->run[i].same_chip && write_chip_difference(p, i, m, &reach, err))
                return err->status;
        }
        p->chip_has[m] = most > 0;
        fs_page_text_print(&p->settings, "%s_high = %.9g; %s_reach = %.9g\n", p->chip[m].id,
                           most > 0 ? most : 1, p->chip[m].id, reach);
    }
    return FS_OK;
}

/* ---- tile by iteration ---- */

/* Groups from the top down: of the last role of the plan first, within one that has levels by level. */
enum { LEVELS = 100000 };

static const int64_t *group_keys(const fs_comparison_page *p, const fs_csv *t, fs_error *err) {
    const int64_t *level = fs_csv_ints(t, "level", err);
    const char *const *role = level == NULL ? NULL : fs_csv_words(t, "role", err);
    if (role == NULL)
        return NULL;
    int64_t *key = FS_NEW(p->c->arena, int64_t, fs_csv_rows(t) + 1);
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        key[i] = (int64_t)fs_roles_at(p->roles, role[i]) * LEVELS +
                 (fs_roles_levelled(p->roles, role[i]) && level[i] > 0 && level[i] < LEVELS ? level[i] : 0);
    return key;
}

typedef struct groups {
    int64_t level[MOST_GROUPS]; /* top first */
    size_t most[MOST_GROUPS];   /* tiles, of the run with the most */
    size_t count;
} groups;

static void add_level(groups *g, int64_t level, size_t tiles) {
    size_t at = 0;
    while (at < g->count && g->level[at] > level)
        at++;
    if (at == g->count || g->level[at] != level) {
        if (g->count == MOST_GROUPS)
            return;
        memmove(&g->level[at + 1], &g->level[at], (g->count - at) * sizeof *g->level);
        memmove(&g->most[at + 1], &g->most[at], (g->count - at) * sizeof *g->most);
        g->level[at] = level;
        g->most[at] = 0;
        g->count++;
    }
    g->most[at] = tiles > g->most[at] ? tiles : g->most[at];
}

static size_t tiles_of(const int64_t *level, size_t rows, int64_t wanted) {
    size_t n = 0;
    for (size_t i = 0; i < rows; i++)
        n += level[i] == wanted;
    return n;
}

/* One group of a run: pooled rows into r->rows.value from row `to` on. */
static size_t pool_group(const fs_comparison_page *p, fs_shown_run *r, const int64_t *level, size_t tiles,
                         int64_t wanted, const int64_t *held, size_t width, size_t every, size_t to) {
    size_t seen = 0, rows = 0;
    for (size_t t = 0; t < tiles; t++) {
        if (level[t] != wanted)
            continue;
        double *row = r->rows.value + (to + seen / every) * r->rows.columns;
        for (size_t i = 0; i < width; i++) {
            double v = (double)held[t * width + i];
            row[i / p->pool] = v > row[i / p->pool] ? v : row[i / p->pool];
        }
        seen++;
        rows = (seen + every - 1) / every;
    }
    return rows;
}

static fs_status write_groups(fs_comparison_page *p, size_t at, const groups *g, double *most,
                              fs_error *err) {
    fs_shown_run *r = &p->run[at];
    for (size_t k = 0; k < g->count; k++) {
        if (r->rows.rows[k] == 0)
            continue;
        double *from = r->rows.value + r->rows.first[k] * r->rows.columns;
        size_t n = r->rows.rows[k] * r->rows.columns;
        double *drawn = fs_malloc(n * sizeof *drawn);
        for (size_t i = 0; i < n; i++) { /* none: grey */
            drawn[i] = from[i] > 0 ? from[i] : NAN;
            *most = from[i] > *most ? from[i] : *most;
        }
        const fs_status status = fs_compare_save_map(p, fs_arena_printf(p->c->arena, "held-%zu-%zu", at, k),
                                                     drawn, r->rows.columns, r->rows.rows[k], err);
        free(drawn);
        if (status)
            return status;
    }
    return FS_OK;
}

fs_status fs_compare_write_tiles(fs_comparison_page *p, fs_error *err) {
    groups g = {.count = 0};
    size_t longest = 0, width[FS_SHOWN] = {0};
    const int64_t *level[FS_SHOWN] = {NULL}, *held[FS_SHOWN] = {NULL};
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->run[i].folder;
        if (p->held_file == NULL || !fs_folder_has(folder, p->held_file))
            continue;
        const fs_csv *t = fs_folder_table(folder, p->held_file, err);
        level[i] = t == NULL ? NULL : group_keys(p, t, err);
        held[i] = level[i] == NULL ? NULL : fs_csv_matrix(t, p->held->columns[0].column, &width[i], err);
        if (held[i] == NULL)
            return err->status;
        size_t rows = fs_csv_rows(t);
        for (size_t k = 0; k < rows; k++)
            if (k == 0 || level[i][k] != level[i][k - 1])
                add_level(&g, level[i][k], tiles_of(level[i], rows, level[i][k]));
        longest = width[i] > longest ? width[i] : longest;
        p->run[i].tiles = rows > 0;
        p->run[i].rows.all_rows = rows;
    }
    p->pool = longest == 0 ? 1 : (longest + MOST_COLUMNS - 1) / MOST_COLUMNS;
    p->groups = g.count;
    p->group_name = FS_NEW(p->c->arena, const char *, g.count + 1);
    double most = 0;
    fs_page_text_print(
        &p->settings,
        "groups = %zu; pool = %zu; longest = %zu\narray group_name[%zu]\narray group_rows[%zu]\n", g.count,
        p->pool, longest, g.count + 1, g.count + 1);
    for (size_t k = 0; k < g.count; k++) {
        const char *role = p->roles->name[(size_t)(g.level[k] / LEVELS)];
        p->group_name[k] =
            fs_roles_group(p->roles, role, fs_roles_levelled(p->roles, role), g.level[k] % LEVELS, g.most[k]);
        fs_page_text_print(&p->settings, "group_name[%zu] = %s; group_rows[%zu] = %zu\n", k + 1,
                           fs_plot_quoted(p->c->arena, p->group_name[k]), k + 1,
                           g.most[k] < MOST_ROWS ? g.most[k] : MOST_ROWS);
    }
    for (size_t i = 0; i < p->shown; i++) {
        fs_shown_run *r = &p->run[i];
        size_t tiles = r->rows.all_rows, to = 0;
        r->rows = (fs_tile_rows){.columns = (width[i] + p->pool - 1) / p->pool,
                                 .first = FS_NEW(p->c->arena, size_t, g.count + 1),
                                 .rows = FS_NEW(p->c->arena, size_t, g.count + 1),
                                 .tiles = FS_NEW(p->c->arena, size_t, g.count + 1)};
        r->rows.value = FS_NEW(p->c->arena, double, (tiles + g.count + 1) * (r->rows.columns + 1));
        for (size_t k = 0; k < g.count && r->tiles; k++) {
            r->rows.first[k] = to;
            r->rows.tiles[k] = tiles_of(level[i], tiles, g.level[k]);
            r->rows.rows[k] = pool_group(p, r, level[i], tiles, g.level[k], held[i], width[i],
                                         (g.most[k] + MOST_ROWS - 1) / MOST_ROWS, to);
            to += r->rows.rows[k];
        }
        r->rows.all_rows = to;
        if (r->tiles && write_groups(p, i, &g, &most, err))
            return err->status;
        if (p->held_file != NULL)
            fs_folder_forget(r->folder, p->held_file);
        for (size_t k = 0; k < g.count; k++)
            fs_page_text_print(&p->settings, "tiles_%zu_%zu = %zu; rows_%zu_%zu = %zu\n", i, k,
                               r->rows.tiles[k], i, k, r->rows.rows[k] == 1 ? 2 : r->rows.rows[k]);
    }
    fs_page_text_print(&p->settings, "held_most = %.9g\n", most > 1 ? most : 2);
    return FS_OK;
}
