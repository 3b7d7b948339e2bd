/* The tables of a run. */
#include "sim/base/arith.h"
#include "sim/results/row.h"
#include "workloads/pathtrace/run.h"

#include <math.h>

/* Of each batch cycles of a sample, then the same in whole cycles of all samples. */
static void put_batches(const void *run, fs_row_table *table) {
    const fs_pathtrace_run *r = run;
    const double samples = (double)r->setup.fixed.samples;
    for (uint64_t i = 0; i < r->setup.layout.batches; i++) {
        const fs_pathtrace_batch *b = &r->chip.batch[i];
        const double slowest = (double)b->walk / samples;
        FS_ROW(table, i, slowest, b->mean, slowest / b->mean, (uint64_t)(slowest * samples + 0.5),
               (uint64_t)(b->mean * samples + 0.5));
    }
}

static double roof_rate(const fs_pathtrace_run *r, uint64_t samples, bool limit) {
    fs_arena *arena = fs_arena_create();
    const uint64_t batches = r->setup.layout.batches;
    fs_pathtrace_fixed fixed = r->setup.fixed;
    fs_pathtrace_batch *batch = FS_NEW(arena, fs_pathtrace_batch, batches);
    fixed.samples = samples;
    for (uint64_t b = 0; b < batches; b++) {
        batch[b] = r->chip.batch[b];
        batch[b].walk = batch[b].walk * samples / r->setup.fixed.samples;
    }
    fs_pathtrace_frame frame =
        fs_pathtrace_frame_of(&fixed, &r->setup.layout, batch, (fs_pathtrace_free){.streaming = limit});
    fs_arena_free(arena);
    const double cycles = limit ? frame.cycles - frame.upload : frame.cycles;
    return (double)(r->setup.layout.pixels * samples) * r->setup.machine->clock / cycles;
}
/* Rate with 1, 2, 4, ... samples a pixel, and as a share of that with streams for free. */
static void put_roofline(const void *run, fs_row_table *table) {
    const fs_pathtrace_run *r = run;
    enum { MOST_SAMPLES = 1 << 12 };
    for (uint64_t samples = 1; samples <= MOST_SAMPLES; samples *= 2) {
        const double rate = roof_rate(r, samples, false);
        FS_ROW(table, samples, rate, rate / roof_rate(r, samples, true));
    }
}

/* ---- other networks, each in closed form ---- */

static double rate_of(const fs_pathtrace_setup *setup, const fs_pathtrace_batch *batch, int64_t hidden,
                      int64_t layers) {
    fs_arena *arena = fs_arena_create();
    fs_pathtrace_params params = *setup->params;
    fs_pathtrace_setup other;
    fs_error ignored = {.status = FS_OK}; /* it does not fit: no rate */
    double rate = NAN;
    params.nif.hidden = hidden;
    params.nif.layers = layers;
    if (hidden > 4 * params.nif.octaves &&
        fs_pathtrace_setup_make(&other, setup->config, &params, &setup->scene, arena, &ignored) == FS_OK) {
        const fs_pathtrace_frame frame =
            fs_pathtrace_frame_of(&other.fixed, &other.layout, batch, (fs_pathtrace_free){.balance = false});
        const double seconds = frame.cycles / other.machine->clock;
        rate = (double)(other.layout.pixels * (uint64_t)params.samples) / seconds;
    }
    fs_arena_free(arena);
    return rate;
}

/* A row for each width H, with the rate of each depth L, null where some layer does not fit; paths a second as a
 * run of that network has them. Nothing without a network: its walks have no barriers. Nothing where tiles are joined by
 * routers: each of them would take its exchanges flit by flit. */
static void put_networks(const void *run, fs_row_table *table) {
    static const int64_t width[] = {64, 128, 256, 384, 512, 768, 1024};
    const fs_pathtrace_run *r = run;
    const fs_pathtrace_setup *s = &r->setup;
    const fs_pathtrace_batch *batch = r->chip.batch;
    for (size_t h = 0; h < FS_COUNT(width); h++)
        FS_ROW(table, width[h], rate_of(s, batch, width[h], 2), rate_of(s, batch, width[h], 4),
               rate_of(s, batch, width[h], 6), rate_of(s, batch, width[h], 8));
}

fs_status fs_pathtrace_write(void *run, fs_results *results, fs_error *err) {
    static const fs_row_file files[] = {
        {"batches.csv", "batch, slowest cycles, mean cycles, imbalance, slowest_all cycles, mean_all cycles",
         put_batches},
        {"roofline.csv", "samples, rate 1/s, share", put_roofline}};
    static const fs_row_file networks = {
        "networks.csv", "hidden, layers_2 1/s, layers_4 1/s, layers_6 1/s, layers_8 1/s", put_networks};
    const fs_pathtrace_run *r = run;
    return fs_chip_run_write(run, results, err) ||
                   fs_row_files_write(files, FS_COUNT(files), r, results, err) ||
                   (r->setup.params->nif.layers > 0 && r->setup.machine->exchange.kind != FS_FABRIC_NOC &&
                    fs_row_files_write(&networks, 1, r, results, err)) ||
                   fs_pathtrace_picture_write(&r->picture, r->setup.params, results, err)
               ? err->status
               : FS_OK;
}
