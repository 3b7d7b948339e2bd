/* What the pictures of a comparison draw: matrices and tables as text, and run.gp with their sizes and the
 * ranges that all runs share. */
#include "reports/compare_page.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDEST_MAP = 400,      /* blocks across a map of pixels */
    MOST_COLUMNS = 480,    /* pooled iterations across */
    MOST_ROWS = 256,       /* pooled tiles of a group */
    MOST_GROUPS = 12,      /* levels of an overlay that are drawn */
    MOST_STEPS = 1200,     /* pooled iterations of a line */
    MOST_PIXELS = 1 << 26, /* a damaged hops.csv, not a frame */
};

const fs_measure fs_measures[FS_MEASURES] = {
    {"waiting", "waiting", "iterations",
     "iterations beyond the shortest way, most of them in front of full lanes"},
    {"alive", "alive", "iterations", "iterations from a ray's birth to its pixel"},
    {"router_visits", "router visits", "visits", "visits at routers before the ray ends"},
    {"tracer_visits", "tracer visits", "visits", "visits at tracers before the ray ends"},
};

/* ---- files ---- */

static FILE *data_file(const fs_comparison_page *p, fs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static FILE *data_file(const fs_comparison_page *p, fs_error *err, const char *format, ...) {
    char name[128], path[4352];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(errno));
    return file;
}

static fs_status close_data(FILE *file, fs_error *err) {
    bool failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    return failed ? fs_fail(err, FS_IO, "cannot write the data of a picture: is the disk full?") : FS_OK;
}

/* A matrix as gnuplot reads it; cells without a value are NaN. An image needs two rows: a single one stands
 * twice. */
static fs_status write_matrix(FILE *file, const double *value, size_t width, size_t height, fs_error *err) {
    for (size_t y = 0; y < height || (height == 1 && y < 2); y++) {
        const double *row = value + (y < height ? y : 0) * width;
        for (size_t x = 0; x < width; x++) {
            if (isnan(row[x]))
                fputs("NaN", file);
            else if (row[x] == floor(row[x]) && fabs(row[x]) < 1e9)
                fprintf(file, "%d", (int)row[x]);
            else
                fprintf(file, "%.6g", row[x]);
            fputc(x + 1 < width ? ' ' : '\n', file);
        }
    }
    return close_data(file, err);
}

static void quoted(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', file);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    }
    fputc('\'', file);
}

/* ---- ranges ---- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that `part` of those that are there do not exceed (nearest rank); `value` is sorted in place. NAN
 * when there is none. */
static double percentile(double *value, size_t count, double part) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(value[i]))
            value[n++] = value[i];
    if (n == 0)
        return NAN;
    qsort(value, n, sizeof *value, by_value);
    size_t rank = (size_t)ceil(part * (double)n);
    return value[rank == 0 ? 0 : rank - 1];
}

/* The greatest size of a difference that a picture tells apart: 99 % of those that are no 0 are smaller. */
static double reach_of(const double *a, const double *b, size_t count) {
    double *gap = fs_malloc((count + 1) * sizeof *gap);
    for (size_t i = 0; i < count; i++)
        gap[i] = a[i] == b[i] ? NAN : fabs(a[i] - b[i]);
    double reach = percentile(gap, count, 0.99);
    free(gap);
    return reach;
}

/* ---- pixels ---- */

static fs_status size_of_image(fs_shown_run *r, const fs_csv *hops, fs_error *err) {
    const int64_t *x = fs_csv_ints(hops, "x", err), *y = x == NULL ? NULL : fs_csv_ints(hops, "y", err);
    if (y == NULL)
        return FS_INPUT;
    int64_t right = -1, bottom = -1;
    for (size_t i = 0; i < fs_csv_rows(hops); i++) {
        right = x[i] > right ? x[i] : right;
        bottom = y[i] > bottom ? y[i] : bottom;
        if (x[i] < 0 || y[i] < 0)
            return fs_fail(err, FS_INPUT, "hops.csv: row %zu: a negative pixel", i + 2);
    }
    if (right < 0 || bottom < 0 || right >= MOST_PIXELS || bottom >= MOST_PIXELS ||
        (right + 1) * (bottom + 1) > MOST_PIXELS)
        return fs_fail(err, FS_INPUT, "hops.csv: %lld x %lld pixels are no frame", (long long)right + 1,
                       (long long)bottom + 1);
    r->image_width = (size_t)right + 1;
    r->image_height = (size_t)bottom + 1;
    return FS_OK;
}

/* Means over blocks of pixels. Unwritten pixels (-1) are left out. */
static fs_status fill_map(const fs_comparison_page *p, fs_shown_run *r, size_t measure, const fs_csv *hops,
                          fs_error *err) {
    const int64_t *x = fs_csv_ints(hops, "x", err), *y = fs_csv_ints(hops, "y", err);
    const int64_t *v = fs_csv_ints(hops, fs_measures[measure].column, err);
    if (v == NULL)
        return FS_INPUT;
    fs_pixel_map *map = &r->measure[measure];
    map->width = (r->image_width + p->block - 1) / p->block;
    map->height = (r->image_height + p->block - 1) / p->block;
    map->value = FS_NEW(p->c->arena, double, map->width * map->height);
    uint32_t *count = fs_calloc(map->width * map->height, sizeof *count);
    for (size_t i = 0; i < fs_csv_rows(hops); i++) {
        size_t at = (size_t)y[i] / p->block * map->width + (size_t)x[i] / p->block;
        if (v[i] < 0)
            continue;
        map->value[at] += (double)v[i];
        count[at]++;
    }
    for (size_t i = 0; i < map->width * map->height; i++)
        map->value[i] = count[i] == 0 ? NAN : map->value[i] / count[i];
    free(count);
    return FS_OK;
}

/* How many pixels have each value: of a measure, for lines over one axis. */
static fs_status write_histogram(const fs_comparison_page *p, size_t at, size_t measure, const fs_csv *hops,
                                 fs_error *err) {
    const int64_t *v = fs_csv_ints(hops, fs_measures[measure].column, err);
    if (v == NULL)
        return FS_INPUT;
    int64_t most = 0;
    for (size_t i = 0; i < fs_csv_rows(hops); i++)
        most = v[i] > most ? v[i] : most;
    if (most > MOST_PIXELS)
        return fs_fail(err, FS_INPUT, "hops.csv: %s of %lld", fs_measures[measure].column, (long long)most);
    uint64_t *count = fs_calloc((size_t)most + 2, sizeof *count), written = 0;
    for (size_t i = 0; i < fs_csv_rows(hops); i++)
        if (v[i] >= 0) {
            count[v[i]]++;
            written++;
        }
    FILE *file = data_file(p, err, "%s-%zu.count", fs_measures[measure].column, at);
    if (file == NULL) {
        free(count);
        return err->status;
    }
    /* Per cent of the pixels that have at least this value. */
    uint64_t left = written;
    for (size_t k = 0; k <= (size_t)most; k++) {
        if (count[k] > 0)
            fprintf(file, "%zu %.6g\n", k, 100.0 * (double)left / (double)written);
        left -= count[k];
    }
    free(count);
    return close_data(file, err);
}

static fs_status read_pixels(fs_comparison_page *p, fs_error *err) {
    size_t widest = 0;
    const fs_csv *hops[FS_SHOWN] = {NULL};
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->c->runs[p->run[i].run].folder;
        if (!fs_folder_has(folder, "hops.csv"))
            continue;
        hops[i] = fs_folder_table(folder, "hops.csv", err);
        if (hops[i] == NULL || size_of_image(&p->run[i], hops[i], err))
            return err->status;
        p->run[i].pixels = true;
        widest = p->run[i].image_width > widest ? p->run[i].image_width : widest;
    }
    p->block = widest == 0 ? 1 : (widest + WIDEST_MAP - 1) / WIDEST_MAP;
    for (size_t i = 0; i < p->shown; i++) {
        fs_shown_run *r = &p->run[i];
        r->same_pixels = r->pixels && p->run[0].pixels && r->image_width == p->run[0].image_width &&
                         r->image_height == p->run[0].image_height;
        for (size_t m = 0; m < FS_MEASURES && r->pixels; m++)
            if (fill_map(p, r, m, hops[i], err) || write_histogram(p, i, m, hops[i], err))
                return err->status;
        fs_folder_forget(p->c->runs[r->run].folder, "hops.csv");
    }
    return FS_OK;
}

static fs_status write_measure(fs_comparison_page *p, size_t m, fs_error *err) {
    size_t room = 0;
    for (size_t i = 0; i < p->shown; i++)
        room += p->run[i].measure[m].width * p->run[i].measure[m].height;
    double *all = fs_malloc((room + 1) * sizeof *all), reach = 0;
    size_t count = 0;
    fs_status status = FS_OK;
    for (size_t i = 0; i < p->shown && status == FS_OK; i++) {
        const fs_pixel_map *map = &p->run[i].measure[m], *base = &p->run[0].measure[m];
        size_t n = map->width * map->height;
        if (n == 0)
            continue;
        memcpy(all + count, map->value, n * sizeof *all);
        count += n;
        FILE *file = data_file(p, err, "%s-%zu.map", fs_measures[m].column, i);
        status = file == NULL ? err->status : write_matrix(file, map->value, map->width, map->height, err);
        if (i == 0 || !p->run[i].same_pixels || status)
            continue;
        double *gap = fs_malloc(n * sizeof *gap), here = reach_of(map->value, base->value, n);
        reach = here > reach ? here : reach;
        for (size_t k = 0; k < n; k++)
            gap[k] = map->value[k] - base->value[k];
        file = data_file(p, err, "%s-%zu-less.map", fs_measures[m].column, i);
        status = file == NULL ? err->status : write_matrix(file, gap, map->width, map->height, err);
        free(gap);
    }
    double low = percentile(all, count, 0), high = percentile(all, count, 0.995);
    low = isnan(low) ? 0 : low;
    high = high > low ? high : low + 1;
    if (strcmp(fs_measures[m].column, "waiting") == 0 || strcmp(fs_measures[m].column, "alive") == 0)
        low = 0;
    fprintf(p->settings, "%s_low = %.9g; %s_high = %.9g; %s_reach = %.9g\n", fs_measures[m].column, low,
            fs_measures[m].column, high, fs_measures[m].column, reach);
    free(all);
    return status;
}

/* ---- chip ---- */

enum { SUPERTILE_PITCH = 5 }; /* four tiles and a gap */

static fs_status read_chip(const fs_comparison_page *p, fs_shown_run *r, fs_error *err) {
    fs_folder *folder = p->c->runs[r->run].folder;
    if (!fs_folder_has(folder, "tiles.csv"))
        return FS_OK;
    const fs_csv *t = fs_folder_table(folder, "tiles.csv", err);
    static const char *const names[] = {"column", "row", "sub", "busy", "waiting", "idle", "level"};
    const int64_t *v[7] = {NULL};
    for (size_t k = 0; k < 7; k++)
        if (t == NULL || (v[k] = fs_csv_ints(t, names[k], err)) == NULL)
            return err->status;
    const char *const *role = fs_csv_words(t, "role", err);
    size_t n = fs_csv_rows(t);
    int64_t columns = 0, rows = 0, subs = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[0][i] < 0 || v[1][i] < 0 || v[2][i] < 0 || v[0][i] > 1000 || v[1][i] > 1000 || v[2][i] > 15)
            return fs_fail(err, FS_INPUT, "%s/tiles.csv:%zu: no place on a chip", fs_folder_path(folder),
                           i + 2);
        columns = v[0][i] >= columns ? v[0][i] + 1 : columns;
        rows = v[1][i] >= rows ? v[1][i] + 1 : rows;
        subs = v[2][i] >= subs ? v[2][i] + 1 : subs;
    }
    if (n == 0 || role == NULL || subs > 4) /* another chip than those that can be drawn */
        return err->status;
    fs_chip_map *map = &r->chip_map;
    int64_t folds = columns > 1 ? columns / 2 : 1;
    map->width = (size_t)(folds * SUPERTILE_PITCH - 1);
    map->height = (size_t)(2 * rows + 1);
    map->value = FS_NEW(p->c->arena, double, map->width * map->height);
    map->tile = FS_NEW(p->c->arena, size_t, map->width * map->height);
    map->role = role;
    map->level = v[6];
    for (size_t i = 0; i < map->width * map->height; i++)
        map->value[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        bool below = v[0][i] >= folds;
        int64_t fold = below ? columns - 1 - v[0][i] : v[0][i];
        size_t x = (size_t)(fold * SUPERTILE_PITCH + (v[2][i] & 1) * 2 + (v[2][i] >> 1));
        size_t y = (size_t)(below ? rows + 1 + v[1][i] : rows - 1 - v[1][i]);
        double total = (double)(v[3][i] + v[4][i] + v[5][i]);
        if (x >= map->width || y >= map->height)
            continue;
        map->tile[y * map->width + x] = i + 1;
        if (strcmp(role[i], "spare") != 0)
            map->value[y * map->width + x] = total > 0 ? 100 * (double)v[3][i] / total : 0;
    }
    r->chip = true;
    return FS_OK;
}

/* The level of each router and G at the generator, as labels. */
static fs_status write_marks(const fs_comparison_page *p, size_t at, fs_error *err) {
    const fs_chip_map *map = &p->run[at].chip_map;
    FILE *file = data_file(p, err, "chip-%zu.marks", at);
    if (file == NULL)
        return err->status;
    for (size_t i = 0; i < map->width * map->height; i++) {
        size_t tile = map->tile[i];
        const char *role = tile == 0 ? "" : map->role[tile - 1];
        if (strcmp(role, "router") == 0)
            fprintf(file, "%zu %zu %lld %.4g\n", i % map->width, i / map->width,
                    (long long)map->level[tile - 1], map->value[i]);
        else if (strcmp(role, "generator") == 0)
            fprintf(file, "%zu %zu G %.4g\n", i % map->width, i / map->width, map->value[i]);
    }
    if (ftell(file) == 0)
        fputs("-9 -9 x 0\n", file); /* gnuplot refuses an empty file */
    return close_data(file, err);
}

static fs_status write_chip(fs_comparison_page *p, fs_error *err) {
    double most = 0, reach = 0;
    for (size_t i = 0; i < p->shown; i++) {
        fs_shown_run *r = &p->run[i];
        if (read_chip(p, r, err))
            return err->status;
        const fs_chip_map *map = &r->chip_map, *base = &p->run[0].chip_map;
        size_t n = map->width * map->height;
        if (!r->chip)
            continue;
        r->same_chip = p->run[0].chip && map->width == base->width && map->height == base->height;
        for (size_t k = 0; k < n; k++)
            most = map->value[k] > most ? map->value[k] : most;
        FILE *file = data_file(p, err, "chip-%zu.map", i);
        if (file == NULL || write_matrix(file, map->value, map->width, map->height, err) ||
            write_marks(p, i, err))
            return err->status;
        if (i == 0 || !r->same_chip)
            continue;
        double *gap = FS_NEW(p->c->arena, double, n);
        for (size_t k = 0; k < n; k++) { /* a tile that only one of the two uses is not busy in the other */
            double a = isnan(base->value[k]) ? 0 : base->value[k],
                   b = isnan(map->value[k]) ? 0 : map->value[k];
            gap[k] = isnan(base->value[k]) && isnan(map->value[k]) ? NAN : b - a;
            reach = fabs(gap[k]) > reach ? fabs(gap[k]) : reach;
        }
        file = data_file(p, err, "chip-%zu-less.map", i);
        if (file == NULL || write_matrix(file, gap, map->width, map->height, err))
            return err->status;
    }
    fprintf(p->settings, "busy_low = 0; busy_high = %.9g; busy_reach = %.9g\n", most > 0 ? most : 1, reach);
    return FS_OK;
}

/* ---- tile by iteration ---- */

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
        FILE *file = data_file(p, err, "held-%zu-%zu.map", at, k);
        fs_status status =
            file == NULL ? err->status : write_matrix(file, drawn, r->rows.columns, r->rows.rows[k], err);
        free(drawn);
        if (status)
            return status;
    }
    return FS_OK;
}

static fs_status write_tiles(fs_comparison_page *p, fs_error *err) {
    groups g = {.count = 0};
    size_t longest = 0, width[FS_SHOWN] = {0};
    const int64_t *level[FS_SHOWN] = {NULL}, *held[FS_SHOWN] = {NULL};
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->c->runs[p->run[i].run].folder;
        if (!fs_folder_has(folder, "occupancy.csv"))
            continue;
        const fs_csv *t = fs_folder_table(folder, "occupancy.csv", err);
        level[i] = t == NULL ? NULL : fs_csv_ints(t, "level", err);
        held[i] = level[i] == NULL ? NULL : fs_csv_matrix(t, "i0", &width[i], err);
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
    fprintf(p->settings,
            "groups = %zu; pool = %zu; longest = %zu\narray group_name[%zu]\narray group_rows[%zu]\n",
            g.count, p->pool, longest, g.count + 1, g.count + 1);
    for (size_t k = 0; k < g.count; k++) {
        p->group_name[k] = g.level[k] == 0 ? "tracers"
                           : k == 0 && g.most[0] == 1 && g.count > 1
                               ? "generator"
                               : fs_arena_printf(p->c->arena, "routers, level %lld", (long long)g.level[k]);
        fprintf(p->settings, "group_name[%zu] = '%s'; group_rows[%zu] = %zu\n", k + 1, p->group_name[k],
                k + 1, g.most[k] < MOST_ROWS ? g.most[k] : MOST_ROWS);
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
        fs_folder_forget(p->c->runs[r->run].folder, "occupancy.csv");
        for (size_t k = 0; k < g.count; k++)
            fprintf(p->settings, "tiles_%zu_%zu = %zu; rows_%zu_%zu = %zu\n", i, k, r->rows.tiles[k], i, k,
                    r->rows.rows[k] == 1 ? 2 : r->rows.rows[k]);
    }
    fprintf(p->settings, "held_most = %.9g\n", most > 1 ? most : 2);
    return FS_OK;
}

/* ---- phases ---- */

/* Each row stands at its left and its right edge, so that areas are steps; long runs are pooled to means. */
static fs_status write_phases(fs_comparison_page *p, size_t at, double *top, fs_error *err) {
    static const char *const names[] = {"compute", "sync", "exchange", "host"};
    fs_shown_run *r = &p->run[at];
    fs_folder *folder = p->c->runs[r->run].folder;
    if (!fs_folder_has(folder, "iterations.csv"))
        return FS_OK;
    const fs_csv *t = fs_folder_table(folder, "iterations.csv", err);
    const int64_t *v[4] = {NULL};
    for (size_t k = 0; k < 4; k++)
        if (t == NULL || (v[k] = fs_csv_ints(t, names[k], err)) == NULL)
            return err->status;
    const char *const *pace = fs_csv_words(t, "pace_role", err);
    if (pace == NULL)
        return err->status;
    size_t n = fs_csv_rows(t), every = n / MOST_STEPS + 1;
    FILE *file = data_file(p, err, "phases-%zu.dat", at);
    if (file == NULL)
        return err->status;
    for (size_t i = 0; i < n; i += every) {
        /* compute by the role that set the pace: tracer, router, generator; then sync, exchange, host */
        double part[6] = {0}, count = 0;
        for (size_t k = i; k < n && k < i + every; k++, count++) {
            part[strcmp(pace[k], "tracer") == 0   ? 0
                 : strcmp(pace[k], "router") == 0 ? 1
                                                  : 2] += (double)v[0][k];
            for (size_t f = 1; f < 4; f++)
                part[2 + f] += (double)v[f][k];
        }
        double device = 0;
        for (size_t f = 0; f < 6; f++) {
            part[f] /= count;
            device += f < 5 ? part[f] : 0;
        }
        *top = device > *top ? device : *top;
        for (size_t edge = 0; edge < 2; edge++) {
            fprintf(file, "%.6g", (double)i - 0.5 + (double)edge * count);
            for (size_t f = 0; f < 6; f++)
                fprintf(file, " %.9g", part[f] / 1e6);
            fputc('\n', file);
        }
    }
    if (n == 0)
        fputs("0 0 0 0 0 0 0\n", file);
    r->phases = true;
    fprintf(p->settings, "iterations_%zu = %zu\n", at, n);
    return close_data(file, err);
}

fs_status fs_compare_write_data(fs_comparison_page *p, fs_error *err) {
    p->settings = data_file(p, err, "run.gp");
    if (p->settings == NULL)
        return err->status;
    fprintf(p->settings,
            "# Sizes, and the ranges that all runs share. Change them and draw again.\nruns = %zu\narray "
            "label[%zu]\n",
            p->shown, p->shown);
    for (size_t i = 0; i < p->shown; i++) {
        fprintf(p->settings, "label[%zu] = ", i + 1);
        quoted(p->settings, p->c->runs[p->run[i].run].label);
        fputc('\n', p->settings);
    }
    fs_status status = read_pixels(p, err);
    for (size_t m = 0; m < FS_MEASURES && status == FS_OK; m++)
        status = write_measure(p, m, err);
    if (status == FS_OK)
        status = write_chip(p, err);
    if (status == FS_OK)
        status = write_tiles(p, err);
    double top = 0;
    for (size_t i = 0; i < p->shown && status == FS_OK; i++)
        status = write_phases(p, i, &top, err);
    fprintf(p->settings, "phases_top = %.9g; block = %zu\n", top > 0 ? 1.05 * top / 1e6 : 1, p->block);
    for (size_t i = 0; i < p->shown; i++) {
        const fs_shown_run *r = &p->run[i];
        fprintf(p->settings,
                "pixels_%zu = %d; same_pixels_%zu = %d; map_width_%zu = %zu; map_height_%zu = %zu; chip_%zu "
                "= %d; "
                "same_chip_%zu = %d; chip_width_%zu = %zu; chip_height_%zu = %zu; held_%zu = %d; phases_%zu "
                "= %d\n",
                i, r->pixels, i, r->same_pixels, i, r->measure[0].width, i, r->measure[0].height, i, r->chip,
                i, r->same_chip, i, r->chip_map.width, i, r->chip_map.height, i, r->tiles, i, r->phases);
    }
    fs_status closed = close_data(p->settings, err);
    return status ? status : closed;
}
