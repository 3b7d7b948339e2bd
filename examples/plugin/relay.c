/* A workload that foamsim does not have, as a plug-in: numbers that go round.
 *
 *     cc -shared -fPIC $(pkg-config --cflags foamsim-plugin) relay.c -o relay.so
 *     printf 'workload: { kind: relay, tiles: 64, adds: 600 }\n' >relay.yaml
 *     foamsim --plugin ./relay.so run relay.yaml
 *
 * Each of `tiles` tiles adds `adds` numbers, its workers in equal parts, and sends `bytes` to the next one;
 * `rounds` times. A round's compute phase is launch + ceil(adds / workers) x (load, add, store) x workers
 * cycles, launch being vertex_overhead + runall + join of the machine.
 */
#include "models/ipu/tables/chip_run.h"
#include "registry/plugin.h"

/* ---- parameters and figures ---- */

typedef struct relay_params {
    int64_t tiles, adds, bytes, rounds;
} relay_params;

static const fs_param rows[] = {
    FS_PARAM_INT("tiles", relay_params, tiles, NONE, "16", 2, 100000, "tiles in the circle", TRAFFIC),
    FS_PARAM_INT("adds", relay_params, adds, NONE, "600", 1, 1000000, "numbers that a tile adds in a round",
                 TRAFFIC),
    FS_PARAM_INT("bytes", relay_params, bytes, BYTES, "1024 B", 4, 1e6, "that a tile sends on", TRAFFIC),
    FS_PARAM_INT("rounds", relay_params, rounds, NONE, "10", 1, 100000, "times round", TRAFFIC),
};
static const fs_param_table table = FS_PARAM_TABLE(
    "workload/relay", "numbers that are added and sent round a circle of tiles", rows, sizeof(relay_params));

typedef struct figures {
    double round_cycles;
    fs_chip_figures chip;
} figures;

static const fs_stat own_rows[] = {
    FS_STAT_VALUE("relay.round_cycles", figures, round_cycles, .unit = "cycles", .better = FS_BETTER_LESS,
                  .label = "cycles of a round", .place = 1, .doc = "compute, sync and exchange of a round"),
};
static const fs_stat_table own_stats = FS_STAT_TABLE("relay", own_rows);
static const fs_stat_part parts[] = {{.table = &own_stats}, FS_STAT_PART(&fs_chip_stats, figures, chip)};
static const fs_stat_table stats = FS_STAT_PARTS("relay", parts);

/* ---- what a tile does ---- */

static const fs_event events[] = {{.name = "add",
                                   .doc = "a number is loaded, added and stored",
                                   .source = "",
                                   .op = {[FS_OP_LOAD] = 1, [FS_OP_ADD] = 1, [FS_OP_STORE] = 1}}};
static const fs_program adder = {
    .name = "adder", .segments = 1, .events = events, .event_count = 1, .code_bytes = 512};
static const fs_program *const programs[] = {&adder};
static const char *const roles[] = {"spare", "adder"};

typedef struct relay {
    fs_chip_run of;
    const relay_params *params;
    uint32_t *tiles, *bytes; /* [params->tiles] their numbers, and what each sends */
    figures figures;
} relay;

static fs_status compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                         fs_error *err) {
    (void)at;
    (void)err;
    const relay *r = self;
    const uint32_t workers = (uint32_t)r->of.machine->tile.workers, adds = (uint32_t)r->params->adds;
    for (uint32_t t = 0; t < r->params->tiles; t++) {
        uint32_t *counts = fs_device_counts(r->of.device, t);
        for (uint32_t w = 0; w < workers; w++)
            counts[w * fs_program_width(&adder)] = adds / workers + (w < adds % workers);
        fs_device_done(r->of.device, t);
    }
    *active = r->tiles;
    *active_count = (uint32_t)r->params->tiles;
    return FS_OK;
}

static fs_status exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)at;
    (void)err;
    *occupied = ((const relay *)self)->bytes;
    return FS_OK;
}

static fs_status decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    *stop = iteration + 1 == (uint64_t)((const relay *)self)->params->rounds;
    *visit = (fs_host_visit){.visit = false};
    return FS_OK;
}

static const char *role_of(const void *self, uint32_t tile) {
    return roles[((const uint8_t *)self)[tile]];
}

/* ---- a run ---- */

static fs_status elaborate(void *self, fs_error *err) {
    relay *r = self;
    fs_chip_run *of = &r->of;
    fs_arena *arena = of->run.arena;
    of->machine = fs_config_section(of->run.config, "machine");
    r->params = fs_config_section(of->run.config, "workload");
    const uint32_t all = fs_geometry_tiles(&of->machine->geometry), used = (uint32_t)r->params->tiles;
    if (used > all)
        return fs_fail(err, FS_INPUT, "%s: expected at most the machine's %u tiles, found %u",
                       fs_config_where(of->run.config, "workload", "tiles"), all, used);
    fs_transfer *to_next = FS_NEW(arena, fs_transfer, used);
    uint8_t *role = FS_NEW(arena, uint8_t, all);
    r->tiles = FS_NEW(arena, uint32_t, used);
    r->bytes = FS_NEW(arena, uint32_t, used);
    of->ledger = fs_ledger_create(arena, all, &of->machine->memory);
    for (uint32_t t = 0; t < used; t++) {
        role[t] = 1;
        r->tiles[t] = t;
        r->bytes[t] = (uint32_t)(r->params->bytes + 3) / 4 * 4;
        to_next[t] = (fs_transfer){t, (t + 1) % used, r->bytes[t]};
        fs_ledger_add(of->ledger, t, "code and stacks", adder.code_bytes);
        fs_ledger_add(of->ledger, t, "numbers", 2 * (uint64_t)r->bytes[t]);
    }
    if (fs_ledger_check(of->ledger, role_of, role, err))
        return err->status;
    const fs_device_programs runs = {.program = programs, .count = 1, .of_tile = role};
    const fs_device_step step = {
        .name = "add and send", .runs = role, .transfers = to_next, .transfer_count = used};
    of->plan = fs_plan_of_step(arena, all, &runs, &step, 0, &(fs_host_visit){.visit = false});
    of->labels = (fs_books_labels){.roles = roles, .role_count = 2, .role = role};
    return fs_chip_run_make(of, err);
}

static fs_status simulate(void *self, fs_error *err) {
    relay *r = self;
    const fs_device_client client = {.self = r, .compute = compute, .exchange = exchange, .decide = decide};
    if (fs_chip_run_device(&r->of, &client, "rounds", (uint64_t)r->params->rounds, err))
        return err->status;
    const fs_device_figures *device = &r->of.chip.device;
    r->figures =
        (figures){(double)(device->cycles - device->cycles_host) / (double)r->params->rounds, r->of.chip};
    r->of.run.figures = &r->figures;
    fs_run_say(&r->of.run, "%.0f cycles a round", r->figures.round_cycles);
    return FS_OK;
}

static const char *const machines[] = {"ipu", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines}, {.section = "run", .table = &fs_run_table}, {.section = NULL}};
static const fs_workload workload = {.abi = FS_ABI,
                                     .kind = "relay",
                                     .summary = "numbers that go round a circle of tiles",
                                     .rules = {.uses = uses},
                                     .steps = {.size = sizeof(relay),
                                               .elaborate = elaborate,
                                               .simulate = simulate,
                                               .conclude = fs_chip_run_conclude,
                                               .write = fs_chip_run_write,
                                               .trace = fs_chip_run_trace},
                                     .traces = true,
                                     .stats = &stats,
                                     .time = "device.seconds"};
static const fs_plugin_workload workloads[] = {{&workload, &table}, {NULL, NULL}};
FS_PLUGIN(.workloads = workloads);
