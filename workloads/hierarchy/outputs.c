/* Tables of a run. */
#include "workloads/hierarchy/run.h"

#include "sim/base/arith.h"
#include "sim/results/row.h"

#include <stdlib.h>

typedef fs_hierarchy_run O;

/* ---- time.csv: slices of equal length ---- */

static void put_time(const void *run, fs_row_table *t) {
    const O *o = run;
    const fs_series *s = o->engine.series;
    for (uint64_t i = 0, slices = fs_series_slices(s, o->engine.cycles); i < slices; i++)
        FS_ROW(t, i * s->slice, s->at[FS_ENGINE_LINE_BUSY][i], s->at[FS_ENGINE_LINE_GRANT][i],
               s->at[FS_ENGINE_LINE_ANSWER][i], s->at[FS_ENGINE_LINE_BUS][i], s->at[FS_ENGINE_LINE_BOX][i],
               s->at[FS_ENGINE_LINE_TRIANGLE][i]);
}

/* ---- stages.csv: a request's cycles ---- */

static void put_stages(const void *run, fs_row_table *t) {
    const O *o = run;
    for (int i = 0; i < FS_REQUEST_STAGES; i++)
        FS_ROW(t, fs_request_stages[i], o->figures.stage[i], o->figures.stage[i] / o->figures.request_cycles);
}

/* ---- units.csv: units, and the parts that they share ---- */

static void put_part(fs_row_table *t, const char *name, uint32_t number, const fs_part_use *u) {
    FS_ROW(t, name, number, u->busy, u->input, u->output, u->idle,
           (double)u->busy / (double)fs_part_use_sum(u));
}

static void put_units(const void *run, fs_row_table *t) {
    const O *o = run;
    const fs_engine_results *e = &o->engine;
    for (uint32_t u = 0; u < e->units; u++)
        put_part(t, "unit", u, &e->unit[u]);
    put_part(t, "arbiter", 0, &e->arbiter);
    put_part(t, "memory bus", 0, &e->memory);
    put_part(t, "box pipeline", 0, &e->box);
    put_part(t, "triangle pipeline", 0, &e->triangle);
    put_part(t, "link in", 0, &e->link_in);
    put_part(t, "link out", 0, &e->link_out);
}

/* ---- banks.csv ---- */

static void put_banks(const void *run, fs_row_table *t) {
    const O *o = run;
    for (uint32_t i = 0; i < o->engine.bank_count; i++) {
        const fs_dram_bank_use *b = &o->engine.banks[i];
        FS_ROW(t, i, b->hits, b->misses, b->conflicts, b->hits + b->misses + b->conflicts);
    }
}

/* ---- resources.csv ---- */

static void put_resources(const void *run, fs_row_table *t) {
    const O *o = run;
    fs_resource all[FS_RESOURCE_KINDS];
    fs_resources_of(o->machine, all);
    for (int i = 0; i < FS_RESOURCE_KINDS; i++)
        FS_ROW(t, fs_resource_names[i], all[i].used, all[i].available,
               (double)all[i].used / (double)all[i].available);
}

/* ---- distributions.csv ---- */

static void put_of_rays(fs_row_table *t, const char *name, const fs_unit_walks *w,
                        uint64_t (*value)(const fs_unit_walks *w, uint32_t ray)) {
    fs_dist *d = fs_calloc(1, sizeof *d);
    for (uint32_t r = 0; r < w->rays; r++)
        fs_dist_add(d, value(w, r));
    fs_distributions_put(t, name, d->bin, FS_DIST_MAX);
    free(d);
}

static uint64_t requests_of(const fs_unit_walks *w, uint32_t ray) {
    return w->first[ray + 1] - w->first[ray];
}

static uint64_t lost_of(const fs_unit_walks *w, uint32_t ray) {
    return w->end[ray].lost;
}

static uint64_t most_of(const fs_unit_walks *w, uint32_t ray) {
    return w->end[ray].most;
}

static void put_distributions(const void *run, fs_row_table *t) {
    const O *o = run;
    fs_distributions_put(t, "held", o->engine.occupancy, FS_ENGINE_OCCUPANCIES);
    put_of_rays(t, "requests", &o->work.walks, requests_of);
    put_of_rays(t, "lost", &o->work.walks, lost_of);
    put_of_rays(t, "most", &o->work.walks, most_of);
}

/* ---- pixels.csv ---- */

/* wrong: whether the hit is another than the nearest; -1 of rays that were not checked. */
static void put_pixels(const void *run, fs_row_table *t) {
    const O *o = run;
    const fs_hierarchy_work *w = &o->work;
    uint32_t *ray = fs_malloc(w->walks.rays * sizeof *ray); /* [width x height] whose pixel it is */
    for (uint32_t r = 0; r < w->walks.rays; r++)
        ray[w->given[r]] = r;
    for (uint32_t p = 0; p < w->walks.rays; p++) {
        const uint32_t r = ray[p];
        const bool checked = w->checked > 0 && r % w->step == 0;
        FS_ROW(t, p % w->width, p / w->width, requests_of(&w->walks, r), lost_of(&w->walks, r),
               most_of(&w->walks, r), checked ? (int)!fs_hierarchy_is_right(w, r / w->step) : -1);
    }
    free(ray);
}

/* ---- what the engine saw, what there is to see, and where the two differ ---- */

enum { RGB = 3 };
static const uint8_t sky[RGB] = {24, 28, 40};       /* nothing was hit */
static const uint8_t other[RGB] = {220, 60, 40};    /* another triangle than the nearest */
static const uint8_t nothing[RGB] = {250, 200, 40}; /* a miss where a triangle is hit */

static void put(uint8_t *to, const uint8_t from[RGB]) {
    for (int c = 0; c < RGB; c++)
        to[c] = from[c];
}

static void put_shade(uint8_t *to, uint8_t shade) {
    if (shade == 0)
        put(to, sky);
    else
        to[0] = to[1] = to[2] = shade;
}

static fs_status write_seen(const fs_hierarchy_work *w, uint8_t *rgb, fs_results *results, fs_error *err) {
    for (uint32_t r = 0; r < w->walks.rays; r++)
        put_shade(rgb + (size_t)w->given[r] * RGB, w->shade[r]);
    return fs_results_png(results, "image.png", FS_PICTURE_RGB(rgb, w->width, w->height), err);
}

static fs_status write_right(const fs_hierarchy_work *w, uint8_t *rgb, fs_results *results, fs_error *err) {
    for (uint32_t i = 0; i < w->checked; i++)
        put_shade(rgb + (size_t)w->given[(size_t)i * w->step] * RGB, w->right[i]);
    return fs_results_png(results, "reference.png", FS_PICTURE_RGB(rgb, w->width, w->height), err);
}

/* Right hits in the background, half as bright. */
static fs_status write_wrong(const fs_hierarchy_work *w, uint8_t *rgb, fs_results *results, fs_error *err) {
    for (uint32_t i = 0; i < w->checked; i++) {
        const size_t ray = (size_t)i * w->step;
        uint8_t *to = rgb + (size_t)w->given[ray] * RGB;
        put_shade(to, w->right[i]);
        for (int c = 0; c < RGB; c++)
            to[c] = to[c] / 2;
        if (!fs_hierarchy_is_right(w, i))
            put(to, w->walks.end[ray].hit.triangle == FS_UNIT_WALK_MISS ? nothing : other);
    }
    return fs_results_png(results, "wrong.png", FS_PICTURE_RGB(rgb, w->width, w->height), err);
}

static fs_status write_pictures(const fs_hierarchy_work *w, fs_results *results, fs_error *err) {
    if (w->width == 0)
        return FS_OK;
    uint8_t *rgb = fs_calloc((size_t)w->width * w->height, RGB);
    fs_status status = write_seen(w, rgb, results, err);
    if (status == FS_OK && w->checked == w->walks.rays) {
        status = write_right(w, rgb, results, err);
        if (status == FS_OK)
            status = write_wrong(w, rgb, results, err);
    }
    free(rgb);
    return status;
}

fs_status fs_hierarchy_write(void *run, fs_results *results, fs_error *err) {
    static const fs_row_file files[] = {
        {"time.csv",
         "start cycles, busy cycles, grant cycles, answer cycles, bus cycles, box cycles, triangle cycles",
         put_time},
        {"stages.csv", "stage, cycles cycles, share", put_stages},
        {"units.csv", "part, number, busy cycles, input cycles, output cycles, idle cycles, share",
         put_units},
        {"resources.csv", "resource, used, available, share", put_resources},
        {"distributions.csv", "name, value, count", put_distributions}};
    static const fs_row_file banks = {
        "banks.csv", "bank, hits bursts, misses bursts, conflicts bursts, bursts bursts", put_banks};
    static const fs_row_file pixels = {
        "pixels.csv", "x, y, requests requests, lost entries, most entries, wrong", put_pixels};
    const O *o = run;
    if (fs_row_files_write(files, FS_COUNT(files), o, results, err) ||
        (o->engine.banks != NULL && fs_row_files_write(&banks, 1, o, results, err)) ||
        (o->work.width > 0 && fs_row_files_write(&pixels, 1, o, results, err)))
        return err->status;
    return write_pictures(&o->work, results, err);
}
