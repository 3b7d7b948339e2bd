/* The default prices give the slots column of ipu.md section 8, and the sums that its section 8.2
 * states. */
#include "models/ipu/machine.h"
#include "sim/config/config.h"
#include "workloads/foam/kernels/programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static fs_arena *arena;
static fs_machine_params machine;

static int setup(void **state) {
    (void)state;
    arena = fs_arena_create();
    fs_params_default(arena, &fs_machine_table, &machine);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    fs_arena_free(arena);
    return 0;
}

static fs_priced_program price(const fs_program *program) {
    fs_priced_program priced;
    assert_int_equal(fs_program_price(program, &machine.tile, &priced, NULL), FS_OK);
    return priced;
}

static void tracer_slots(void **state) {
    (void)state;
    fs_priced_program p = price(&fs_tracer_program);
    assert_int_equal(p.slots[FS_TRACER_PROLOGUE], 150 + 3 * 265);
    assert_int_equal(p.slots[FS_TRACER_SLOT], 6);
    assert_int_equal(p.slots[FS_TRACER_PASS], 30);
    assert_int_equal(p.slots[FS_TRACER_PIXEL], 85);
    assert_int_equal(p.slots[FS_TRACER_SETUP], 100);
    assert_int_equal(p.slots[FS_TRACER_CELL], 50);
    assert_int_equal(p.slots[FS_TRACER_FACE], 19);
    assert_int_equal(p.slots[FS_TRACER_FRONT], 22);
    assert_int_equal(p.slots[FS_TRACER_NEAREST], 2);
    assert_int_equal(p.slots[FS_TRACER_CROSS], 75);
    assert_int_equal(p.slots[FS_TRACER_FINISH], 75 + 2 * 5);
    assert_int_equal(p.slots[FS_TRACER_DEPTH], 12);
    assert_int_equal(p.slots[FS_TRACER_WIPE], 10);
}

/* ipu.md 8.1: a cell with 15.2 faces, half of them front-facing, 2.5 new nearest, costs about 506 slots. */
static void a_cell_costs_506_slots(void **state) {
    (void)state;
    fs_priced_program p = price(&fs_tracer_program);
    double slots = p.slots[FS_TRACER_CELL] + 15.2 * p.slots[FS_TRACER_FACE] + 7.6 * p.slots[FS_TRACER_FRONT] +
                   2.5 * p.slots[FS_TRACER_NEAREST];
    assert_true(slots > 0.98 * 506 && slots < 1.02 * 506);
}

static void router_slots(void **state) {
    (void)state;
    fs_priced_program p = price(&fs_router_program);
    assert_int_equal(p.slots[FS_ROUTER_PROLOGUE], 30);
    assert_int_equal(p.slots[FS_ROUTER_COUNT], 20);
    assert_int_equal(p.slots[FS_ROUTER_SKIP_COUNT], 8);
    assert_int_equal(p.slots[FS_ROUTER_SKIP_FORWARD], 8);
    assert_int_equal(p.slots[FS_ROUTER_TOTALS], 260);
    assert_int_equal(p.slots[FS_ROUTER_OFFSETS], 1200);
    assert_int_equal(p.slots[FS_ROUTER_FORWARD], 45);
    assert_int_equal(p.slots[FS_ROUTER_SPILL], 25);
    assert_int_equal(p.slots[FS_ROUTER_WIPE], 10);
    assert_int_equal(p.slots[FS_ROUTER_STATISTICS], 22);
    assert_int_equal(p.barrier_slots, 21);
}

/* ipu.md 8.2: tile cycles for N rays = 10.4 k + 197 N + 60 wiped (its fixed part within 5 %: how often a
 * barrier is polled is an estimate there). On paper: (30 + 21) + (20 n + 21) + (260 + 1200 + 21) + (45 n +
 * 21) + (117 + 22 N + 10 wiped) slots with n = N / 6 rays for each worker, times six, plus launch. */
static void router_barriers_add_up(void **state) {
    (void)state;
    fs_priced_program p = price(&fs_router_program);
    enum { RAYS = 600, WIPED = 50 };
    uint32_t counts[FS_MAX_WORKERS][FS_MAX_EVENTS] = {0};
    for (int w = 0; w < 6; w++)
        counts[w][FS_ROUTER_COUNT] = counts[w][FS_ROUTER_FORWARD] = RAYS / 6;
    counts[0][FS_ROUTER_STATISTICS] = RAYS;
    counts[0][FS_ROUTER_WIPE] = WIPED;
    fs_tile_times t;
    fs_tile_times_closed(&p, counts[0], &t);
    uint64_t on_paper = 6 * ((30 + 21) + (20 * RAYS / 6 + 21) + (260 + 1200 + 21) + (45 * RAYS / 6 + 21) +
                             (117 + 22 * RAYS + 10 * WIPED)) +
                        p.before + p.after;
    assert_int_equal(t.cycles, on_paper);
    double facts = 10400.0 + 197.0 * RAYS + 60.0 * WIPED;
    assert_true((double)t.cycles > 0.97 * facts && (double)t.cycles < 1.03 * facts);
    /* worker 1 waits while worker 0 writes offsets, and exits at the last barrier */
    assert_int_equal(t.waiting[1], 6 * 1200);
    assert_int_equal(t.idle[1] - t.idle[0], 6 * (117 + 22 * RAYS + 10 * WIPED));
}

static void generator_slots(void **state) {
    (void)state;
    fs_priced_program p = price(&fs_generator_program);
    assert_int_equal(p.workers, 1);
    assert_int_equal(p.slots[FS_GENERATOR_FIXED], 100 + 3 * 265);
    assert_int_equal(p.slots[FS_GENERATOR_BACKLOG], 36);
    assert_int_equal(p.slots[FS_GENERATOR_SPILL], 24);
    assert_int_equal(p.slots[FS_GENERATOR_RAY], 30);
    assert_int_equal(p.slots[FS_GENERATOR_WIPE], 10);
}

/* A router with nine ports (a fat tree's) does 9/5 of a quadtree router's totals and offsets and the same
 * work for a ray; tracers and generator run one program each. */
static void fixed_work_grows_with_the_ports(void **state) {
    (void)state;
    fs_overlay o;
    fs_overlay_begin(&o, 5, 2, arena);
    static const uint8_t roles[5] = {FS_ROLE_TRACER, FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_ROUTER,
                                     FS_ROLE_GENERATOR};
    static uint32_t out_start[6] = {0, 1, 2, 7, 16, 17};
    memcpy(o.role, roles, sizeof roles);
    o.out_start = out_start;
    fs_device_programs p = fs_foam_programs(&o, NULL, arena);
    assert_int_equal(p.count, 4);
    assert_int_equal(p.of_tile[0], p.of_tile[1]);
    assert_int_not_equal(p.of_tile[2], p.of_tile[3]);
    fs_priced_program five = price(p.program[p.of_tile[2] - 1]), nine = price(p.program[p.of_tile[3] - 1]);
    for (int e = 0; e < FS_ROUTER_EVENTS; e++) {
        bool grows = e == FS_ROUTER_TOTALS || e == FS_ROUTER_OFFSETS;
        assert_int_equal(five.slots[e], price(&fs_router_program).slots[e]);
        assert_int_equal(5 * nine.slots[e], (grows ? 9 : 5) * five.slots[e]);
    }
}

static uint64_t cycles_of(const fs_program *program, const uint32_t *counts) {
    const fs_priced_program priced = price(program);
    fs_tile_times times;
    fs_tile_times_closed(&priced, counts, &times);
    return times.cycles;
}

/* Tracers that route: the tracer's events, then the router's, in its segments. */
static void routing_tracers_do_both(void **state) {
    (void)state;
    fs_overlay o;
    fs_overlay_begin(&o, 2, 1, arena);
    o.role[0] = FS_ROLE_TRACER;
    o.route_start[0] = 0;
    static uint32_t out_start[3] = {0, 5, 5}, out_lane[5] = {0, 1, 2, 3, 4};
    static fs_lane lanes[5];
    o.out_start = out_start;
    o.out_lane = out_lane;
    o.lanes = lanes;
    fs_device_programs p = fs_foam_programs(&o, NULL, arena);
    assert_int_equal(p.count, 1);
    fs_priced_program both = price(p.program[0]), tracer = price(&fs_tracer_program),
                      router = price(&fs_router_program);
    for (int e = 0; e < FS_TRACER_EVENTS; e++)
        assert_int_equal(both.slots[e], tracer.slots[e]);
    for (int e = 0; e < FS_ROUTER_EVENTS; e++) {
        assert_int_equal(both.slots[FS_TRACER_EVENTS + e], router.slots[e]);
        assert_int_equal(p.program[0]->events[FS_TRACER_EVENTS + e].segment,
                         fs_router_program.events[e].segment);
    }
    uint64_t launch = both.before + both.after;
    assert_int_equal(cycles_of(p.program[0], NULL) - launch,
                     cycles_of(&fs_tracer_program, NULL) + cycles_of(&fs_router_program, NULL) - 2 * launch);
}

/* A choice among lanes costs each ray of the router 17 slots (three loads, twelve integer operations, two
 * branches), in whatever port it begins; so does it cost each ray of a generator with several lanes. */
static void choices_cost(void **state) {
    (void)state;
    fs_overlay o;
    fs_overlay_begin(&o, 3, 1, arena);
    static uint32_t out_start[4] = {0, 5, 10, 12}, out_lane[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static fs_lane lanes[12];
    lanes[8].choices = 2;
    o.role[0] = o.role[1] = FS_ROLE_ROUTER;
    o.role[2] = FS_ROLE_GENERATOR;
    o.route_start[0] = o.route_start[1] = 0;
    o.out_start = out_start;
    o.out_lane = out_lane;
    o.lanes = lanes;
    fs_device_programs p = fs_foam_programs(&o, NULL, arena);
    assert_int_equal(p.count, 3);
    fs_priced_program plain = price(p.program[p.of_tile[0] - 1]),
                      chooses = price(p.program[p.of_tile[1] - 1]),
                      generator = price(p.program[p.of_tile[2] - 1]), one = price(&fs_generator_program);
    for (int e = 0; e < FS_ROUTER_EVENTS; e++)
        assert_int_equal(chooses.slots[e], plain.slots[e] + (e == FS_ROUTER_COUNT ? 17 : 0));
    for (int e = 0; e < FS_GENERATOR_EVENTS; e++)
        assert_int_equal(generator.slots[e],
                         one.slots[e] + (e >= FS_GENERATOR_BACKLOG && e <= FS_GENERATOR_RAY ? 17 : 0));
}

/* What ifs: hardware takes its cycles for each ray and nothing else; without statistics and fixed cost what
 * is left is the price of the rays. */
static void other_kernels(void **state) {
    (void)state;
    fs_overlay o;
    fs_overlay_begin(&o, 3, 1, arena);
    static const uint8_t roles[3] = {FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_GENERATOR};
    static uint32_t out_start[4] = {0, 1, 6, 7};
    memcpy(o.role, roles, sizeof roles);
    o.out_start = out_start;
    uint32_t counts[FS_MAX_WORKERS][FS_MAX_EVENTS] = {0};
    for (uint32_t w = 0; w < 6; w++)
        counts[w][FS_ROUTER_COUNT] = counts[w][FS_ROUTER_FORWARD] = 10 + w;
    counts[0][FS_ROUTER_STATISTICS] = 75;
    fs_kernel_params k = {.router_statistics = true, .generator_workers = 1, .fixed_cost = true};
    const fs_device_programs plain = fs_foam_programs(&o, &k, arena);
    const uint64_t published = cycles_of(plain.program[1], counts[0]);
    assert_int_equal(published, cycles_of(&fs_router_program, counts[0]));

    k.router_statistics = false;
    fs_device_programs p = fs_foam_programs(&o, &k, arena);
    const fs_priced_program router = price(&fs_router_program);
    assert_int_equal(published - cycles_of(p.program[1], counts[0]),
                     6 * (75 * router.slots[FS_ROUTER_STATISTICS] + router.slots[FS_ROUTER_SUMS]));

    k.fixed_cost = false;
    p = fs_foam_programs(&o, &k, arena);
    for (uint32_t i = 0; i < p.count; i++)
        assert_int_equal(cycles_of(p.program[i], NULL), 0);
    assert_int_equal(cycles_of(p.program[1], counts[0]),
                     6 * 15 * (router.slots[FS_ROUTER_COUNT] + router.slots[FS_ROUTER_FORWARD]));

    k = (fs_kernel_params){
        .router = FS_ROUTER_HARDWARE, .router_cycles = 3, .generator_workers = 4, .fixed_cost = true};
    p = fs_foam_programs(&o, &k, arena);
    assert_int_equal(cycles_of(p.program[1], counts[0]), 3 * 75);
    assert_int_equal(cycles_of(p.program[1], NULL), 0);
    assert_int_equal(price(p.program[2]).workers, 4);
    assert_int_equal(cycles_of(p.program[0], NULL), cycles_of(&fs_tracer_program, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracer_slots),
        cmocka_unit_test(a_cell_costs_506_slots),
        cmocka_unit_test(fixed_work_grows_with_the_ports),
        cmocka_unit_test(choices_cost),
        cmocka_unit_test(routing_tracers_do_both),
        cmocka_unit_test(other_kernels),
        cmocka_unit_test(router_slots),
        cmocka_unit_test(router_barriers_add_up),
        cmocka_unit_test(generator_slots),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
