/* Tables of a run. */
#include "workloads/hierarchy/run.h"

#include "sim/base/arith.h"
#include "sim/results/columns.h"
#include "sim/results/row.h"

#include <stdlib.h>

typedef fs_hierarchy_run O;

/* ---- time.csv: slices of equal length ---- */

/* The start, then the engine's lines in their order. */
static const char *const of_slice[1 + FS_ENGINE_LINES][2] = {
    {"start", "cycles"},
    [1 + FS_ENGINE_LINE_BUSY] = {"busy", "cycles"},
    [1 + FS_ENGINE_LINE_GRANT] = {"grant", "cycles"},
    [1 + FS_ENGINE_LINE_ANSWER] = {"answer", "cycles"},
    [1 + FS_ENGINE_LINE_BUS] = {"bus", "cycles"},
    [1 + FS_ENGINE_LINE_BOX] = {"box", "cycles"},
    [1 + FS_ENGINE_LINE_TRIANGLE] = {"triangle", "cycles"}};

static int64_t slice_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_series *s = ((const O *)self)->engine.series;
    return (int64_t)(which == 0 ? row * s->slice : s->at[which - 1][row]);
}

static fs_status write_time(const O *o, fs_results *results, fs_error *err) {
    return fs_columns_write_integers(results, "time.csv", of_slice, FS_COUNT(of_slice), slice_cell, o,
                                     fs_series_slices(o->engine.series, o->engine.cycles), err);
}

/* ---- stages.csv: a request's cycles ---- */

static const char *stage_name(const void *self, uint64_t row, uint32_t arg) {
    (void)self;
    (void)arg;
    return fs_request_stages[row];
}

static double stage_cycles(const void *self, uint64_t row, uint32_t share) {
    const fs_hierarchy_figures *f = &((const O *)self)->figures;
    return share ? f->stage[row] / f->request_cycles : f->stage[row];
}

static fs_status write_stages(const O *o, fs_results *results, fs_error *err) {
    const fs_column columns[] = {
        {.name = "stage", .unit = "", .word = stage_name},
        {.name = "cycles", .unit = "cycles", .real = stage_cycles, .self = o},
        {.name = "share", .unit = "", .real = stage_cycles, .self = o, .arg = 1},
    };
    return fs_columns_write(results, "stages.csv", columns, FS_COUNT(columns), FS_REQUEST_STAGES, err);
}

/* ---- units.csv: units, and the parts that they share ---- */

enum { SHARED = 6 };

static const fs_part_use *part_of(const fs_engine_results *e, uint64_t row) {
    const fs_part_use *shared[SHARED] = {&e->arbiter,  &e->memory,  &e->box,
                                         &e->triangle, &e->link_in, &e->link_out};
    return row < e->units ? &e->unit[row] : shared[row - e->units];
}

static const char *part_kind(const void *self, uint64_t row, uint32_t arg) {
    static const char *const names[SHARED] = {"arbiter",           "memory bus", "box pipeline",
                                              "triangle pipeline", "link in",    "link out"};
    (void)arg;
    const fs_engine_results *e = &((const O *)self)->engine;
    return row < e->units ? "unit" : names[row - e->units];
}

static const char *const of_part[][2] = {
    {"number", ""}, {"busy", "cycles"}, {"input", "cycles"}, {"output", "cycles"}, {"idle", "cycles"}};

static int64_t part_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_engine_results *e = &((const O *)self)->engine;
    const fs_part_use *u = part_of(e, row);
    const uint64_t values[] = {row < e->units ? row : 0, u->busy, u->input, u->output, u->idle};
    return (int64_t)values[which];
}

static double part_share(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    const fs_part_use *u = part_of(&((const O *)self)->engine, row);
    return (double)u->busy / (double)fs_part_use_sum(u);
}

static fs_status write_units(const O *o, fs_results *results, fs_error *err) {
    fs_column columns[FS_COUNT(of_part) + 2] = {{.name = "part", .unit = "", .word = part_kind, .self = o}};
    *fs_columns_integers(columns + 1, of_part, 0, FS_COUNT(of_part), part_cell, o) =
        (fs_column){.name = "share", .unit = "", .real = part_share, .self = o};
    return fs_columns_write(results, "units.csv", columns, FS_COUNT(columns), o->engine.units + SHARED, err);
}

/* ---- banks.csv ---- */

static const char *const of_bank[][2] = {
    {"bank", ""}, {"hits", "bursts"}, {"misses", "bursts"}, {"conflicts", "bursts"}, {"bursts", "bursts"}};

static int64_t bank_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_dram_bank_use *b = &((const O *)self)->engine.banks[row];
    const uint64_t values[] = {row, b->hits, b->misses, b->conflicts, b->hits + b->misses + b->conflicts};
    return (int64_t)values[which];
}

static fs_status write_banks(const O *o, fs_results *results, fs_error *err) {
    return fs_columns_write_integers(results, "banks.csv", of_bank, FS_COUNT(of_bank), bank_cell, o,
                                     o->engine.bank_count, err);
}

/* ---- resources.csv ---- */

static const char *resource_name(const void *self, uint64_t row, uint32_t arg) {
    (void)self;
    (void)arg;
    return fs_resource_names[row];
}

static int64_t resource_cell(const void *self, uint64_t row, uint32_t available) {
    const fs_resource *r = &((const fs_resource *)self)[row];
    return (int64_t)(available ? r->available : r->used);
}

static double resource_share(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    const fs_resource *r = &((const fs_resource *)self)[row];
    return (double)r->used / (double)r->available;
}

static fs_status write_resources(const O *o, fs_results *results, fs_error *err) {
    fs_resource all[FS_RESOURCE_KINDS];
    fs_resources_of(o->machine, all);
    const fs_column columns[] = {
        {.name = "resource", .unit = "", .word = resource_name},
        {.name = "used", .unit = "", .integer = resource_cell, .self = all},
        {.name = "available", .unit = "", .integer = resource_cell, .self = all, .arg = 1},
        {.name = "share", .unit = "", .real = resource_share, .self = all},
    };
    return fs_columns_write(results, "resources.csv", columns, FS_COUNT(columns), FS_RESOURCE_KINDS, err);
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

static fs_status write_distributions(const O *o, fs_results *results, fs_error *err) {
    fs_row_table t;
    if (fs_distributions_open(&t, results, "", err))
        return err->status;
    fs_distributions_put(&t, "held", o->engine.occupancy, FS_ENGINE_OCCUPANCIES);
    put_of_rays(&t, "requests", &o->work.walks, requests_of);
    put_of_rays(&t, "lost", &o->work.walks, lost_of);
    put_of_rays(&t, "most", &o->work.walks, most_of);
    return fs_row_table_close(&t, err);
}

/* ---- pixels.csv ---- */

static const char *const of_pixel[][2] = {{"x", ""},           {"y", ""},           {"requests", "requests"},
                                          {"lost", "entries"}, {"most", "entries"}, {"wrong", ""}};

typedef struct pixels {
    const O *o;
    uint32_t *ray; /* [width x height] whose pixel it is */
} pixels;

static int64_t pixel_cell(const void *self, uint64_t row, uint32_t which) {
    const pixels *p = self;
    const fs_hierarchy_work *w = &p->o->work;
    const uint32_t ray = p->ray[row];
    const bool checked = w->checked > 0 && ray % w->step == 0;
    const int64_t values[] = {(int64_t)(row % w->width),
                              (int64_t)(row / w->width),
                              (int64_t)requests_of(&w->walks, ray),
                              (int64_t)lost_of(&w->walks, ray),
                              (int64_t)most_of(&w->walks, ray),
                              checked ? !fs_hierarchy_is_right(w, ray / w->step) : -1};
    return values[which];
}

static fs_status write_pixels(const O *o, fs_results *results, fs_error *err) {
    const fs_hierarchy_work *w = &o->work;
    pixels p = {.o = o, .ray = fs_malloc(w->walks.rays * sizeof *p.ray)};
    for (uint32_t r = 0; r < w->walks.rays; r++)
        p.ray[w->given[r]] = r;
    const fs_status status = fs_columns_write_integers(results, "pixels.csv", of_pixel, FS_COUNT(of_pixel),
                                                       pixel_cell, &p, w->walks.rays, err);
    free(p.ray);
    return status;
}

fs_status fs_hierarchy_tables_write(const fs_hierarchy_run *o, fs_results *results, fs_error *err) {
    if (write_time(o, results, err) || write_stages(o, results, err) || write_units(o, results, err) ||
        write_resources(o, results, err) || write_distributions(o, results, err) ||
        (o->engine.banks != NULL && write_banks(o, results, err)) ||
        (o->work.width > 0 && write_pixels(o, results, err)))
        return err->status;
    return FS_OK;
}
