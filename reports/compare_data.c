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
    NARROWER_MAP = 280,    /* of three runs and more */
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

FILE *fs_compare_data_file(const fs_comparison_page *p, fs_error *err, const char *format, ...) {
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

fs_status fs_compare_close_data(FILE *file, fs_error *err) {
    bool failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    return failed ? fs_fail(err, FS_IO, "cannot write the data of a picture: is the disk full?") : FS_OK;
}

/* A matrix as gnuplot reads it; cells without a value are NaN. An image needs two rows: a single one stands
 * twice. */
fs_status fs_compare_write_map(FILE *file, const double *value, size_t width, size_t height, fs_error *err) {
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
    return fs_compare_close_data(file, err);
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
double fs_compare_reach(const double *a, const double *b, size_t count) {
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
    FILE *file = fs_compare_data_file(p, err, "%s-%zu.count", fs_measures[measure].column, at);
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
    return fs_compare_close_data(file, err);
}

static fs_status read_pixels(fs_comparison_page *p, fs_error *err) {
    size_t widest = 0;
    const fs_csv *hops[FS_SHOWN] = {NULL};
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->run[i].folder;
        if (!fs_folder_has(folder, "hops.csv"))
            continue;
        hops[i] = fs_folder_table(folder, "hops.csv", err);
        if (hops[i] == NULL || size_of_image(&p->run[i], hops[i], err))
            return err->status;
        p->run[i].pixels = true;
        widest = p->run[i].image_width > widest ? p->run[i].image_width : widest;
    }
    size_t across = p->shown > 2 ? NARROWER_MAP : WIDEST_MAP;
    p->block = widest == 0 ? 1 : (widest + across - 1) / across;
    for (size_t i = 0; i < p->shown; i++) {
        fs_shown_run *r = &p->run[i];
        r->same_pixels = r->pixels && p->run[0].pixels && r->image_width == p->run[0].image_width &&
                         r->image_height == p->run[0].image_height;
        for (size_t m = 0; m < FS_MEASURES && r->pixels; m++)
            if (fill_map(p, r, m, hops[i], err) || write_histogram(p, i, m, hops[i], err))
                return err->status;
        fs_folder_forget(r->folder, "hops.csv");
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
        FILE *file = fs_compare_data_file(p, err, "%s-%zu.map", fs_measures[m].column, i);
        status =
            file == NULL ? err->status : fs_compare_write_map(file, map->value, map->width, map->height, err);
        if (i == 0 || !p->run[i].same_pixels || status)
            continue;
        double *gap = fs_malloc(n * sizeof *gap), here = fs_compare_reach(map->value, base->value, n);
        reach = here > reach ? here : reach;
        for (size_t k = 0; k < n; k++)
            gap[k] = map->value[k] - base->value[k];
        file = fs_compare_data_file(p, err, "%s-%zu-less.map", fs_measures[m].column, i);
        status = file == NULL ? err->status : fs_compare_write_map(file, gap, map->width, map->height, err);
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

/* ---- phases ---- */

/* Each row stands at its left and its right edge, so that areas are steps; long runs are pooled to means. */
static fs_status write_phases(fs_comparison_page *p, size_t at, double *top, fs_error *err) {
    static const char *const names[] = {"compute", "sync", "exchange", "host"};
    fs_shown_run *r = &p->run[at];
    fs_folder *folder = r->folder;
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
    FILE *file = fs_compare_data_file(p, err, "phases-%zu.dat", at);
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
    return fs_compare_close_data(file, err);
}

fs_status fs_compare_write_data(fs_comparison_page *p, fs_error *err) {
    p->settings = fs_compare_data_file(p, err, "run.gp");
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
        status = fs_compare_write_chip(p, err);
    if (status == FS_OK)
        status = fs_compare_write_tiles(p, err);
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
    fs_status closed = fs_compare_close_data(p->settings, err);
    return status ? status : closed;
}
