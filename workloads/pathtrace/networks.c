/* Rates over widths and depths, each in closed form. */
#include "workloads/pathtrace/run.h"

#include "sim/results/columns.h"

#include <math.h>

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
        fs_pathtrace_setup_of(&other, setup->config, &params, &setup->scene, arena, &ignored) == FS_OK) {
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

fs_status fs_pathtrace_networks_write(const fs_pathtrace_setup *setup, const fs_pathtrace_batch *batch,
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
