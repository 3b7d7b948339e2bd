/* Synthetic traffic against closed forms: the life of a ray alone on the chip, and what a network carries
 * when it is full. The forms use the rules of overlay and exchange (docs/design/decisions.md,
 * models/exchange/exchange.h) and nothing of the workload; figures come from whole runs of the program.
 *
 * Words. N tracers, r rays of each source in an iteration. With uniform traffic a subtree of S tracers sends
 * S (N - S) / (N - 1) r rays up its one lane and gets as many down. c0: cycles of an iteration in which one
 * ray moves. A ray is 5 words, so an iteration in which the last port ends after p r rays takes c0 + 5 p r
 * cycles, and with many rays a source gets 1 / (5 p) rays a cycle through.
 */
#include "models/exchange/exchange.h"
#include "sim/host/process.h"
#include "tests/support/chip.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { MAX_SETS = 16, WORDS = 5, GC200_TILES = 1472, MOST_LEVELS = 10 };

/* ---- running ---- */

typedef struct settings {
    char text[MAX_SETS][64];
    int count;
} settings;

static void set(settings *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void set(settings *s, const char *format, ...) {
    assert_true(s->count < MAX_SETS);
    va_list values;
    va_start(values, format);
    vsnprintf(s->text[s->count++], sizeof s->text[0], format, values);
    va_end(values);
}

static void run(const settings *s, const char *out, const char *threads) {
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "--quiet", "--force", "--out", out, "--threads", threads, NULL);
    for (int i = 0; i < s->count; i++)
        fs_process_option(&w, "--set", s->text[i]);
    cli_must_words(w.word);
}

static int enter(void **state) {
    int status = cli_enter(state);
    if (status == 0)
        cli_write("x.yaml", "name: x\n"
                            "machine: { base: gc200, exchange: { mode: dynamic } }\n"
                            "overlay: { kind: tree }\n"
                            "workload: { kind: traffic, warmup: 0, drain: 200 }\n");
    return status;
}

static double error_of(double found, double expected) {
    return 100 * (found / expected - 1);
}

static void check(const char *what, double found, double expected, double percent) {
    double error = error_of(found, expected);
    print_message("  %-48s %12.4f, closed form %12.4f: %+.2f %%\n", what, found, expected, error);
    if (fabs(error) > percent)
        fail_msg("%s: %.6g instead of %.6g", what, found, expected);
}

/* ---- the chip ---- */

typedef struct chip {
    fs_arena *arena;
    fs_machine_params machine;
    fs_exchange *exchange;
    double hop; /* cycles of a hop of one ray beside the latency by position */
} chip;

static chip chip_make(void) {
    chip c = {.arena = fs_arena_create()};
    fs_error err = {0};
    fs_machine_params *m = FS_NEW(c.arena, fs_machine_params, 1);
    *m = fs_test_gc200();
    m->exchange.mode = FS_EXCHANGE_DYNAMIC;
    c.machine = *m;
    c.exchange = fs_test_exchange(c.arena, &m->exchange, &m->geometry, GC200_TILES, NULL, 0, &err);
    assert_non_null(c.exchange);
    /* Supervisor program; barrier 76 + rows 22 + columns 4 x 7; header and ray: 6 words. */
    c.hop = 50 + (76 + 22 + 28) + (4 + 20) / 4;
    return c;
}

/* ---- trees: tiles are the tracers, then the routers level by level ---- */

typedef struct tree {
    uint32_t arity, tracers, levels;
    double width[MOST_LEVELS + 1]; /* tracers below a tile of a level */
    uint32_t first[MOST_LEVELS + 2];
} tree;

static tree tree_make(uint32_t arity, uint32_t tracers) {
    tree t = {.arity = arity, .tracers = tracers, .width = {1}};
    uint32_t tiles = tracers;
    for (uint32_t l = 0; tiles >= 1; l++, tiles /= arity) {
        t.levels = l;
        t.width[l] = tracers / tiles;
        t.first[l + 1] = t.first[l] + tiles;
    }
    return t;
}

/* Rays over the lane between a tile of the level and its parent, one way, when r is 1. */
static double tree_lane(const tree *t, uint32_t level) {
    return t->width[level] * (t->tracers - t->width[level]) / (t->tracers - 1.0);
}

static double tree_hops(const tree *t) {
    double hops = 0;
    for (uint32_t l = 0; l < t->levels; l++) /* up and down past level l unless both ends are below it */
        hops += 2 * (t->tracers - t->width[l]) / (t->tracers - 1.0);
    return hops;
}

/* A ray takes a lane from level l to l + 1 and one back with that probability, each of them alike. */
static double tree_zero_load(const tree *t, const chip *c) {
    double cycles = c->hop * tree_hops(t);
    for (uint32_t l = 0; l < t->levels; l++) {
        double latency = 0;
        for (uint32_t i = t->first[l]; i < t->first[l + 1]; i++) {
            uint32_t parent = t->first[l + 1] + (i - t->first[l]) / t->arity;
            latency +=
                fs_exchange_latency(c->exchange, i, parent) + fs_exchange_latency(c->exchange, parent, i);
        }
        cycles += latency / (t->first[l + 1] - t->first[l]) * (t->tracers - t->width[l]) / (t->tracers - 1.0);
    }
    return cycles;
}

/* The root's in port is the busiest for arities of 3 and more: N (1 - 1 / a) N / (N - 1) rays. But a router
 * sends to its children first and to its parent last, and a port takes what asked first. So: a router of
 * level l begins to send up at E(l), when its children have all. Its message to a child asks at q: the child
 * takes it at once if it asks before the child's own children do, at E(l - 2); else after all of these. The
 * root gets nothing before E(n - 1), and its a children's messages one after another from then on. */
static double tree_saturation(const tree *t) {
    double up_begins[MOST_LEVELS + 1] = {0};
    for (uint32_t l = 1; l < t->levels; l++) {
        double q = 0;
        for (uint32_t child = 0; child < t->arity; child++) {
            if (l >= 2 && q >= up_begins[l - 2])
                q = fmax(q, up_begins[l - 2] + t->arity * tree_lane(t, l - 2));
            q += tree_lane(t, l - 1);
        }
        up_begins[l] = q;
    }
    return up_begins[t->levels - 1] + t->arity * tree_lane(t, t->levels - 1);
}

/* ---- meshes: x first, then y; tiles lie in Morton order ---- */

static uint32_t mesh_tile(uint32_t side, uint32_t x, uint32_t y) {
    uint32_t tile = 0;
    for (uint32_t bit = side / 2; bit > 0; bit /= 2) /* the highest cut of x, then of y, ... */
        tile = 4 * tile + ((x & bit) ? 2U : 0U) + ((y & bit) ? 1U : 0U);
    return tile;
}

/* Rays over a lane between columns x and x + 1 of a row, one way: x + 1 sources to side - x - 1 columns. The
 * same between rows. */
static double mesh_lane(uint32_t side, int x) {
    if (x < 0 || x + 1 >= (int)side)
        return 0;
    return (x + 1.0) * ((double)side - x - 1.0) * side / ((double)side * side - 1.0);
}

static double mesh_hops(uint32_t side) { /* mean |dx| of two numbers below m is (m^2 - 1) / 3 m */
    double m = side, n = m * m;
    return 2 * (n - 1) / (3 * m) * n / (n - 1);
}

static double mesh_zero_load(uint32_t side, const chip *c) {
    double cycles = 0, n = (double)side * side;
    for (uint32_t x = 0; x + 1 < side; x++)
        for (uint32_t y = 0; y < side; y++) {
            uint32_t a = mesh_tile(side, x, y), b = mesh_tile(side, x + 1, y);
            uint32_t d = mesh_tile(side, y, x), e = mesh_tile(side, y, x + 1);
            cycles += mesh_lane(side, (int)x) / n *
                      (fs_exchange_latency(c->exchange, a, b) + fs_exchange_latency(c->exchange, b, a) +
                       fs_exchange_latency(c->exchange, d, e) + fs_exchange_latency(c->exchange, e, d));
        }
    return cycles + c->hop * mesh_hops(side);
}

/* The busiest port is that of a tile in the middle: 2 (R(m/2 - 1) + R(m/2 - 2)) rays, R(x) = mesh_lane. A
 * tile sends left, right, up, down. Lefts all begin at once, but tile 0 has none, so its right reaches tile 1
 * before tile 2's left does; a right waits for the left that its receiver gets. Then the same along y. */
static double mesh_saturation(uint32_t side) {
    double longest = 0;
    for (int x = 0; x < (int)side; x++) {
        double left_here = mesh_lane(side, x - 1) + (x == 2 ? mesh_lane(side, 0) : 0);
        double left_there = x == 0 ? 0 : mesh_lane(side, x + 1);
        longest = fmax(longest, fmax(left_here, left_there) + mesh_lane(side, x));
    }
    return 2 * longest;
}

/* ---- uniform traffic ---- */

/* Few rays, some 150 in all, so that they seldom meet. */
static void set_lonely(settings *s, uint32_t tracers, double hops) {
    double rays = 0.25 / hops; /* an iteration */
    set(s, "workload.tracers=%u", tracers);
    set(s, "workload.rate=%.9f", rays / tracers);
    set(s, "workload.measure=%.0f", 150 / rays);
    set(s, "run.max_iterations=65534");
}

/* Many rays for each source, measured once the longest ways are full. */
static double set_full(settings *s, uint32_t tracers, uint32_t longest) {
    uint32_t rate = 25000 / tracers;
    set(s, "workload.tracers=%u", tracers);
    set(s, "workload.rate=%u", rate);
    set(s, "workload.burst=%u", rate);
    set(s, "workload.warmup=%u", longest);
    set(s, "workload.measure=8");
    return rate;
}

/* Rays of a source in a kilocycle when the last port ends after `port` r rays. */
static double through(const chip *c, double rate, double port) {
    double alone = c->hop + 60;
    return 1000 * rate / (alone + WORDS * port * rate);
}

static void alone(settings *s, const char *name, uint32_t tracers, double hops, double cycles) {
    char what[64];
    set_lonely(s, tracers, hops);
    run(s, "alone", "1");
    snprintf(what, sizeof what, "%s: zero load from the routes", name);
    check(what, run_figure("alone", "latency.zero_load"), cycles, 1e-6);
    snprintf(what, sizeof what, "%s: cycles of a hop, measured", name);
    check(what, run_figure("alone", "latency.mean") / run_figure("alone", "hops.mean"), cycles / hops, 2);
    assert_true(run_figure("alone", "rays.in_flight") == 0);
}

static void full(settings *s, const char *name, uint32_t tracers, uint32_t longest, double hops, double port,
                 double busiest, const chip *c) {
    char what[64];
    double rate = set_full(s, tracers, longest);
    run(s, "full", "1");
    snprintf(what, sizeof what, "%s: hops", name);
    check(what, run_figure("full", "hops.mean"), hops, 2);
    snprintf(what, sizeof what, "%s: rays a kilocycle through", name);
    check(what, run_figure("full", "load.accepted"), through(c, rate, port), 10);
    snprintf(what, sizeof what, "%s: what the busiest port allows", name);
    check(what, run_figure("full", "load.bound"), 1000 / (WORDS * busiest), 1e-6);
    assert_true(run_figure("full", "load.accepted") < run_figure("full", "load.bound"));
    assert_true(run_figure("full", "rays.refused") == 0);
}

static const struct {
    uint32_t arity, tracers;
} trees[] = {{2, 16}, {2, 64}, {4, 16}, {4, 64}, {4, 1024}, {8, 64}};
enum { TREES = sizeof trees / sizeof *trees };

static double busiest_of_tree(const tree *t) {
    double most = 0;
    for (uint32_t l = 1; l <= t->levels; l++)
        most = fmax(most, t->arity * tree_lane(t, l - 1) + (l < t->levels ? tree_lane(t, l) : 0));
    return most;
}

TEST(uniform_on_trees) {
    chip c = chip_make();
    for (int i = 0; i < TREES; i++) {
        tree t = tree_make(trees[i].arity, trees[i].tracers);
        settings lonely = {.count = 0}, many = {.count = 0};
        char name[32];
        snprintf(name, sizeof name, "tree %u of %u", t.arity, t.tracers);
        set(&lonely, "overlay.arity=%u", t.arity);
        set(&many, "overlay.arity=%u", t.arity);
        alone(&lonely, name, t.tracers, tree_hops(&t), tree_zero_load(&t, &c));
        full(&many, name, t.tracers, 2 * t.levels, tree_hops(&t), tree_saturation(&t), busiest_of_tree(&t),
             &c);
    }
    fs_arena_free(c.arena);
}

TEST(uniform_on_meshes) {
    chip c = chip_make();
    for (uint32_t side = 4; side <= 16; side *= 2) {
        settings lonely = {.count = 0}, many = {.count = 0};
        char name[32];
        snprintf(name, sizeof name, "mesh %u x %u", side, side);
        set(&lonely, "overlay.kind=mesh");
        set(&many, "overlay.kind=mesh");
        double middle = mesh_lane(side, (int)side / 2 - 1) + mesh_lane(side, (int)side / 2 - 2);
        alone(&lonely, name, side * side, mesh_hops(side), mesh_zero_load(side, &c));
        full(&many, name, side * side, 2 * side, mesh_hops(side), mesh_saturation(side), 2 * middle, &c);
    }
    fs_arena_free(c.arena);
}

/* ---- hotspots ---- */

/* All N - 1 others send the hotspot a share p of their rays, and of the rest what is due to anyone: its in
 * port takes p (N - 1) + 1 - p rays. In a tree the in port of its router has a little more to take: what the
 * N - a sources elsewhere send to its tracers, and all that these a send. Where trees are large the waiting
 * above it does not count; with p = 1 nothing else is on the way. */
static double sink_port(uint32_t tracers, double share) {
    return share * (tracers - 1.0) + 1 - share;
}

static double sink_router_port(uint32_t tracers, uint32_t arity, double share) {
    return ((double)tracers - arity) * (share + (1 - share) * arity / (tracers - 1.0)) + arity;
}

static void hotspot(settings *s, const char *name, uint32_t tracers, uint32_t longest, double share,
                    double port, const chip *c) {
    char what[64];
    double rate = set_full(s, tracers, longest);
    set(s, "workload.pattern=hotspot");
    set(s, "workload.drain=0");
    set(s, "workload.hotspot_share=%g", share);
    run(s, "hot", "1");
    snprintf(what, sizeof what, "%s: %.0f %% to one tracer", name, 100 * share);
    check(what, run_figure("hot", "load.accepted"), through(c, rate, port), 10);
}

TEST(hotspots) {
    chip c = chip_make();
    for (int i = 0; i < TREES; i++)
        for (int all = 0; all < 2; all++) {
            settings s = {.count = 0};
            char name[32];
            tree t = tree_make(trees[i].arity, trees[i].tracers);
            if (!all && t.tracers < 256)
                continue;
            snprintf(name, sizeof name, "tree %u of %u", t.arity, t.tracers);
            set(&s, "overlay.arity=%u", t.arity);
            double share = all ? 1 : 0.9;
            hotspot(&s, name, t.tracers, 2 * t.levels, share, sink_router_port(t.tracers, t.arity, share),
                    &c);
        }
    for (uint32_t side = 4; side <= 32; side *= 2) {
        settings s = {.count = 0};
        char name[32];
        snprintf(name, sizeof name, "mesh %u x %u", side, side);
        set(&s, "overlay.kind=mesh");
        hotspot(&s, name, side * side, 2 * side, 0.9, sink_port(side * side, 0.9), &c);
    }
    fs_arena_free(c.arena);
}

/* ---- load by the kilocycle: what is below the knee gets through, what is above is refused ---- */

TEST(loads_below_and_above_the_knee) {
    chip c = chip_make();
    tree t = tree_make(4, 64);
    double knee = 1000 / (WORDS * tree_saturation(&t)), slowest = tree_zero_load(&t, &c);
    static const double parts[] = {0.2, 0.5, 0.8, 1.3};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        settings s = {.count = 0};
        char what[64];
        set(&s, "workload.tracers=%u", t.tracers);
        set(&s, "workload.load=%.6f", parts[i] * knee);
        set(&s, "workload.burst=150");
        set(&s, "workload.warmup=80");
        set(&s, "workload.measure=%d", parts[i] < 1 ? 2000 : 30);
        run(&s, "load", "1");
        snprintf(what, sizeof what, "tree 4 of 64: load %.0f %% of the knee", 100 * parts[i]);
        check(what, run_figure("load", "load.accepted"), knee * fmin(parts[i], 1), parts[i] < 1 ? 2 : 5);
        assert_true((run_figure("load", "rays.refused") > 0) == (parts[i] > 1));
        assert_true(run_figure("load", "latency.mean") > slowest);
        slowest = run_figure("load", "latency.mean");
    }
    fs_arena_free(c.arena);
}

/* ---- routers that cost: launch 11 + 6 + 6 cycles, and a ray 70 issue slots of a worker, one in 6 cycles
 * ---- */

TEST(routers_that_cost) {
    enum { LAUNCH = 23, COST = 70, WORKERS = 6 };
    chip c = chip_make();
    tree t = tree_make(4, 256);
    settings s = {.count = 0};
    double rate = set_full(&s, t.tracers, 2 * t.levels);
    set(&s, "workload.router=fixed");
    set(&s, "workload.router_cycles=%d cycles", COST);
    run(&s, "cost", "1");
    check("tree 4 of 256 at 70 cycles a ray: zero load", run_figure("cost", "latency.zero_load"),
          tree_zero_load(&t, &c) + tree_hops(&t) * (LAUNCH + WORKERS * COST), 1e-6);
    /* The root handles most rays, all workers at work; then the exchange. */
    double root = t.arity * tree_lane(&t, t.levels - 1), alone_cycles = c.hop + 60;
    double cycles = alone_cycles + LAUNCH + (COST * root + WORDS * tree_saturation(&t)) * rate;
    check("tree 4 of 256 at 70 cycles a ray: full", run_figure("cost", "load.accepted"), 1000 * rate / cycles,
          2);
    check("tree 4 of 256 at 70 cycles a ray: bound", run_figure("cost", "load.bound"),
          1000 / ((COST + WORDS) * root), 1e-6);
    assert_true(run_figure("cost", "pace.router") > 0.9);
    fs_arena_free(c.arena);
}

/* ---- fat trees: equal lanes carry equally, whatever the policy ---- */

TEST(fat_trees_are_even) {
    static const char *const policies[] = {"hash", "round_robin", "least_occupied"};
    for (int p = 0; p < 3; p++) {
        settings s = {.count = 0};
        set(&s, "overlay.kind=fat_tree");
        set(&s, "overlay.dispatch=%s", policies[p]);
        set(&s, "workload.rate=20");
        set(&s, "workload.measure=20");
        run(&s, "fat", "1");
        struct table lanes = table_read("fat", "lanes.csv");
        double sum[8][8] = {{0}}, count[8][8] = {{0}};
        for (int pass = 0; pass < 2; pass++)
            for (size_t l = 0; l < lanes.rows; l++) {
                int64_t src = table_int(&lanes, l, "src_level"), dst = table_int(&lanes, l, "dst_level");
                double rays = (double)table_int(&lanes, l, "all_rays"),
                       mean = sum[src][dst] / count[src][dst];
                assert_in_range(src, 0, 7);
                assert_in_range(dst, 0, 7);
                if (pass == 0) {
                    sum[src][dst] += rays;
                    count[src][dst]++;
                } else if (fabs(rays - mean) > 6 * sqrt(mean)) { /* rays go by chance */
                    fail_msg("%s, lane %zu: %.0f rays, %.0f in the mean", policies[p], l, rays, mean);
                }
            }
    }
}

/* ---- what is refused ---- */

TEST(wrong_input_is_told) {
    static const char *const wrong[][2] = {
        {"workload.rate=0", "load or rate has to be above 0"},
        {"workload.payload_bytes=22 B", "multiple of 4 B"},
        {"machine.exchange.mode=static", "infinite"},
        {"machine.execution=decoupled", "expected bsp"},
        {"workload.measure=30000", "run.max_iterations"},
        {"workload.tracers=1200", "tiles"},
        {"overlay.kind=direct", "overlay"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cli_result r = cli("run", "x.yaml", "--set", wrong[i][0], "--out", "wrong", NULL);
        if (r.status != 2 || strstr(r.err, wrong[i][1]) == NULL)
            fail_msg("--set %s: exit status %d: %s", wrong[i][0], r.status, r.err);
    }
    cli_result r = cli("run", "x.yaml", "--set", "workload.pattern=hotspot", "--set",
                       "workload.hotspot=[3, 2000]", "--out", "wrong", NULL);
    cli_refused(&r, "expected tracers, 0 ... 1023, found 2000");
    r = cli("run", "x.yaml", "--set", "workload.max_rays=500", "--out", "wrong", NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "above what the network carries"));
}

/* ---- lanes with slots under a static exchange: every iteration takes as long as the plan ---- */

TEST(static_lanes) {
    enum { SLOTS = 40, TRACERS = 64 };
    settings s = {.count = 0};
    set(&s, "machine.exchange.mode=static");
    set(&s, "workload.tracers=%d", TRACERS);
    set(&s, "workload.buffers=slots");
    set(&s, "workload.lane_slots=%d", SLOTS);
    set(&s, "workload.rate=5");
    set(&s, "workload.warmup=200");
    set(&s, "workload.measure=300");
    run(&s, "static", "1");
    /* A router has five lanes each way: 5 x 40 x 5 words, and the way of the last word. */
    double cycles = run_figure("static", "device.cycles_per_iteration");
    assert_true(cycles > 50 + 126 + 5 * SLOTS * WORDS && cycles < 50 + 126 + 5 * SLOTS * WORDS + 100);
    /* 48 of 63 rays want over the root, 61 of the 80 that a subtree makes: its lane of 40 is full throughout,
     * and what stays below the root does not wait for it. */
    double over_root = 4 * SLOTS, below = TRACERS * 5 * 15 / 63.0;
    check("static lanes of 40 slots: rays an iteration",
          run_figure("static", "load.accepted_all") * cycles / 1000, over_root + below, 1);
    struct table lanes = table_read("static", "lanes.csv");
    for (size_t l = 0; l < lanes.rows; l++)
        assert_in_range(table_int(&lanes, l, "all_peak"), 0, SLOTS);
}

/* ---- one run in several ways ---- */

TEST(levels_of_detail_agree) {
    static const char *const kinds[] = {"tree", "mesh", "fat_tree"};
    static const char *const patterns[] = {"uniform", "hotspot", "neighbour", "bit_complement", "transpose"};
    static const char *const ways[] = {"infinite", "slots", "overlay"};
    for (int i = 0; i < 9; i++) {
        settings s = {.count = 0};
        set(&s, "overlay.kind=%s", kinds[i % 3]);
        set(&s, "machine.geometry.columns=4");
        set(&s, "machine.geometry.rows=6");
        set(&s, "workload.tracers=%d", i % 3 == 2 ? 16 : 64);
        set(&s, "workload.pattern=%s", patterns[i % 5]);
        set(&s, "workload.buffers=%s", ways[i / 3]);
        set(&s, "workload.lane_slots=%d", 3 + i);
        set(&s, "workload.router=%s", i % 2 ? "fixed" : "ideal");
        set(&s, "workload.load=%d", 1 + i);
        set(&s, "workload.warmup=%d", 3 * i);
        set(&s, "workload.measure=40");
        set(&s, "run.seed=%d", i);
        if (i / 3 > 0 && i % 3 == 1)
            set(&s, "machine.exchange.mode=static");
        run(&s, "phase", "1");
        set(&s, "run.detail=event");
        run(&s, "event", "2");
        assert_same_run("phase", "event", OTHER_SETTINGS);
        assert_true(run_figure("phase", "rays.delivered") > 100);
    }
}

TEST(threads_change_no_byte) {
    settings s = {.count = 0};
    set(&s, "overlay.kind=fat_tree");
    set(&s, "overlay.dispatch=least_occupied");
    set(&s, "workload.rate=30");
    set(&s, "workload.measure=12");
    run(&s, "one", "1");
    run(&s, "more", "3");
    assert_same_run("one", "more", SAME_SETTINGS);
    assert_true(run_figure("one", "rays.delivered") > 200000);
}

RUN_TESTS(enter, cli_leave)
