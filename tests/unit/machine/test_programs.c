/* The default prices give the slots column of ipu.md section 8 and the sums that its section 8.2 states; of the
 * dated programs those of compiler.md section 2. */
#include "models/ipu/machine.h"
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/march/march.h"

static fs_machine_params machine;

static int setup(void **state) {
    (void)state;
    fs_params_default(test_arena(), &fs_machine_table, &machine);
    return 0;
}

static fs_priced_program price(const fs_program *program) {
    fs_priced_program priced;
    assert_int_equal(fs_program_price(program, &machine.tile, &priced, NULL), FS_OK);
    return priced;
}

TEST(tracer_slots) {
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
TEST(a_cell_costs_506_slots) {
    fs_priced_program p = price(&fs_tracer_program);
    double slots = p.slots[FS_TRACER_CELL] + 15.2 * p.slots[FS_TRACER_FACE] + 7.6 * p.slots[FS_TRACER_FRONT] +
                   2.5 * p.slots[FS_TRACER_NEAREST];
    assert_true(slots > 0.98 * 506 && slots < 1.02 * 506);
}

TEST(router_slots) {
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
TEST(router_barriers_add_up) {
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

TEST(generator_slots) {
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
TEST(fixed_work_grows_with_the_ports) {
    fs_overlay o;
    fs_overlay_begin(&o, 5, 2, test_arena());
    static const uint8_t roles[5] = {FS_ROLE_TRACER, FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_ROUTER,
                                     FS_ROLE_GENERATOR};
    static uint32_t out_start[6] = {0, 1, 2, 7, 16, 17};
    memcpy(o.role, roles, sizeof roles);
    o.out_start = out_start;
    fs_device_programs p = fs_foam_programs(&o, NULL, test_arena());
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
TEST(routing_tracers_do_both) {
    fs_overlay o;
    fs_overlay_begin(&o, 2, 1, test_arena());
    o.role[0] = FS_ROLE_TRACER;
    o.route_start[0] = 0;
    static uint32_t out_start[3] = {0, 5, 5}, out_lane[5] = {0, 1, 2, 3, 4};
    static fs_lane lanes[5];
    o.out_start = out_start;
    o.out_lane = out_lane;
    o.lanes = lanes;
    fs_device_programs p = fs_foam_programs(&o, NULL, test_arena());
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
TEST(choices_cost) {
    fs_overlay o;
    fs_overlay_begin(&o, 3, 1, test_arena());
    static uint32_t out_start[4] = {0, 5, 10, 12}, out_lane[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static fs_lane lanes[12];
    lanes[8].choices = 2;
    o.role[0] = o.role[1] = FS_ROLE_ROUTER;
    o.role[2] = FS_ROLE_GENERATOR;
    o.route_start[0] = o.route_start[1] = 0;
    o.out_start = out_start;
    o.out_lane = out_lane;
    o.lanes = lanes;
    fs_device_programs p = fs_foam_programs(&o, NULL, test_arena());
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
TEST(other_kernels) {
    fs_overlay o;
    fs_overlay_begin(&o, 3, 1, test_arena());
    static const uint8_t roles[3] = {FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_GENERATOR};
    static uint32_t out_start[4] = {0, 1, 6, 7};
    memcpy(o.role, roles, sizeof roles);
    o.out_start = out_start;
    uint32_t counts[FS_MAX_WORKERS][FS_MAX_EVENTS] = {0};
    for (uint32_t w = 0; w < 6; w++)
        counts[w][FS_ROUTER_COUNT] = counts[w][FS_ROUTER_FORWARD] = 10 + w;
    counts[0][FS_ROUTER_STATISTICS] = 75;
    fs_kernel_params k = {.router_statistics = true, .generator_workers = 1, .fixed_cost = true};
    const fs_device_programs plain = fs_foam_programs(&o, &k, test_arena());
    const uint64_t published = cycles_of(plain.program[1], counts[0]);
    assert_int_equal(published, cycles_of(&fs_router_program, counts[0]));

    k.router_statistics = false;
    fs_device_programs p = fs_foam_programs(&o, &k, test_arena());
    const fs_priced_program router = price(&fs_router_program);
    assert_int_equal(published - cycles_of(p.program[1], counts[0]),
                     6 * (75 * router.slots[FS_ROUTER_STATISTICS] + router.slots[FS_ROUTER_SUMS]));

    k.fixed_cost = false;
    p = fs_foam_programs(&o, &k, test_arena());
    for (uint32_t i = 0; i < p.count; i++)
        assert_int_equal(cycles_of(p.program[i], NULL), 0);
    assert_int_equal(cycles_of(p.program[1], counts[0]),
                     6 * 15 * (router.slots[FS_ROUTER_COUNT] + router.slots[FS_ROUTER_FORWARD]));

    k = (fs_kernel_params){
        .router = FS_ROUTER_HARDWARE, .router_cycles = 3, .generator_workers = 4, .fixed_cost = true};
    p = fs_foam_programs(&o, &k, test_arena());
    assert_int_equal(cycles_of(p.program[1], counts[0]), 3 * 75);
    assert_int_equal(cycles_of(p.program[1], NULL), 0);
    assert_int_equal(price(p.program[2]).workers, 4);
    assert_int_equal(cycles_of(p.program[0], NULL), cycles_of(&fs_tracer_program, NULL));
}

/* ---- colours by direction: compiler.md 4 ---- */

/* Slots of a cell that loads its coefficients and, more than without, of a visit's set-up; by degree. */
TEST(harmonics_slots) {
    static const struct {
        int64_t store;
        bool pairs;
        uint32_t cell[3], visit[3];
    } cases[] = {
        {FS_MARCH_F32, false, {18, 48, 90}, {6, 22, 52}},   {FS_MARCH_F32, true, {9, 24, 45}, {6, 22, 52}},
        {FS_MARCH_F16, false, {27, 72, 135}, {6, 22, 52}},  {FS_MARCH_F16, true, {14, 20, 32}, {6, 22, 52}},
        {FS_MARCH_U8, true, {27, 72, 135}, {42, 118, 232}},
    };
    const fs_priced_program plain = price(&fs_tracer_program);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int degree = 1; degree <= 3; degree++)
            for (int routes = 0; routes < 2; routes++) {
                fs_overlay o;
                fs_overlay_begin(&o, 1, 1, test_arena());
                static uint32_t out_start[2] = {0, 5}, out_lane[5] = {0, 1, 2, 3, 4};
                static fs_lane lanes[5];
                o.role[0] = FS_ROLE_TRACER;
                o.route_start[0] = routes ? 0 : -1;
                o.out_start = out_start;
                o.out_lane = out_lane;
                o.lanes = lanes;
                const fs_kernel_params k = {.router_statistics = true,
                                            .generator_workers = 1,
                                            .fixed_cost = true,
                                            .float_pairs = cases[c].pairs,
                                            .harmonics = degree,
                                            .store = cases[c].store};
                const fs_device_programs p = fs_foam_programs(&o, &k, test_arena());
                const fs_priced_program with = price(p.program[0]);
                assert_int_equal(with.slots[fs_tracer_lit_event(routes)], cases[c].cell[degree - 1] + 9);
                assert_int_equal(with.slots[FS_TRACER_SETUP],
                                 plain.slots[FS_TRACER_SETUP] + cases[c].visit[degree - 1]);
                for (int e = 0; e < FS_TRACER_WIPE; e++)
                    assert_true(e == FS_TRACER_SETUP || with.slots[e] == plain.slots[e]);
            }
}

/* ---- the dated programs: compiler.md 2 ---- */

static const fs_role roles[3] = {FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_GENERATOR};

/* A tracer, a router of five ports and a generator, as dated programs. */
static void compile(fs_kernel_params kernels, fs_priced_program out[3]) {
    fs_overlay o;
    fs_overlay_begin(&o, 3, 1, test_arena());
    static uint32_t out_start[4] = {0, 1, 6, 7};
    for (int t = 0; t < 3; t++)
        o.role[t] = (uint8_t)roles[t];
    o.out_start = out_start;
    kernels.router_statistics = kernels.fixed_cost = true;
    kernels.generator_workers = 1;
    const fs_device_programs p = fs_foam_programs(&o, &kernels, test_arena());
    for (int t = 0; t < 3; t++)
        out[t] = price(p.program[p.of_tile[t] - 1]);
}

enum { TRACER, ROUTER, GENERATOR, BARRIER };
typedef struct bounds {
    uint32_t best, lower, upper;
} bounds;
static const struct {
    int program, event;
    bounds a, b;
} facts[] = {
    {TRACER, FS_TRACER_PROLOGUE, {120, 95, 150}, {120, 95, 150}},
    {TRACER, FS_TRACER_SLOT, {12, 10, 14}, {12, 10, 14}},
    {TRACER, FS_TRACER_PASS, {20, 18, 24}, {29, 26, 34}},
    {TRACER, FS_TRACER_PIXEL, {130, 110, 145}, {141, 120, 160}},
    {TRACER, FS_TRACER_SETUP, {101, 85, 120}, {113, 95, 135}},
    {TRACER, FS_TRACER_CELL, {62, 54, 70}, {68, 60, 76}},
    {TRACER, FS_TRACER_FACE, {26, 22, 30}, {26, 22, 30}},
    {TRACER, FS_TRACER_FRONT, {26, 23, 29}, {26, 23, 29}},
    {TRACER, FS_TRACER_NEAREST, {1, 1, 1}, {1, 1, 1}},
    {TRACER, FS_TRACER_DEPTH, {0, 0, 0}, {32, 28, 45}},
    {TRACER, FS_TRACER_CROSS, {73, 66, 80}, {83, 75, 95}},
    {TRACER, FS_TRACER_FINISH, {80, 72, 88}, {88, 80, 100}},
    {TRACER, FS_TRACER_WIPE, {19, 16, 22}, {19, 16, 22}},
    {ROUTER, FS_ROUTER_PROLOGUE, {70, 55, 85}, {70, 55, 85}},
    {ROUTER, FS_ROUTER_COUNT, {19, 16, 22}, {19, 16, 22}},
    {ROUTER, FS_ROUTER_SKIP_COUNT, {9, 9, 9}, {9, 9, 9}},
    {ROUTER, FS_ROUTER_TOTALS, {170, 140, 240}, {170, 140, 240}},
    {ROUTER, FS_ROUTER_OFFSETS, {620, 500, 850}, {620, 500, 850}},
    {ROUTER, FS_ROUTER_FORWARD, {49, 44, 58}, {47, 42, 55}},
    {ROUTER, FS_ROUTER_SPILL, {20, 20, 20}, {20, 20, 20}},
    {ROUTER, FS_ROUTER_SKIP_FORWARD, {9, 9, 9}, {9, 9, 9}},
    {ROUTER, FS_ROUTER_WIPE, {18, 16, 21}, {18, 16, 21}},
    {ROUTER, FS_ROUTER_STATISTICS, {19, 17, 22}, {19, 17, 22}},
    {ROUTER, FS_ROUTER_SUMS, {160, 130, 190}, {160, 130, 190}},
    {GENERATOR, FS_GENERATOR_FIXED, {205, 170, 260}, {160, 130, 220}},
    {GENERATOR, FS_GENERATOR_BACKLOG, {62, 50, 72}, {60, 48, 70}},
    {GENERATOR, FS_GENERATOR_SPILL, {60, 50, 72}, {58, 48, 70}},
    {GENERATOR, FS_GENERATOR_RAY, {169, 70, 205}, {157, 66, 190}},
    {GENERATOR, FS_GENERATOR_WIPE, {18, 16, 21}, {18, 16, 21}},
    {BARRIER, 0, {18, 13, 21}, {18, 13, 21}},
};
static const struct {
    int event;
    bounds a, b;
} in_pairs[] = {
    {FS_TRACER_SETUP, {93, 78, 112}, {105, 88, 127}},
    {FS_TRACER_CELL, {61, 53, 69}, {67, 59, 75}},
    {FS_TRACER_FACE, {24, 20, 28}, {24, 20, 28}},
    {FS_TRACER_FRONT, {22, 19, 26}, {22, 19, 26}},
};
static uint32_t bound_of(bounds of, int64_t which) {
    return which == FS_COMPILED_BEST ? of.best : which == FS_COMPILED_LOWER ? of.lower : of.upper;
}

/* Every event at every bound, in both programs: and no more pairs than there are operations of each pipe. */
TEST(dated_slots) {
    for (int64_t v = FS_VERSION_2025_09_02; v <= FS_VERSION_2025_09_11; v++)
        for (int64_t c = 0; c < FS_COMPILED_COUNT; c++) {
            const fs_kernel_params one_by_one = {.version = v, .compiled = c},
                                   pairs = {.version = v, .compiled = c, .float_pairs = true};
            const bool a = v == FS_VERSION_2025_09_02;
            fs_priced_program p[3], x[3];
            compile(one_by_one, p);
            compile(pairs, x);
            assert_int_equal(sizeof facts / sizeof *facts,
                             FS_TRACER_EVENTS + (int)FS_ROUTER_EVENTS + (int)FS_GENERATOR_EVENTS + 1);
            for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
                const uint32_t want = bound_of(a ? facts[i].a : facts[i].b, c);
                const bool barrier = facts[i].program == BARRIER;
                assert_int_equal(
                    barrier ? p[ROUTER].barrier_slots : p[facts[i].program].slots[facts[i].event], want);
                if (!barrier && facts[i].program != TRACER)
                    assert_int_equal(x[facts[i].program].slots[facts[i].event], want);
            }
            for (int e = 0; e < FS_TRACER_EVENTS; e++) {
                uint32_t want = p[TRACER].slots[e];
                for (size_t i = 0; i < sizeof in_pairs / sizeof *in_pairs; i++)
                    if (in_pairs[i].event == e)
                        want = bound_of(a ? in_pairs[i].a : in_pairs[i].b, c);
                assert_int_equal(x[TRACER].slots[e], want);
            }
            machine.tile.dual_issue = FS_DUAL_FULL;
            compile(pairs, p);
            machine.tile.dual_issue = FS_DUAL_COUNTED;
            for (int t = 0; t < 3; t++)
                for (uint32_t e = 0; e < p[t].program->event_count; e++)
                    assert_true(p[t].slots[e] <= x[t].slots[e]);
        }
}

/* Slot to crossing: 4 cells of 15.2 faces, half of them in front and 2.5 nearer. */
TEST(a_dated_visit) {
    static const double want[2][2] = {{2815, 2560}, {2861, 2606}};
    for (int version = 0; version < 2; version++)
        for (int pairs = 0; pairs < 2; pairs++) {
            fs_priced_program p[3];
            compile((fs_kernel_params){.version = FS_VERSION_2025_09_02 + version, .float_pairs = pairs}, p);
            const uint32_t *s = p[TRACER].slots;
            const double slots = s[FS_TRACER_SLOT] + s[FS_TRACER_SETUP] + s[FS_TRACER_CROSS] +
                                 4 * (s[FS_TRACER_CELL] + 15.2 * s[FS_TRACER_FACE] +
                                      7.6 * s[FS_TRACER_FRONT] + 2.5 * s[FS_TRACER_NEAREST]);
            assert_true(fabs(slots - want[version][pairs]) < 0.5);
        }
}

/* A router of N rays takes about 6.8 k + 181 N cycles and 108 for a wiped slot; 640 new rays take the generator
 * 121 k cycles as counted, 604 k in B; 66 slots each where the library's bytes promise words. */
TEST(dated_routers_and_generators) {
    for (int64_t version = FS_VERSION_COUNTED; version <= FS_VERSION_2025_09_11; version++) {
        fs_priced_program p[3];
        compile((fs_kernel_params){.version = version}, p);
        for (uint32_t rays = 0; rays <= 6000 && version != FS_VERSION_COUNTED; rays += 600) {
            uint32_t counts[FS_MAX_WORKERS][FS_MAX_EVENTS] = {0};
            for (int w = 0; w < 6; w++)
                counts[w][FS_ROUTER_COUNT] = counts[w][FS_ROUTER_FORWARD] = rays / 6;
            counts[0][FS_ROUTER_STATISTICS] = rays;
            const uint64_t cycles = cycles_of(p[ROUTER].program, counts[0]);
            const double on_paper = 6800 + 181.0 * rays;
            assert_true((double)cycles > 0.965 * on_paper && (double)cycles < 1.035 * on_paper);
            counts[0][FS_ROUTER_WIPE] = 50;
            assert_int_equal(cycles_of(p[ROUTER].program, counts[0]), cycles + 50 * 108);
        }
        uint32_t counts[FS_MAX_EVENTS] = {[FS_GENERATOR_RAY] = 640};
        static const double want[] = {121e3, 650e3, 604e3};
        const double cycles = (double)cycles_of(p[GENERATOR].program, counts);
        assert_true(fabs(cycles - want[version]) < 0.5e3);
    }
}

/* Prices of the machine move compiled events as they move counted ones: a division of one slot saves two in
 * each of a cell's three and in a front face's; a half store that is native saves four in each; a library that
 * copies byte by byte takes 400 slots. */
TEST(prices_move_dated_events) {
    fs_priced_program p[3], q[3];
    fs_kernel_params k = {.version = FS_VERSION_2025_09_11, .float_pairs = true};
    compile(k, p);
    machine.tile.cost[FS_OP_DIV] = machine.tile.cost[FS_OP_STORE_HALF] = 1;
    compile(k, q);
    machine.tile.cost[FS_OP_DIV] = 3;
    machine.tile.cost[FS_OP_STORE_HALF] = 5;
    assert_int_equal(p[TRACER].slots[FS_TRACER_CELL] - q[TRACER].slots[FS_TRACER_CELL], 6);
    assert_int_equal(p[TRACER].slots[FS_TRACER_FRONT] - q[TRACER].slots[FS_TRACER_FRONT], 2);
    assert_int_equal(p[TRACER].slots[FS_TRACER_CROSS] - q[TRACER].slots[FS_TRACER_CROSS], 6 * 4);
    assert_int_equal(p[TRACER].slots[FS_TRACER_FACE], q[TRACER].slots[FS_TRACER_FACE]);
    k.generator_copies = FS_COPIES_BYTES;
    compile(k, q);
    assert_int_equal(q[GENERATOR].slots[FS_GENERATOR_BACKLOG], 400);
    assert_int_equal(q[GENERATOR].slots[FS_GENERATOR_SPILL], 400);
    assert_int_equal(q[GENERATOR].slots[FS_GENERATOR_RAY], p[GENERATOR].slots[FS_GENERATOR_RAY]);
}

RUN_TESTS(setup, NULL)
