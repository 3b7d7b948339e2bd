/* The decoupled engine by hand: credits on a lane of one place, messages of many rays, two senders at one
 * receiver, calls that take time, the window. A script of rays on a quadtree over four tracers, whose calls
 * cost nothing unless said; one simulation to a process. */
#include "models/ipu/decoupled.h"

#include "models/overlay/device_plan.h"
#include "models/overlay/kinds/kinds.h"
#include "sim/config/config.h"
#include "tests/support/chip.h"
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { RAYS = 200, LANES = 16, RAY_BYTES = 20, ROUTER = 4 };

#define CHECK_EQUAL(a, b)                                                                                    \
    do {                                                                                                     \
        unsigned long long left_ = (unsigned long long)(a), right_ = (unsigned long long)(b);                \
        if (left_ != right_) {                                                                               \
            fprintf(stderr, "%s:%d: %s = %llu, %s = %llu\n", __FILE__, __LINE__, #a, left_, #b, right_);     \
            _exit(1);                                                                                        \
        }                                                                                                    \
    } while (0)

/* Rays go from the generator by the router to tracer `to`; with `back` they return to the router and end
 * there. */
typedef struct script {
    uint32_t rays, at_once; /* to be made; most in a call of the generator */
    uint32_t to[RAYS];
    bool back;
    uint32_t capacity, window;
    uint32_t router_slots; /* of worker 0 for each ray */
    fs_machine_params machine;
    fs_overlay overlay;
    fs_decoupled *d;
    uint32_t queue[LANES][2 * RAYS], first[LANES], count[LANES];
    uint32_t made, ended, ending;
    uint64_t end_of[RAYS]; /* call that ended it */
    uint32_t ending_ray[RAYS];
    uint64_t begun;
    bool network;
    uint32_t arrived; /* rays, over all lanes of a network */
} script;

static uint32_t in_lane(const script *s, uint32_t tile, uint32_t port) {
    return s->overlay.in_lane[s->overlay.in_start[tile] + port];
}
static uint32_t out_lane(const script *s, uint32_t tile, uint32_t port) {
    return s->overlay.out_lane[s->overlay.out_start[tile] + port];
}

static bool put(script *s, uint32_t lane, uint32_t ray) {
    fs_decoupled_queue *queue = &fs_decoupled_queues(s->d)[lane];
    if (queue->room == 0)
        return false;
    s->queue[lane][s->first[lane] + s->count[lane]++] = ray;
    fs_decoupled_put(queue);
    return true;
}

/* Takes rays in their order while `next` has room for them; those without a next lane end. */
static uint32_t pass(script *s, uint32_t in, bool (*next)(script *s, uint32_t ray), uint32_t *taken) {
    uint32_t waiting = fs_decoupled_queues(s->d)[in].waiting, n = 0;
    while (n < waiting && next(s, s->queue[in][s->first[in] + n]))
        n++;
    s->first[in] += n;
    s->count[in] -= n;
    fs_decoupled_take(s->d, in, n);
    *taken += n;
    return n < waiting ? FS_CALL_BLOCKED : 0;
}

static bool to_tracer(script *s, uint32_t ray) {
    return put(s, out_lane(s, ROUTER, s->to[ray]), ray);
}

static bool end_here(script *s, uint32_t ray) {
    s->ending_ray[s->ending++] = ray;
    fs_decoupled_finish(s->d);
    return true;
}

static bool to_router(script *s, uint32_t ray) {
    return s->back ? put(s, out_lane(s, s->to[ray], 0), ray) : end_here(s, ray);
}

static uint32_t begin(void *self, uint32_t tile, uint64_t now, uint32_t *counts) {
    script *s = self;
    uint32_t taken = 0, blocked = 0;
    if (tile == s->overlay.generator_tile) {
        if (s->made == 0)
            s->begun = now;
        while (s->made < s->rays && taken < s->at_once && fs_decoupled_allowance(s->d) > 0 &&
               put(s, out_lane(s, tile, 0), s->made)) {
            fs_decoupled_inject(s->d);
            s->made++;
            taken++;
        }
        blocked = s->made < s->rays ? FS_CALL_BLOCKED : 0;
    } else if (tile == ROUTER) {
        for (uint32_t port = 0; port < 5; port++)
            blocked |= pass(s, in_lane(s, tile, port), port == 4 ? to_tracer : end_here, &taken);
        counts[0] = taken * s->router_slots;
    } else {
        blocked = pass(s, in_lane(s, tile, 0), to_router, &taken);
    }
    return (taken > 0 ? (uint32_t)FS_CALL_BEGUN : 0) | blocked;
}

static void end(void *self, uint32_t tile, uint64_t now) {
    script *s = self;
    if (tile != ROUTER && s->back)
        return;
    if (tile == s->overlay.generator_tile || (tile == ROUTER && !s->back))
        return;
    for (uint32_t i = 0; i < s->ending; i++, s->ended++)
        s->end_of[s->ending_ray[i]] = now - s->begun;
    s->ending = 0;
    if (s->ended == s->rays)
        fs_decoupled_stop(s->d);
}

static uint64_t latency(const script *s, uint32_t src, uint32_t dst) {
    return fs_fabric_latency(fs_device_fabric(fs_decoupled_device(s->d), 0), src, dst);
}

/* 20 B a ray, 4 B a cycle: 4 B of header; over a network one flit of header for each 256 B. */
static uint64_t port(const script *s, uint64_t rays) {
    return s->network ? 5 * rays + (20 * rays + 255) / 256 : 1 + 5 * rays;
}

/* What a call of no cycles sends in the cycle of an arrival a network takes in the next one. */
static uint64_t late(const script *s) {
    return s->network && s->router_slots == 0;
}

static void sent(void *self, uint32_t lane, uint32_t rays, uint64_t start, uint64_t arrival) {
    const script *s = self;
    (void)lane;
    (void)rays;
    if (s->network ? start != arrival : start >= arrival)
        _exit(1);
}

/* A message that met no other took what the closed form says. */
static void arrived(void *self, uint32_t lane, uint32_t before, uint32_t rays, uint64_t cycles) {
    script *s = self;
    const fs_lane *of = &s->overlay.lanes[lane];
    (void)before;
    CHECK_EQUAL(cycles, port(s, rays) + latency(s, of->src, of->dst) + (of->src == ROUTER ? late(s) : 0));
    s->arrived += rays;
}

static void last_visit(void *self, fs_host_visit *visit) {
    (void)self;
    visit->visit = true;
}

static void finished(void *self, const fs_iteration *slice) {
    (void)self;
    (void)slice;
}

static void simulate(script *s) {
    static const int64_t grid[] = {8, 12};
    static const fs_event nothing[] = {{.name = "ray", .doc = "", .source = "", .op = {[FS_OP_INT] = 1}}};
    static const fs_program program = {.name = "any", .segments = 1, .events = nothing, .event_count = 1};
    const fs_program *const by_role[FS_ROLE_COUNT] = {
        [FS_ROLE_TRACER] = &program, [FS_ROLE_ROUTER] = &program, [FS_ROLE_GENERATOR] = &program};
    fs_arena *arena = fs_arena_create();
    fs_quadtree_params quadtree;
    fs_error err = {0};
    s->machine = fs_test_small();
    s->machine.exchange.mode = FS_EXCHANGE_DYNAMIC;
    s->machine.exchange.kind = s->network ? FS_FABRIC_NOC : FS_FABRIC_PORTS;
    s->machine.noc = (fs_noc_options){.topology = FS_NOC_MESH,
                                      .size = {grid, 2},
                                      .size_given = true,
                                      .vcs = 4,
                                      .buffer = 16,
                                      .link = 1,
                                      .width = 4,
                                      .packet = 256,
                                      .header = 1};
    s->machine.tile.vertex_overhead = s->machine.tile.runall = s->machine.tile.join = 0;
    fs_params_default(arena, &fs_overlay_quadtree_table, &quadtree);
    const fs_overlay_site site = {.machine = &s->machine, .shards = 4, .payload_bytes = RAY_BYTES};
    CHECK_EQUAL(fs_overlay_quadtree.plan(&quadtree, &site, arena, &s->overlay, &err), FS_OK);
    fs_device_programs programs = fs_overlay_programs_by_role(&s->overlay, by_role, arena);
    uint32_t *capacity = FS_NEW(arena, uint32_t, s->overlay.lane_count);
    fs_transfer *transfers = FS_NEW(arena, fs_transfer, s->overlay.lane_count);
    for (uint32_t l = 0; l < s->overlay.lane_count; l++) {
        const fs_lane *lane = &s->overlay.lanes[l];
        capacity[l] = lane->src == s->overlay.generator_tile ? s->capacity : RAYS;
        transfers[l] = (fs_transfer){lane->src, lane->dst, capacity[l] * RAY_BYTES};
    }
    const fs_device_plan plan =
        fs_overlay_decoupled_plan(&s->overlay, &programs, transfers, &(fs_host_visit){.visit = true}, arena);
    const uint32_t safe = fs_overlay_safe_window(&s->overlay, capacity, false);
    const fs_decoupled_setup setup = {.machine = &s->machine,
                                      .plan = &plan,
                                      .capacity = capacity,
                                      .ray_bytes = RAY_BYTES,
                                      .window = s->window > 0 ? s->window : safe,
                                      .safe_window = safe,
                                      .slice = 1000,
                                      .max_slices = 1000};
    s->d = fs_decoupled_create(arena, &setup, &err);
    const fs_decoupled_client client = {s, begin, end, sent, arrived, last_visit, finished};
    fs_decoupled_run(s->d, &client, &err);
    if (err.status)
        fprintf(stderr, "%s\n", err.text);
    CHECK_EQUAL(err.status, FS_OK);
    CHECK_EQUAL(s->ended, s->rays);
    CHECK_EQUAL(s->network ? s->arrived > s->rays : s->arrived == 0, 1);
}

/* ---- what is expected ---- */

/* One place: the next ray leaves when the credit of the one before is back. */
static void lane_of_one_place(script *s) {
    s->rays = s->at_once = 20;
    s->capacity = 1;
    simulate(s);
    const uint32_t g = s->overlay.generator_tile;
    const uint64_t there = latency(s, g, ROUTER), back = latency(s, ROUTER, g), on = latency(s, ROUTER, 0);
    for (uint32_t r = 0; r < s->rays; r++)
        CHECK_EQUAL(s->end_of[r],
                    r * (port(s, 1) + there + back) + port(s, 1) + there + port(s, 1) + on + late(s));
    CHECK_EQUAL(fs_decoupled_totals_of(s->d).messages, 2 * s->rays);
}

/* Room for all: one message on each lane. */
static void rays_travel_together(script *s) {
    s->rays = s->at_once = 50;
    s->capacity = RAYS;
    simulate(s);
    const uint64_t want =
        2 * port(s, 50) + latency(s, s->overlay.generator_tile, ROUTER) + latency(s, ROUTER, 0) + late(s);
    for (uint32_t r = 0; r < s->rays; r++)
        CHECK_EQUAL(s->end_of[r], want);
    CHECK_EQUAL(fs_decoupled_totals_of(s->d).messages, 2);
    CHECK_EQUAL(fs_decoupled_totals_of(s->d).cycles_stalled, 0);
}

/* Tracer 0 sends 50 rays back; tracer 1's one ray asks for the router's port meanwhile and waits. */
static void one_receiver_at_a_time(script *s) {
    s->rays = s->at_once = 51;
    s->to[50] = 1;
    s->back = true;
    s->capacity = RAYS;
    simulate(s);
    const uint64_t start = port(s, 51) + latency(s, s->overlay.generator_tile, ROUTER);
    const uint64_t asks0 = start + port(s, 50) + latency(s, ROUTER, 0),
                   asks1 = start + port(s, 50) + port(s, 1) + latency(s, ROUTER, 1);
    CHECK_EQUAL(asks1 < asks0 + port(s, 50), 1);
    const fs_device_totals t = fs_device_totals_of(fs_decoupled_device(s->d));
    CHECK_EQUAL(t.port_waiting_out[1], asks0 + port(s, 50) - asks1);
    CHECK_EQUAL(t.port_waiting_out[0], 0);
    CHECK_EQUAL(s->end_of[0], asks0 + port(s, 50) + latency(s, 0, ROUTER));
    CHECK_EQUAL(s->end_of[50], asks0 + port(s, 50) + port(s, 1) + latency(s, 1, ROUTER));
    CHECK_EQUAL(t.port_busy_in[ROUTER], port(s, 51) + port(s, 50) + port(s, 1));
}

/* Rays that come while a call runs are taken together by the next. */
static void a_call_keeps_the_next_rays_waiting(script *s) {
    s->rays = 21;
    s->at_once = 1; /* a message for each ray: the port takes 6 cycles, a call of one ray 6 * 100 */
    s->capacity = RAYS;
    s->router_slots = 100;
    simulate(s);
    const uint64_t first = port(s, 1) + latency(s, s->overlay.generator_tile, ROUTER);
    const uint64_t on = port(s, 1) + latency(s, ROUTER, 0);
    CHECK_EQUAL(s->end_of[0], first + 600 + on);
    for (uint32_t r = 1; r < s->rays; r++)
        CHECK_EQUAL(s->end_of[r], first + 600 + 20 * 600 + port(s, 20) + latency(s, ROUTER, 0));
}

/* A window of three: the generator makes the fourth ray when the first one's end is known to it. */
static void the_window_is_kept(script *s) {
    s->rays = 4;
    s->at_once = RAYS;
    s->capacity = RAYS;
    s->window = 3;
    simulate(s);
    const uint32_t g = s->overlay.generator_tile;
    const uint64_t way = latency(s, g, ROUTER) + latency(s, ROUTER, 0) + late(s);
    CHECK_EQUAL(s->end_of[0], 2 * port(s, 3) + way);
    CHECK_EQUAL(s->end_of[3], 2 * port(s, 3) + way + latency(s, 0, g) + 2 * port(s, 1) + way);
    CHECK_EQUAL(fs_decoupled_totals_of(s->d).most_in_flight, 3);
}

static void in_child_over(bool network, void (*body)(script *s)) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        script *s = calloc(1, sizeof *s);
        s->network = network;
        body(s);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Over ports, and over a network where nothing meets. */
static void in_child(void (*body)(script *s)) {
    in_child_over(false, body);
    in_child_over(true, body);
}

TEST(credits) {
    in_child(lane_of_one_place);
}
TEST(messages) {
    in_child(rays_travel_together);
}
TEST(ports) {
    in_child_over(false, one_receiver_at_a_time);
}
TEST(calls) {
    in_child(a_call_keeps_the_next_rays_waiting);
}
TEST(window) {
    in_child(the_window_is_kept);
}

RUN_TESTS(NULL, NULL)
