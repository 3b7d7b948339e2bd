/* The device: both levels of detail against each other over random configurations, iterations by hand, the
 * pace, the sums, and how a run ends. One simulation to a process: each runs in a fork and sends its record
 * back through a pipe. */
#include "models/ipu/device.h"

#include "models/overlay/device_plan.h"
#include "models/overlay/kinds/kinds.h"
#include "sim/base/rng.h"
#include "sim/host/signals.h"
#include "tests/support/chip.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_TILES = 1472, MOST_ITERATIONS = 12, SMALL_TILES = 96 };

/* fs_iteration without padding. */
typedef struct kept_iteration {
    uint64_t number, start, compute, sync, exchange, host, pace_tile;
} kept_iteration;

/* What a run leaves, all of it comparable byte by byte. */
typedef struct record {
    fs_status status;
    char text[512];
    uint64_t cycles, compute, sync, exchange, host, first, iterations;
    kept_iteration iteration[MOST_ITERATIONS];
    uint64_t tile_cycles[MOST_ITERATIONS][MOST_TILES];
    uint64_t worker[3][MOST_TILES * FS_MAX_WORKERS]; /* busy, waiting, idle */
    uint64_t tile[7][MOST_TILES]; /* compute, bytes out, in, port busy out, in, port waiting out, paced */
} record;

/* A simulation: machine, programs, lanes, and a client that draws its traffic from a stream. */
typedef struct simulation {
    fs_machine_params machine;
    fs_overlay overlay;
    fs_event events[5];
    fs_program program[FS_ROLE_COUNT];
    const fs_program *programs[FS_ROLE_COUNT];
    bool mixed; /* every third router runs the tracers' program */
    fs_device_programs by_tile;
    fs_transfer *transfers;
    fs_host_visit first;
    uint32_t iterations, repeat;
    fs_rng traffic;
    uint32_t activity; /* of 16 tiles with a program, how many are active */
    fs_status (*fails)(uint64_t iteration, fs_error *err);
    bool tamper; /* with the books, through the totals */
    fs_device *device;
    uint32_t active[MOST_TILES];
    uint32_t *occupied;
    record *record;
} simulation;

static fs_status draw_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *count,
                              fs_error *err) {
    simulation *s = self;
    const uint64_t iteration = at.iteration;
    if (s->fails && s->fails(iteration, err))
        return err->status;
    uint32_t workers = (uint32_t)fs_machine_most_workers(&s->machine);
    *active = s->active;
    *count = 0;
    fs_rng rng = fs_rng_sub(s->traffic, iteration);
    bool quiet = fs_rng_below(&rng, 5) == 0;  /* an iteration in which nothing happens */
    bool hollow = fs_rng_below(&rng, 4) == 0; /* active tiles without events take as long as idle ones */
    for (uint32_t t = 0; t < s->overlay.tiles; t++) {
        const uint8_t number = s->by_tile.of_tile[t];
        const fs_program *program = number > 0 ? s->by_tile.program[number - 1] : NULL;
        if (program == NULL || quiet || fs_rng_below(&rng, 16) >= s->activity)
            continue;
        uint32_t used = program->workers ? program->workers
                                         : (uint32_t)fs_machine_workers(&s->machine, s->overlay.role[t]);
        uint32_t *counts = fs_device_counts(s->device, t);
        for (uint32_t i = 0; i < workers * FS_MAX_EVENTS; i++)
            if (counts[i] != 0)
                return fs_fail(err, FS_BROKEN, "counts of tile %u were not cleared", t);
        for (uint32_t w = 0; w < used; w++)
            for (uint32_t e = 0; e < program->event_count; e++)
                counts[w * FS_MAX_EVENTS + e] = !hollow && fs_rng_below(&rng, 4) ? fs_rng_below(&rng, 50) : 0;
        fs_device_done(s->device, t);
        s->active[(*count)++] = t;
    }
    return FS_OK;
}

static fs_status draw_exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    simulation *s = self;
    const uint64_t iteration = at.iteration;
    (void)err;
    fs_rng rng = fs_rng_sub(s->traffic, iteration + 1000);
    bool silent = fs_rng_below(&rng, 6) == 0;
    for (uint32_t l = 0; l < s->overlay.lane_count; l++)
        s->occupied[l] =
            silent || fs_rng_below(&rng, 3) == 0 ? 0 : fs_rng_below(&rng, s->transfers[l].bytes + 1);
    for (uint32_t t = 0; t < s->overlay.tiles; t++)
        s->record->tile_cycles[iteration][t] = fs_device_tile_cycles(s->device, 0, t);
    *occupied = s->machine.exchange.mode == FS_EXCHANGE_STATIC ? NULL : s->occupied;
    return FS_OK;
}

static fs_status decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    simulation *s = self;
    (void)err;
    visit->visit = (iteration + 1) % s->repeat == 0;
    visit->bytes_to_host = 2400 * (iteration + 1);
    visit->bytes_to_device = 64;
    visit->broadcast_bytes = iteration % 3 ? 64 : 0;
    *stop = iteration + 1 == s->iterations;
    return FS_OK;
}

static void finished(void *self, const fs_iteration *iteration) {
    simulation *s = self;
    s->record->iteration[iteration->number] =
        (kept_iteration){iteration->number,   iteration->start, iteration->compute,  iteration->sync,
                         iteration->exchange, iteration->host,  iteration->pace_tile};
    if (s->tamper)
        ((uint64_t *)(uintptr_t)fs_device_totals_of(s->device).busy)[3]++;
}

static void keep_totals(const simulation *s, record *r) {
    fs_device_totals t = fs_device_totals_of(s->device);
    const uint64_t *workers[3] = {t.busy, t.waiting, t.idle};
    const uint64_t *tiles[7] = {t.compute,      t.bytes_out,        t.bytes_in, t.port_busy_out,
                                t.port_busy_in, t.port_waiting_out, t.paced};
    r->cycles = t.cycles;
    r->compute = t.cycles_compute;
    r->sync = t.cycles_sync;
    r->exchange = t.cycles_exchange;
    r->host = t.cycles_host;
    r->first = t.cycles_first;
    r->iterations = t.iterations;
    for (int i = 0; i < 3; i++)
        memcpy(r->worker[i], workers[i],
               (size_t)s->overlay.tiles * (size_t)fs_machine_most_workers(&s->machine) * sizeof(uint64_t));
    for (int i = 0; i < 7; i++)
        memcpy(r->tile[i], tiles[i], s->overlay.tiles * sizeof(uint64_t));
}

static void spread_programs(simulation *s, fs_arena *arena) {
    s->by_tile = fs_overlay_programs_by_role(&s->overlay, s->programs, arena);
    for (uint32_t t = 0; s->mixed && t < s->overlay.tiles; t++)
        if (s->overlay.role[t] == FS_ROLE_ROUTER && t % 3 == 0)
            s->by_tile.of_tile[t] = s->by_tile.of_tile[s->overlay.tracer_tile[0]];
}

static void simulate(simulation *s, fs_arena *arena, fs_detail detail, record *r) {
    fs_error err = {0};
    s->record = r;
    s->occupied = FS_NEW(arena, uint32_t, s->overlay.lane_count);
    spread_programs(s, arena);
    const fs_device_plan plan =
        fs_overlay_device_plan(&s->overlay, &s->by_tile, s->transfers, &s->first, arena);
    s->device = fs_device_create(arena, &s->machine, &plan, detail, &err);
    if (s->device) {
        fs_device_client client = {s, draw_compute, draw_exchange, decide, finished, NULL, NULL};
        fs_device_run(s->device, &client, &err);
        keep_totals(s, r);
    }
    r->status = err.status;
    snprintf(r->text, sizeof r->text, "%.500s", err.text);
}

/* Runs `s` in a process of its own. Owner of the record: the caller, free(). */
static record *run(simulation *s, fs_arena *arena, fs_detail detail) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    record *r = calloc(1, sizeof *r);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        simulate(s, arena, detail, r);
        for (size_t sent = 0; sent < sizeof *r;) {
            ssize_t n = write(ends[1], (const char *)r + sent, sizeof *r - sent);
            if (n <= 0)
                _exit(3);
            sent += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    size_t got = 0;
    for (ssize_t n = 1; n > 0 && got < sizeof *r; got += (size_t)(n > 0 ? n : 0))
        n = read(ends[0], (char *)r + got, sizeof *r - got);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(got, sizeof *r);
    return r;
}

/* ---- simulations ---- */

static const fs_event barrier_event = {.name = "barrier", .op = {[FS_OP_INT] = 13, [FS_OP_BRANCH] = 8}};

/* Two events in the first segment, one in each later one; `always` work in some of them. */
static const fs_event test_events[] = {
    {.name = "prologue", .op = {[FS_OP_INT] = 9}, .always_each = 1},
    {.name = "visit", .op = {[FS_OP_ADD] = 5, [FS_OP_DIV] = 1, [FS_OP_LOAD] = 3}, .paired = 2},
    {.name = "scan", .op = {[FS_OP_LOAD] = 4, [FS_OP_INT] = 12}, .segment = 1},
    {.name = "offsets", .op = {[FS_OP_INT] = 400}, .segment = 2, .always_first = 1},
    {.name = "forward", .op = {[FS_OP_STORE_HALF] = 2, [FS_OP_LOAD] = 8}, .segment = 3},
};

static void give_programs(simulation *s) {
    s->program[FS_ROLE_TRACER] =
        (fs_program){.name = "tracer", .segments = 1, .events = test_events, .event_count = 2};
    s->program[FS_ROLE_ROUTER] = (fs_program){
        .name = "router", .segments = 4, .events = test_events, .event_count = 5, .barrier = &barrier_event};
    s->program[FS_ROLE_GENERATOR] = (fs_program){
        .name = "generator", .segments = 1, .workers = 1, .events = test_events, .event_count = 2};
    for (int role = FS_ROLE_TRACER; role < FS_ROLE_COUNT; role++)
        s->programs[role] = &s->program[role];
}

static simulation *create(fs_arena *arena, fs_machine_params machine, uint32_t shards, uint32_t lane_bytes) {
    static const fs_quadtree_params tree = {.router_buffer = 576000,
                                            .tracer_buffer = 115200,
                                            .generator.buffer = 115200,
                                            .generator.ring = 5760,
                                            .generator.tile = -1};
    simulation *s = FS_NEW(arena, simulation, 1);
    fs_error err = {0};
    s->machine = machine;
    if (fs_overlay_quadtree.plan(&tree, &(fs_overlay_site){.machine = &s->machine, .shards = shards}, arena,
                                 &s->overlay, &err))
        fail_msg("%s", err.text);
    assert_int_equal(fs_overlay_place_on_chips(&s->overlay, &s->machine, arena, &err), FS_OK);
    give_programs(s);
    memcpy(s->events, test_events, sizeof test_events);
    s->transfers = FS_NEW(arena, fs_transfer, s->overlay.lane_count);
    for (uint32_t l = 0; l < s->overlay.lane_count; l++)
        s->transfers[l] = (fs_transfer){s->overlay.lanes[l].src, s->overlay.lanes[l].dst, lane_bytes};
    s->iterations = 1;
    s->repeat = 1000;
    return s;
}

/* A third of the machines has a network on chip: the small chip's 8 x 12 tiles by their places, or as they come. */
static void draw_network(fs_machine_params *m, fs_rng *rng) {
    static const int64_t grid[] = {8, 12}, wide[] = {14, 7}, tree[] = {5, 3};
    static const struct {
        int64_t topology;
        const int64_t *size;
    } of[] = {{FS_NOC_MESH, grid}, {FS_NOC_TORUS, grid}, {FS_NOC_MESH, wide}, {FS_NOC_FAT_TREE, tree}};
    if (fs_rng_below(rng, 3) > 0)
        return;
    const uint32_t k = fs_rng_below(rng, 4);
    m->exchange.kind = FS_FABRIC_NOC;
    m->exchange.mode = FS_EXCHANGE_DYNAMIC;
    m->noc = (fs_noc_options){.topology = of[k].topology,
                              .size = {(int64_t *)of[k].size, 2},
                              .size_given = true,
                              .way = FS_NOC_BOTH_WAYS,
                              .vcs = 2 + fs_rng_below(rng, 3),
                              .buffer = 1 + fs_rng_below(rng, 9),
                              .link = 1 + fs_rng_below(rng, 3),
                              .pitch = 750,
                              .width = 4 << fs_rng_below(rng, 4),
                              .packet = 64 << fs_rng_below(rng, 3),
                              .header = fs_rng_below(rng, 3)};
}

/* Half of the others are of several chips. */
static void draw_chips(fs_machine_params *m, fs_rng *rng) {
    if (m->exchange.kind != FS_FABRIC_PORTS || fs_rng_below(rng, 2) == 0)
        return;
    m->chips = 2 << fs_rng_below(rng, 3);
    m->fabric = (fs_chips_params){.kind = FS_CHIPS_LADDER,
                                  .bandwidth = 1e6 * (1 + fs_rng_below(rng, 16000)),
                                  .efficiency = 50 + fs_rng_below(rng, 51),
                                  .latency = 1e-9 * fs_rng_below(rng, 600),
                                  .sync = 1e-9 * fs_rng_below(rng, 30)};
    if (fs_rng_below(rng, 2))
        m->fabric.kind = fs_rng_below(rng, 2) ? FS_CHIPS_RING : FS_CHIPS_ALL;
}

static simulation *draw(fs_arena *arena, fs_rng *rng) {
    static const uint32_t sizes[3] = {4, 16, 64};
    fs_machine_params m = fs_test_small();
    m.tile.workers = 1 + fs_rng_below(rng, 8);
    m.tile.reuse_idle_slots = fs_rng_below(rng, 3) == 0;
    m.tile.issue_width = 1 + (fs_rng_below(rng, 2) ? fs_rng_below(rng, (uint32_t)m.tile.workers) : 0);
    m.tile.sram_ports = fs_rng_below(rng, 2);
    m.tile.sram_width = 1 + fs_rng_below(rng, 3);
    m.tile.join = fs_rng_below(rng, 3) ? 6 : 0;
    m.exchange.mode = fs_rng_below(rng, 2) ? FS_EXCHANGE_STATIC : FS_EXCHANGE_DYNAMIC;
    m.exchange.header = 4 * fs_rng_below(rng, 3);
    m.exchange.program_overhead = fs_rng_below(rng, 80);
    draw_network(&m, rng);
    draw_chips(&m, rng);
    m.sync.base = 1 + fs_rng_below(rng, 100);
    m.sync.skew_column = fs_rng_below(rng, 6);
    m.host.fused = fs_rng_below(rng, 2);
    m.host.programs = 1 + fs_rng_below(rng, 3);
    m.host.launch = fs_rng_below(rng, 2) ? 0.2e-3 : 0;
    m.host.stream_copy = 1e-6 * fs_rng_below(rng, 50);
    simulation *s = create(arena, m, sizes[fs_rng_below(rng, 3)], 4 * (1 + fs_rng_below(rng, 300)));
    if (fs_rng_below(rng, 2)) /* lanes of many sizes, some of none */
        for (uint32_t l = 0; l < s->overlay.lane_count; l++)
            s->transfers[l].bytes = 4 * fs_rng_below(rng, 200);
    if (fs_rng_below(rng, 4) == 0)
        s->programs[FS_ROLE_GENERATOR] = NULL;
    s->mixed = fs_rng_below(rng, 3) == 0;
    for (uint32_t r = 0; r < FS_MACHINE_ROLES && !s->mixed && fs_rng_below(rng, 2); r++) {
        s->machine.role[r].workers = m.tile.issue_width + fs_rng_below(rng, 4);
        s->machine.role[r].clock = (100 + fs_rng_below(rng, 3000)) / 10.0;
    }
    if (fs_rng_below(rng, 3) == 0) { /* hardware beside a router's workers, or instead of them */
        s->events[fs_rng_below(rng, 5)].cycles = 1 + fs_rng_below(rng, 9);
        s->program[FS_ROLE_ROUTER].events = s->events;
        s->program[FS_ROLE_ROUTER].free_launch = fs_rng_below(rng, 2);
    }
    s->first = (fs_host_visit){true, 0, 64, 64 * fs_rng_below(rng, 2), fs_rng_below(rng, 4)};
    s->iterations = 1 + fs_rng_below(rng, MOST_ITERATIONS);
    s->repeat = 1 + fs_rng_below(rng, 4);
    s->traffic = fs_rng_sub(*rng, fs_rng_u64(rng));
    s->activity = fs_rng_below(rng, 17);
    return s;
}

/* The barriers of an iteration: the chip's, and that of all chips where lanes join them. */
static uint64_t all_sync(const simulation *s) {
    const fs_machine_params *m = &s->machine;
    const uint64_t own = fs_sync_internal(&m->sync, &m->geometry);
    bool leaves = false;
    for (uint32_t l = 0; l < s->overlay.lane_count; l++)
        leaves = leaves || s->transfers[l].src / SMALL_TILES != s->transfers[l].dst / SMALL_TILES;
    if (fs_machine_chips(m) == 1 || !leaves)
        return own;
    fs_arena *arena = test_arena();
    const uint64_t hops = fs_chips_sync(fs_chips_create(arena, &m->fabric, fs_machine_chips(m), m->clock));
    return own + (uint64_t)m->sync.external + hops;
}

/* Everything that holds of any run, from the numbers alone. */
static void check_sums(const simulation *s, const record *r) {
    uint32_t tiles = s->overlay.tiles, workers = (uint32_t)fs_machine_most_workers(&s->machine);
    uint64_t now = r->first, compute = 0, paced = 0, bytes_out = 0, bytes_in = 0;
    assert_int_equal(r->iterations, s->iterations);
    for (uint32_t i = 0; i < r->iterations; i++) {
        const kept_iteration *it = &r->iteration[i];
        assert_int_equal(it->number, i);
        assert_int_equal(it->start, now);
        assert_int_equal(it->sync, all_sync(s));
        for (uint32_t t = 0; t < tiles; t++) {
            assert_true(r->tile_cycles[i][t] <= it->compute);
            assert_true(t >= it->pace_tile || r->tile_cycles[i][t] < it->compute);
        }
        assert_int_equal(r->tile_cycles[i][it->pace_tile], it->compute);
        now += it->compute + it->sync + it->exchange + it->host;
        compute += it->compute;
    }
    assert_int_equal(r->cycles, now);
    assert_int_equal(r->compute + r->sync + r->exchange + r->host, now);
    assert_int_equal(r->compute, compute);
    for (uint32_t t = 0; t < tiles; t++) {
        uint64_t own = 0;
        for (uint32_t i = 0; i < r->iterations; i++)
            own += r->tile_cycles[i][t];
        assert_int_equal(r->tile[0][t], own);
        for (uint32_t w = t * workers; w < (t + 1) * workers; w++)
            assert_int_equal(r->worker[0][w] + r->worker[1][w] + r->worker[2][w], compute);
        bytes_out += r->tile[1][t];
        bytes_in += r->tile[2][t];
        paced += r->tile[6][t];
    }
    assert_int_equal(bytes_out, bytes_in);
    assert_int_equal(paced, r->iterations);
}

TEST(details_agree) {
    uint64_t seed = 1;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/device");
    for (int round = 0; round < 60; round++) {
        fs_arena *arena = test_arena();
        simulation *s = draw(arena, &rng);
        record *phase = run(s, arena, FS_DETAIL_PHASE), *event = run(s, arena, FS_DETAIL_EVENT);
        if (phase->status || event->status)
            fail_msg("round %d: phase: %s; event: %s", round, phase->text, event->text);
        check_sums(s, phase);
        if (memcmp(phase, event, sizeof *phase) != 0)
            fail_msg("round %d: the levels of detail differ: %llu and %llu cycles", round,
                     (unsigned long long)phase->cycles, (unsigned long long)event->cycles);
        free(phase);
        free(event);
    }
}

/* The full machine, every tile at work. */
TEST(details_agree_on_a_gc200) {
    for (int mode = FS_EXCHANGE_STATIC; mode <= FS_EXCHANGE_DYNAMIC; mode++) {
        fs_arena *arena = test_arena();
        fs_machine_params m = fs_test_gc200();
        m.exchange.mode = mode;
        simulation *s = create(arena, m, 1024, 57600);
        s->first = (fs_host_visit){true, 0, 64, 64, 0};
        s->traffic = fs_rng_stream(7, "test/device/gc200");
        s->activity = 16;
        s->iterations = 3;
        s->repeat = 2;
        record *phase = run(s, arena, FS_DETAIL_PHASE), *event = run(s, arena, FS_DETAIL_EVENT);
        assert_int_equal(phase->status, FS_OK);
        check_sums(s, phase);
        assert_memory_equal(phase, event, sizeof *phase);
        free(phase);
        free(event);
    }
}

/* ---- by hand ---- */

/* Nobody is active: all run their programs with no work and the router's is the longest: 9 slots of prologue
 * and three barriers of 21 on each worker, 400 slots on worker 0 between the second and the third:
 * 9 + 21 + 21 + 400 + 21 slots of 6 cycles and 23 of launch. Static lanes move although nobody has rays. */
TEST(idle_iteration_by_hand) {
    for (int detail = FS_DETAIL_PHASE; detail <= FS_DETAIL_EVENT; detail++) {
        fs_arena *arena = test_arena();
        simulation *s = create(arena, fs_test_small(), 64, 400);
        s->first = (fs_host_visit){true, 0, 6400, 64, 0};
        record *r = run(s, arena, (fs_detail)detail); /* activity 0: no tile is active */
        assert_int_equal(r->status, FS_OK);
        uint64_t router = 23 + 6 * (9 + 21 + 21 + 400 + 21);
        const kept_iteration *it = &r->iteration[0];
        assert_int_equal(it->compute, router);
        assert_int_equal(it->pace_tile, 64); /* the lowest router */
        assert_int_equal(it->sync, 76 + 5 + 4);
        assert_int_equal(it->host, 0);
        assert_int_equal(r->tile_cycles[0][0], 23 + 6 * 9);
        size_t worker0 = 64 * 6, worker1 = worker0 + 1;
        assert_int_equal(r->worker[0][worker0], router - 23);
        assert_int_equal(r->worker[1][worker0], 0);
        assert_int_equal(r->worker[2][worker0], 23);
        assert_int_equal(r->worker[0][worker1], 6 * (9 + 3 * 21));
        assert_int_equal(r->worker[1][worker1], 6 * 400);
        assert_int_equal(r->worker[2][0], router - 6 * 9); /* tracer: launch, then the others still run */
        assert_int_equal(r->tile[1][64], 5 * 400);
        assert_int_equal(r->tile[3][64], 5 * 100);
        /* Five lanes of 100 words at the busiest port, then the latency of a last one. */
        assert_true(it->exchange > 50 + 500 + 26 && it->exchange < 50 + 500 + 80);
        /* First visit: barrier with the host, 0.2 ms of launch, 6,400 B at 5.5 GB/s, broadcast of 16 words. */
        uint64_t host = 600 + 266000 + 1548 + 16;
        assert_true(r->first > host + 26 && r->first < host + 80);
        assert_int_equal(r->cycles, r->first + it->compute + it->sync + it->exchange);
        free(r);
    }
}

/* 64 tracers on two chips of 96 tiles: the root, on the first, has two of its four children on the other, so that two
 * lanes of 400 B lead each way. The root's port moves 800 B at 4 B a cycle, ten links of 13.6 GB/s are faster; a hop
 * takes 250 ns. Chips meet in 600 cycles and 2 x 15 ns. */
TEST(two_chips_by_hand) {
    for (int detail = FS_DETAIL_PHASE; detail <= FS_DETAIL_EVENT; detail++) {
        fs_arena *arena = test_arena();
        fs_machine_params m = fs_test_small();
        m.chips = 2;
        m.fabric = (fs_chips_params){
            .kind = FS_CHIPS_PAIRS, .bandwidth = 16e9, .efficiency = 85, .latency = 250e-9, .sync = 15e-9};
        simulation *s = create(arena, m, 64, 400);
        record *r = run(s, arena, (fs_detail)detail);
        assert_int_equal(r->status, FS_OK);
        const kept_iteration *it = &r->iteration[0];
        assert_int_equal(it->sync, 76 + 5 + 4 + 600 + 40);
        const uint64_t between = 50 + 200 + 333, inside = it->exchange - between;
        assert_true(inside > 50 + 500 + 26 && inside < 50 + 500 + 80); /* five lanes of a router of level 1 */
        const uint32_t root = 32 + 8 + 2; /* behind the tracers and routers of its half */
        assert_int_equal(s->overlay.level[root], 3);
        assert_int_equal(r->tile[1][root], 5 * 400);
        assert_int_equal(r->tile[3][root], 5 * 100);
        assert_int_equal(r->tile[1][SMALL_TILES], 400); /* the first tracer there */
        free(r);
        m.fabric.bandwidth = 0.1e9; /* 800 B at 10 x 85 MB/s are 1,252 cycles */
        s = create(arena, m, 64, 400);
        r = run(s, arena, (fs_detail)detail);
        assert_int_equal(r->iteration[0].exchange, inside + 50 + 1252 + 333);
        free(r);
    }
}

/* A call of n slots on each of six workers is launch + 6 n cycles, whatever the tile's neighbours do. The
 * measured trivial call of 288 cycles (ipu.md 3) is one of 44 slots, entry and exit of a worker included. */
static fs_status one_tracer(void *self, fs_moment at, const uint32_t **active, uint32_t *count,
                            fs_error *err) {
    simulation *s = self;
    (void)at;
    (void)err;
    uint32_t *counts = fs_device_counts(s->device, 5);
    for (uint32_t w = 0; w < 6; w++)
        counts[w * FS_MAX_EVENTS + 1] = 9; /* visits: 5 + 3 + 3 - 2 = 9 slots each */
    fs_device_done(s->device, 5);
    s->active[0] = 5;
    *active = s->active;
    *count = 1;
    return FS_OK;
}

TEST(six_worker_call_by_hand) {
    fs_arena *arena = test_arena();
    simulation *s = create(arena, fs_test_small(), 64, 400);
    static record r;
    s->programs[FS_ROLE_ROUTER] = NULL;
    s->machine.host.fused = false;
    s->repeat = 1;
    s->record = &r;
    s->occupied = FS_NEW(arena, uint32_t, s->overlay.lane_count);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { /* a client of its own, so a fork of its own */
        fs_error err = {0};
        spread_programs(s, arena);
        fs_device_client client = {s, one_tracer, draw_exchange, decide, finished, NULL, NULL};
        const fs_device_plan plan =
            fs_overlay_device_plan(&s->overlay, &s->by_tile, s->transfers, &s->first, arena);
        s->device = fs_device_create(arena, &s->machine, &plan, FS_DETAIL_EVENT, &err);
        bool fine = fs_device_run(s->device, &client, &err) == FS_OK;
        fine &= fs_device_idle_cycles(s->device, 0, 0) == 23 + 6 * 9;
        fine &= fs_device_idle_cycles(s->device, 0, 64) == 0;
        fine &= r.iteration[0].compute == 23 + 6 * (9 + 9 * 9) && r.iteration[0].pace_tile == 5;
        /* unfused: two launches with their barriers, then the visit: 2,464 B over the link, no broadcast */
        fine &= r.iteration[0].host == 3 * (600 + 266000) + 596;
        _exit(fine ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- how a run ends ---- */

static fs_status fails_at_two(uint64_t iteration, fs_error *err) {
    return iteration == 2 ? fs_fail(err, FS_IO, "no more traffic") : FS_OK;
}

static fs_status interrupted_at_two(uint64_t iteration, fs_error *err) {
    (void)err;
    fs_catch_signals();
    if (iteration == 2)
        raise(SIGINT);
    return FS_OK;
}

TEST(errors_end_the_run) {
    for (int detail = FS_DETAIL_PHASE; detail <= FS_DETAIL_EVENT; detail++) {
        fs_arena *arena = test_arena();
        simulation *s = create(arena, fs_test_small(), 16, 400);
        s->iterations = 6;
        s->fails = fails_at_two;
        record *r = run(s, arena, (fs_detail)detail);
        assert_int_equal(r->status, FS_IO);
        assert_string_equal(r->text, "no more traffic");
        assert_int_equal(r->iterations, 2);
        free(r);
        s->fails = interrupted_at_two;
        r = run(s, arena, (fs_detail)detail);
        assert_int_equal(r->status, FS_RUN);
        assert_string_equal(r->text, "interrupted after 3 iterations");
        free(r);
        s->fails = NULL;
        s->tamper = true;
        r = run(s, arena, (fs_detail)detail);
        assert_fails(r->status, FS_BROKEN, r, "tile 0, worker 3");
        free(r);
        s->tamper = false;
        s->machine.exchange.column_same.count = 1;
        r = run(s, arena, (fs_detail)detail);
        assert_int_equal(r->status, FS_INPUT);
        free(r);
    }
}

RUN_TESTS(NULL, NULL)
