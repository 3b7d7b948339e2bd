/* Energy: prices and their ranges, the known powers and areas, calls counted by hand, ways over the chip, and
 * accounts that agree for both details and any order. */
#include "models/energy/books.h"
#include "models/ipu/power/power.h"
#include "models/ipu/tables/power_tables.h"
#include "sim/config/config.h"
#include "tests/support/chip.h"
#include "tests/support/test.h"

/* A GC200 with the table's prices. */
static fs_machine_params gc200(void) {
    fs_machine_params m = fs_test_gc200();
    fs_machine_params defaults;
    fs_arena *arena = test_arena();
    fs_params_default(arena, &fs_machine_table, &defaults);
    m.energy = defaults.energy;
    m.area = defaults.area;
    m.matrix = defaults.matrix;
    m.memory = defaults.memory;
    return m;
}

/* ---- a chip that runs one program on all tiles ---- */

enum { TILES = 1472, CYCLES = 1000000 };

static const fs_event unit_events[] = {{.name = "product", .doc = "a cycle of the matrix unit", .cycles = 1}};
static const fs_program unit = {
    .name = "unit", .segments = 1, .events = unit_events, .event_count = 1, .free_launch = true};

typedef struct chip {
    fs_device *device;
    bool works;
    uint32_t active[TILES];
} chip;

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *count,
                            fs_error *err) {
    (void)at;
    (void)err;
    chip *c = self;
    for (uint32_t t = 0; t < TILES; t++) {
        fs_device_counts(c->device, t)[0] = CYCLES;
        if (c->works)
            fs_device_multiplied(c->device, t, FS_AMP_F16, 64ull * CYCLES);
        fs_device_done(c->device, t);
        c->active[t] = t;
    }
    *active = c->active;
    *count = TILES;
    return FS_OK;
}

static fs_status once(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)self;
    (void)iteration;
    (void)visit;
    (void)err;
    *stop = true;
    return FS_OK;
}

/* A million cycles on every tile: products at full rate, or hardware that does nothing. */
static fs_power_figures run_chip(const fs_machine_params *m, bool works) {
    fs_arena *arena = test_arena();
    uint8_t *runs = FS_NEW(arena, uint8_t, TILES);
    memset(runs, 1, TILES);
    const fs_program *const programs[] = {&unit};
    const fs_device_step step = {.runs = runs};
    const fs_device_branch branch = {.steps = &step, .step_count = 1};
    const fs_device_stage stage = {&branch, 1};
    const fs_device_plan plan = {
        .tiles = TILES, .program = programs, .programs = 1, .stages = &stage, .stage_count = 1};
    fs_machine_params machine = *m;
    machine.host.launch = 0; /* the visit before is no part of the question */
    chip c = {.works = works};
    fs_error err = {0};
    c.device = fs_device_create(arena, &machine, &plan, FS_DETAIL_PHASE, &err);
    assert_non_null(c.device);
    const fs_device_client client = {.self = &c, .compute = on_compute, .decide = once};
    assert_int_equal(fs_device_replay(c.device, &client, &err), FS_OK);
    const fs_power_figures f = fs_power_figures_of(c.device, &machine, 1);
    return f;
}

static void assert_near(double found, double published, double share) {
    if (found < published * (1 - share) || found > published * (1 + share))
        fail_msg("%g, published %g", found, published);
}

TEST(known_powers) {
    fs_machine_params m = gc200();
    const fs_power_figures full = run_chip(&m, true), idle = run_chip(&m, false);
    assert_near(full.energy.watts, 300, 0.15);
    assert_true(full.energy.watts_low < 300 && full.energy.watts_high > 300);
    assert_near(full.part[FS_ENERGY_MATRIX] / full.energy.joules, 0.6, 0.15);
    assert_near(idle.energy.watts, 48, 0.15);
    assert_near(full.energy.area, 823, 0.15);
    assert_near(full.area[FS_AREA_SRAM] / full.energy.area, 0.5, 0.15);
    assert_near(full.energy.watts_per_mm2, full.energy.watts / full.energy.area, 1e-12);
    assert_true(4 * full.energy.watts > 800 && 4 * full.energy.watts < 1500);
    /* Nothing was fitted on this: the published split of a training step's time, 60 % compute, 30 % exchange
     * and 10 % barriers, at full rates, and four such chips in a machine that trains at 1 kW. */
    const fs_energy_prices price = fs_energy_prices_of(&m.energy, m.clock, FS_PRICE_CENTRAL);
    const double bits = 1472.0 * 4 * 8 * 1.33e9,
                 moving = 1e-18 * bits * ((double)price.wire * 23 + 2 * (double)price.sram_64 / 64),
                 training = 0.6 * full.energy.watts + 0.4 * idle.energy.watts + 0.3 * moving;
    assert_near(4 * training, 1000, 0.15);
    print_message("four chips that train: %.0f W, published 1 kW with the rest of the machine\n",
                  4 * training);
    m.energy.process = FS_PROCESS_N16;
    const fs_power_figures older = run_chip(&m, true);
    assert_near(older.energy.watts / full.energy.watts, 1.5, 0.01);
    assert_true(older.area[FS_AREA_FIXED] == full.area[FS_AREA_FIXED]); /* of its own process */
    assert_true(older.area[FS_AREA_SRAM] > 2 * full.area[FS_AREA_SRAM]);
    assert_true(older.energy.area > 2 * full.energy.area && older.energy.watts_low < older.energy.watts);
    m.energy.process = FS_PROCESS_OTHER; /* no figure rather than a wrong one */
    const fs_power_figures unknown = run_chip(&m, true);
    assert_true(isnan(unknown.energy.joules) && isnan(unknown.energy.area) && isnan(unknown.part[0]));
    m.energy.process = FS_PROCESS_N7;
    m.clock = 1.85e9;
    const double planar = run_chip(&m, true).energy.watts;
    m.energy.supply = FS_SUPPLY_STACKED;
    assert_near(run_chip(&m, true).energy.watts, 360, 0.15);
    assert_true(planar > 1.3 * 360);
}

/* ---- prices ---- */

TEST(voltages) {
    fs_energy_params p = gc200().energy;
    assert_true(fs_energy_voltage(&p, 1.33e9) == 1);
    assert_near(fs_energy_voltage(&p, 2.66e9), 1.5, 1e-12);
    assert_true(fs_energy_voltage(&p, 1e6) == 0.6);
    p.supply = FS_SUPPLY_STACKED;
    assert_near(fs_energy_voltage(&p, 1.85e9), 0.94, 1e-12);
    assert_true(fs_energy_voltage(&p, 1.33e9) < 0.94);
}

TEST(ranges_and_voltage) {
    const fs_energy_params p = gc200().energy;
    const fs_energy_prices low = fs_energy_prices_of(&p, 1.33e9, FS_PRICE_LOW),
                           central = fs_energy_prices_of(&p, 1.33e9, FS_PRICE_CENTRAL),
                           high = fs_energy_prices_of(&p, 1.33e9, FS_PRICE_HIGH),
                           fast = fs_energy_prices_of(&p, 2.66e9, FS_PRICE_CENTRAL);
#define X(key, ...) assert_true(low.key < central.key && central.key < high.key);
    FS_ENERGY_PRICES(X)
#undef X
    assert_int_equal(central.slot, 12000000); /* 12 pJ */
    assert_int_equal(low.slot, 6000000);
    assert_int_equal(fast.slot, 27000000); /* 1.5 squared */
    assert_int_equal(fast.host_bit, central.host_bit);
}

/* ---- a program by hand ---- */

static const fs_event barrier = {.name = "barrier", .doc = "", .op = {[FS_OP_LOAD] = 1}};
static const fs_event hand_events[] = {
    {.name = "start", .doc = "", .op = {[FS_OP_INT] = 2}, .always_each = 1},
    {.name = "item",
     .doc = "",
     .segment = 1,
     .op = {[FS_OP_LOAD64] = 2, [FS_OP_ADD] = 3, [FS_OP_F16X4] = 1}}};
static const fs_program by_hand = {
    .name = "hand", .segments = 2, .events = hand_events, .event_count = 2, .barrier = &barrier};

TEST(a_call_by_hand) {
    const fs_machine_params m = gc200();
    const fs_energy_prices p = fs_energy_prices_of(&m.energy, m.clock, FS_PRICE_CENTRAL);
    fs_priced_program priced;
    fs_program_energy e;
    fs_error err = {0};
    assert_int_equal(fs_program_price(&by_hand, &m.tile, &priced, &err), FS_OK);
    fs_energy_of_program(&priced, &p, &e);
    assert_int_equal(e.call[FS_CALL_ISSUE], 6 * (2 + 1) * p.slot); /* six workers: start, one barrier */
    assert_int_equal(e.call[FS_CALL_ARITHMETIC], 6 * 2 * p.int_op);
    assert_int_equal(e.call[FS_CALL_SRAM], 6 * p.sram_32);
    assert_int_equal(e.event[1][FS_CALL_ISSUE], 6 * p.slot);
    assert_int_equal(e.event[1][FS_CALL_ARITHMETIC], 3 * p.f32_add + 4 * p.f16_op);
    assert_int_equal(e.event[1][FS_CALL_SRAM], 2 * p.sram_64);
}

/* Two calls of three segments: six workers load once at each of two barriers, and issue that, what always
 * begins and the items; an item's two loads of 64 bits are two accesses. */
TEST(ports_by_hand) {
    const fs_machine_params m = gc200();
    fs_program three = by_hand;
    fs_priced_program priced;
    fs_error err = {0};
    three.segments = 3;
    assert_int_equal(fs_program_price(&three, &m.tile, &priced, &err), FS_OK);
    fs_peak_counts c = {0};
    const double items[] = {0, 10};
    fs_peak_count_calls(&c, &priced, &m.tile, 2, items);
    assert_true(c.accesses == 2 * 2 * 6 + 10 * 2);
    assert_true(c.slots == 2 * 6 * (2 + 2) + 10 * 6);
}

/* Per cycle of the matrix unit two loads and a store of 64 bits, and a slot, of 64, 16 or 128 products; a
 * moved byte is read and written, a host's and a streamed byte are 8 bits. */
TEST(flows_by_hand) {
    const fs_machine_params m = gc200();
    const fs_energy_prices p = fs_energy_prices_of(&m.energy, m.clock, FS_PRICE_CENTRAL);
    static const uint64_t cycle[FS_AMP_TYPES] = {[FS_AMP_F16] = 64, [FS_AMP_F32] = 16, [FS_AMP_F8] = 128};
    const uint64_t product[FS_AMP_TYPES] = {
        [FS_AMP_F16] = p.mac_f16, [FS_AMP_F32] = p.mac_f32, [FS_AMP_F8] = p.mac_f8};
    for (int type = 0; type < FS_AMP_TYPES; type++) {
        fs_attojoules part[FS_ENERGY_PHASES][FS_ENERGY_PARTS] = {{0}};
        fs_energy_flow flow = {0};
        flow.macs[type] = 10 * cycle[type];
        fs_energy_price_flow(&p, &flow, part);
        assert_true(part[FS_ENERGY_IN_COMPUTE][FS_ENERGY_SRAM] == 10 * 3 * p.sram_64);
        assert_true(part[FS_ENERGY_IN_COMPUTE][FS_ENERGY_ISSUE] == 10 * p.slot);
        assert_true(part[FS_ENERGY_IN_COMPUTE][FS_ENERGY_MATRIX] == 10 * cycle[type] * product[type]);
    }
    fs_attojoules part[FS_ENERGY_PHASES][FS_ENERGY_PARTS] = {{0}};
    const fs_energy_flow flow = {.moved = {.bytes = 80, .way = 80000}, .barriers = 7, .host = 3, .dram = 5};
    fs_energy_price_flow(&p, &flow, part);
    assert_true(part[FS_ENERGY_IN_EXCHANGE][FS_ENERGY_SRAM] == 2 * 10 * p.sram_64);
    assert_true(part[FS_ENERGY_IN_EXCHANGE][FS_ENERGY_EXCHANGE] == 80 * 8 * p.wire); /* 80 B over 1 mm */
    assert_true(part[FS_ENERGY_IN_SYNC][FS_ENERGY_SYNC] == 7 * p.sync);
    assert_true(part[FS_ENERGY_IN_HOST][FS_ENERGY_HOST] == 24 * p.host_bit);
    assert_true(part[FS_ENERGY_IN_COMPUTE][FS_ENERGY_DRAM] == 40 * p.dram_bit);
}

/* ---- ways ---- */

TEST(ways) {
    const fs_geometry_params g = gc200().geometry;
    double sum = 0;
    uint64_t pairs = 0;
    for (uint32_t a = 0; a < TILES; a += 7)
        for (uint32_t b = 0; b < TILES; b += 11, pairs++) {
            assert_int_equal(fs_exchange_way(&g, a, b), fs_exchange_way(&g, b, a));
            sum += fs_exchange_way(&g, a, b);
        }
    assert_near(sum / (double)pairs, 23000, 0.1);   /* um */
    assert_int_equal(fs_exchange_way(&g, 0, 1), 0); /* a pair at the spine */
    for (uint32_t b = 0; b < TILES; b++) { /* over the spine, from the row at it: two rows and those of b */
        const fs_position from = fs_geometry_position(&g, 0), to = fs_geometry_position(&g, b);
        if (to.half != from.half && to.folded == from.folded)
            assert_int_equal(fs_exchange_way(&g, 0, b), (2 + to.row) * 620);
    }
    assert_int_equal(fs_exchange_span(&g), 23 * 620 + 8 * 3600);
}

RUN_TESTS(NULL, NULL)
