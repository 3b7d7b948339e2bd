#include "tests/support/chip.h"

/* ipu.md 4, table of X, doubled */
static const int64_t same_half[8] = {-53, -48, -36, -24, -12, 0, 12, 24};
static const int64_t other_half[8] = {-38, -32, -20, -8, 4, 16, 28, 40};

fs_machine_params fs_test_gc200(void) {
    fs_machine_params m = {
        .name = "gc200",
        .clock = 1.33e9,
        .geometry = {.columns = 16, .rows = 23, .tiles_per_supertile = 4},
        .tile = {.workers = 6, .vertex_overhead = 11, .runall = 6, .join = 6, .pairing = 100, .scale = 100},
        .exchange = {.mode = FS_EXCHANGE_STATIC,
                     .bytes_per_cycle = 4,
                     .header = 4,
                     .latency_base = 52,
                     .latency_row = 1,
                     .column_same = {same_half, 8},
                     .column_other = {other_half, 8},
                     .program_overhead = 50},
        .sync = {.base = 76, .skew_row = 1, .skew_column = 4, .external = 600},
        .matrix = {.units = 16, .load_bytes = 16, .kernel = FS_AMP_VERTEX, .panel = 170},
        .host = {.fused = true, .launch = 0.2e-3, .bandwidth = 5.5e9, .programs = 2},
    };
    static const int64_t cost[FS_OP_COUNT] = {
#define X(op, key, slots, pipe, doc, source, confidence) slots,
        FS_OP_TABLE(X)
#undef X
    };
    for (int op = 0; op < FS_OP_COUNT; op++)
        m.tile.cost[op] = cost[op];
    double price = 0; /* all different, so that accounts of energy can't agree by chance */
#define X(key, ...) m.energy.key = 1e-12 * (price += 1.37);
    FS_ENERGY_PRICES(X)
    FS_NETWORK_PRICES(X)
#undef X
    m.energy.leakage = 20e-3;
    return m;
}

fs_machine_params fs_test_small(void) {
    fs_machine_params m = fs_test_gc200();
    m.name = "gc200-small";
    m.geometry = (fs_geometry_params){.columns = 4, .rows = 6, .tiles_per_supertile = 4};
    return m;
}

fs_exchange *fs_test_exchange(fs_arena *arena, const fs_exchange_params *params,
                              const fs_geometry_params *geometry, uint32_t tiles,
                              const fs_transfer *transfers, uint32_t count, fs_error *err) {
    const fs_exchange_lanes lanes = {.transfers = transfers, .count = count};
    return fs_exchange_create(arena, params, geometry, tiles, &lanes, err);
}
