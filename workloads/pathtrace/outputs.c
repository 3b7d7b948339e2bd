/* The tables of a run. */
#include "sim/results/columns.h"
#include "workloads/pathtrace/run.h"

#include <math.h>

static int64_t batch_number(const void *self, uint64_t row, uint32_t arg) {
    (void)self, (void)arg;
    return (int64_t)row;
}
enum { SLOWEST, MEAN, IMBALANCE };
static double batch_value(const void *self, uint64_t row, uint32_t arg) {
    const fs_pathtrace_run *r = self;
    const fs_pathtrace_batch *b = &r->chip.batch[row];
    const double slowest = (double)b->walk / (double)r->setup.fixed.samples;
    return arg == SLOWEST ? slowest : arg == MEAN ? b->mean : slowest / b->mean;
}

/* The same in whole cycles of all samples. */
static int64_t batch_cycles(const void *self, uint64_t row, uint32_t arg) {
    const fs_pathtrace_run *r = self;
    return (int64_t)(batch_value(self, row, arg) * (double)r->setup.fixed.samples + 0.5);
}

static fs_status write_batches(const fs_pathtrace_run *r, fs_results *results, fs_error *err) {
    const fs_column columns[] = {
        {.name = "batch", .integer = batch_number},
        {.name = "slowest", .unit = "cycles", .real = batch_value, .self = r, .arg = SLOWEST},
        {.name = "mean", .unit = "cycles", .real = batch_value, .self = r, .arg = MEAN},
        {.name = "imbalance", .real = batch_value, .self = r, .arg = IMBALANCE},
        {.name = "slowest_all", .unit = "cycles", .integer = batch_cycles, .self = r, .arg = SLOWEST},
        {.name = "mean_all", .unit = "cycles", .integer = batch_cycles, .self = r, .arg = MEAN}};
    return fs_columns_write(results, "batches.csv", columns, sizeof columns / sizeof *columns,
                            r->setup.layout.batches, err);
}

/* Rate with 2^row samples a pixel, and with streams for free. */
enum { ROOF_ROWS = 13 };
static int64_t roof_samples(const void *self, uint64_t row, uint32_t arg) {
    (void)self, (void)arg;
    return (int64_t)1 << row;
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
static double roof_value(const void *self, uint64_t row, uint32_t arg) {
    const uint64_t samples = (uint64_t)1 << row;
    const double rate = roof_rate(self, samples, false);
    return arg == 0 ? rate : rate / roof_rate(self, samples, true);
}

static fs_status write_roofline(const fs_pathtrace_run *r, fs_results *results, fs_error *err) {
    const fs_column columns[] = {{.name = "samples", .integer = roof_samples},
                                 {.name = "rate", .unit = "1/s", .real = roof_value, .self = r, .arg = 0},
                                 {.name = "share", .real = roof_value, .self = r, .arg = 1}};
    return fs_columns_write(results, "roofline.csv", columns, sizeof columns / sizeof *columns, ROOF_ROWS,
                            err);
}

/* ---- other networks, each in closed form ---- */

static const int64_t width[] = {64, 128, 256, 384, 512, 768, 1024}, depth[] = {2, 4, 6, 8};
enum { WIDTHS = sizeof width / sizeof *width, DEPTHS = sizeof depth / sizeof *depth };

typedef struct rates {
    double of[WIDTHS][DEPTHS];
} rates;

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

static int64_t hidden_of(const void *self, uint64_t row, uint32_t arg) {
    (void)self, (void)arg;
    return width[row];
}
static double value_of(const void *self, uint64_t row, uint32_t arg) {
    return ((const rates *)self)->of[row][arg];
}

/* A row for each width H, with the rate of each depth L, null where some layer does not fit; paths a second as a
 * run of that network has them. Nothing without a network: its walks have no barriers. */
static fs_status write_networks(const fs_pathtrace_setup *setup, const fs_pathtrace_batch *batch,
                                fs_results *results, fs_error *err) {
    rates r;
    if (setup->params->nif.layers == 0)
        return FS_OK;
    for (int h = 0; h < WIDTHS; h++)
        for (int l = 0; l < DEPTHS; l++)
            r.of[h][l] = rate_of(setup, batch, width[h], depth[l]);
    const fs_column columns[] = {{.name = "hidden", .integer = hidden_of},
                                 {.name = "layers_2", .unit = "1/s", .real = value_of, .self = &r, .arg = 0},
                                 {.name = "layers_4", .unit = "1/s", .real = value_of, .self = &r, .arg = 1},
                                 {.name = "layers_6", .unit = "1/s", .real = value_of, .self = &r, .arg = 2},
                                 {.name = "layers_8", .unit = "1/s", .real = value_of, .self = &r, .arg = 3}};
    return fs_columns_write(results, "networks.csv", columns, sizeof columns / sizeof *columns, WIDTHS, err);
}

fs_status fs_pathtrace_write(void *run, fs_results *results, fs_error *err) {
    const fs_pathtrace_run *r = run;
    return fs_chip_run_write(run, results, err) || write_batches(r, results, err) ||
                   write_roofline(r, results, err) ||
                   write_networks(&r->setup, r->chip.batch, results, err) ||
                   fs_pathtrace_picture_write(&r->picture, r->setup.params, results, err)
               ? err->status
               : FS_OK;
}
