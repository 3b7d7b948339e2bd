/* The naive model alone: cases worked out by hand on a chain of cells. */
#include "tests/support/foam/naive_foam.h"

#include "models/overlay/kinds/kinds.h"
#include "sim/base/alloc.h"
#include "tests/support/test.h"

static const fs_quadtree_params tree = {.router_buffer = 576000,
                                        .tracer_buffer = 115200,
                                        .generator.buffer = 115200,
                                        .generator.ring = 5760,
                                        .generator.tile = -1};
static const fs_machine_params small = {.name = "gc200-small", .geometry = {4, 6, 4}};

/* ---- the chain: four cells at x = 0, 1, 2, 3, one to a shard, four tracers, one router ---- */

enum { ROUTER = 4, GENERATOR = 84, PARENT = 4, CHAIN = 4 };

typedef struct chain {
    float x[CHAIN], y[CHAIN], z[CHAIN], density[CHAIN];
    uint8_t rgb[3 * CHAIN];
    uint64_t adjacency_end[CHAIN];
    uint32_t adjacency[2 * CHAIN - 2];
    uint32_t shard_start[CHAIN + 1], order[CHAIN], place[CHAIN];
    fs_partition partition;
    fs_march_scene scene;
    fs_overlay overlay;
    fs_camera camera;
    uint32_t capacity[10];
    fs_arena *arena;
    fs_naive_config config;
    fs_naive_result result;
} chain;

/* A camera in cell 0, all of whose rays run along x, so that all take the same path: through the cells until
 * one that is opaque. Every lane has `capacity` slots. */
static void begin_chain(chain *c, uint32_t width, uint32_t height, uint32_t opaque, uint32_t capacity) {
    memset(c, 0, sizeof *c);
    uint32_t faces = 0;
    for (uint32_t i = 0; i < CHAIN; i++) {
        c->x[i] = (float)i;
        c->density[i] = i == opaque ? 1000.0f : 0.0f;
        memset(&c->rgb[3 * i], 255, 3);
        if (i > 0)
            c->adjacency[faces++] = i - 1;
        if (i + 1 < CHAIN)
            c->adjacency[faces++] = i + 1;
        c->adjacency_end[i] = faces;
        c->order[i] = c->place[i] = c->shard_start[i] = i;
    }
    c->shard_start[CHAIN] = CHAIN;
    c->partition =
        (fs_partition){.shards = CHAIN, .shard_start = c->shard_start, .order = c->order, .place = c->place};
    fs_foam foam = {.sites = CHAIN,
                    .faces = faces,
                    .x = c->x,
                    .y = c->y,
                    .z = c->z,
                    .density = c->density,
                    .rgb = c->rgb,
                    .adjacency_end = c->adjacency_end,
                    .adjacency = c->adjacency};
    fs_error err = {0};
    assert_int_equal(fs_march_scene_make(&foam, &c->partition, &c->scene, &err), FS_OK);
    c->arena = fs_arena_create();
    assert_int_equal(fs_overlay_quadtree.plan(&tree, &(fs_overlay_site){.machine = &small, .shards = 4},
                                              c->arena, &c->overlay, &err),
                     FS_OK);
    assert_int_equal(c->overlay.generator_tile, GENERATOR);
    assert_int_equal(c->overlay.lane_count, 10);
    c->camera = (fs_camera){
        .width = width, .height = height, .forward = {1.0f}, .right = {0, -1.0f}, .down = {0, 0, -1.0f}};
    for (uint32_t l = 0; l < 10; l++)
        c->capacity[l] = capacity;
    c->config = (fs_naive_config){.overlay = &c->overlay,
                                  .scene = &c->scene,
                                  .partition = &c->partition,
                                  .camera = &c->camera,
                                  .march = {.threshold = 0.01, .step_limit = 1000},
                                  .payload = &fs_payloads[0],
                                  .workers = 1,
                                  .lane_capacity = c->capacity,
                                  .per_batch = 1,
                                  .repeat = 1,
                                  .frames = 1,
                                  .coverage = 1.0,
                                  .max_iterations = 1000};
}

static void end_chain(chain *c) {
    fs_naive_free(&c->result);
    fs_march_scene_free(&c->scene);
    fs_arena_free(c->arena);
}

/* Both lanes between the router and the neighbour at `port`. */
static void set_capacity(chain *c, uint32_t port, uint32_t capacity) {
    c->capacity[c->overlay.out_lane[c->overlay.out_start[ROUTER] + port]] = capacity;
    c->capacity[c->overlay.in_lane[c->overlay.in_start[ROUTER] + port]] = capacity;
}

static uint32_t event(const chain *c, uint32_t iteration, uint32_t tile, uint32_t worker, const char *name) {
    return fs_naive_event(&c->config, &c->result, iteration, tile, worker, name);
}

static void expect_pixel(const chain *c, uint32_t pixel, const fs_naive_pixel *want) {
    const fs_naive_pixel *is = &c->result.pixel[pixel];
    assert_true(is->written);
    assert_int_equal(is->tracer_visits, want->tracer_visits);
    assert_int_equal(is->router_visits, want->router_visits);
    assert_int_equal(is->misrouted, want->misrouted);
    assert_int_equal(is->delivery_hops, want->delivery_hops);
    assert_int_equal(is->alive, want->alive);
    assert_int_equal(is->waiting, want->waiting);
    assert_int_equal(is->shortest, want->alive - want->waiting);
}

/* Nothing is opaque: generator 0, router 1, tracer 0 in 2, router 3, tracer 1 in 4, router 5, tracer 2 in 6,
 * router 7, tracer 3 in 8 where the hull ends it; its pixel is tracer 0's: router 9, tracer 0 in 10. */
TEST(one_ray_alone) {
    chain c;
    begin_chain(&c, 1, 1, CHAIN, 3);
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iterations, 11);
    assert_true(c.result.complete);
    expect_pixel(&c, 0,
                 &(fs_naive_pixel){.tracer_visits = 4, .router_visits = 4, .delivery_hops = 2, .alive = 11});
    assert_int_equal(event(&c, 0, GENERATOR, 0, "ray"), 1);
    assert_int_equal(event(&c, 1, GENERATOR, 0, "wipe"), 1);
    for (uint32_t k = 0; k < 11; k++) {
        uint32_t holder = k == 10 ? 0 : k % 2 ? ROUTER : k / 2 - 1;
        for (uint32_t tile = 0; tile < c.result.tiles; tile++)
            assert_int_equal(c.result.held[k * c.result.tiles + tile], k > 0 && tile == holder);
    }
    /* The ends of the chain have one face, those between two; one of each cell's is front-facing but the
     * last's. */
    static const uint32_t faces[] = {1, 2, 2, 1}, front[] = {1, 1, 1, 0};
    for (uint32_t t = 0; t < CHAIN; t++) {
        uint32_t k = 2 * t + 2;
        assert_int_equal(event(&c, k, t, 0, "setup"), 1);
        assert_int_equal(event(&c, k, t, 0, "cell"), 1);
        assert_int_equal(event(&c, k, t, 0, "face"), faces[t]);
        assert_int_equal(event(&c, k, t, 0, "front"), front[t]);
        assert_int_equal(event(&c, k, t, 0, "nearest"), front[t]);
        assert_int_equal(event(&c, k, t, 0, "cross"), t < 3);
        assert_int_equal(event(&c, k, t, 0, "finish"), t == 3);
        assert_int_equal(event(&c, k + 1, t, 0, "wipe"), 1);
    }
    assert_int_equal(event(&c, 10, 0, 0, "pixel"), 1);
    assert_int_equal(fs_naive_event_sum(&c.config, &c.result, FS_ROLE_ROUTER, "count"), 5);
    assert_int_equal(fs_naive_event_sum(&c.config, &c.result, FS_ROLE_ROUTER, "skip"), 0);
    end_chain(&c);
}

/* Cell 2 is opaque: one crossing less (2 hops), white, and T halves ln 2 / 1000 behind the face at 1.5. */
TEST(an_opaque_cell_ends_it) {
    chain c;
    begin_chain(&c, 1, 1, 2, 3);
    c.config.payload = &fs_payloads[2]; /* half: the one that carries depth */
    fs_naive_run(&c.config, &c.result);
    expect_pixel(&c, 0,
                 &(fs_naive_pixel){.tracer_visits = 3, .router_visits = 3, .delivery_hops = 2, .alive = 9});
    assert_int_equal(event(&c, 6, 2, 0, "depth"), 1);
    for (uint32_t i = 0; i < 3; i++)
        assert_float_equal(c.result.rgb[i], 1.0f, 1e-3f);
    assert_float_equal(c.result.depth[0], 1.5f + 0.000693f, 1e-3f); /* one fp16 unit at 1.5 */
    end_chain(&c);
}

/* Local framebuffer, cell 0 opaque, lanes of 2, 3 pixels: generator 0, router 1, tracer 0 in 2 writes two of
 * them and has one free record for two slots: the host comes. The third, a turn later, leaves two: it comes
 * after 5 as usual. */
TEST(local_records_call_the_host) {
    chain c;
    begin_chain(&c, 3, 1, 0, 2);
    c.config.local_framebuffer = true;
    c.config.local_records = 3;
    c.config.ring = 1;
    c.config.repeat = 5;
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iterations, 5);
    for (uint32_t k = 0; k < 5; k++)
        assert_int_equal(c.result.iteration[k].visit, k == 2 || k == 4);
    for (uint32_t i = 0; i < 3; i++)
        expect_pixel(
            &c, i,
            &(fs_naive_pixel){.tracer_visits = 1, .router_visits = 1, .alive = 3 + i / 2, .waiting = i / 2});
    assert_int_equal(fs_naive_event_sum(&c.config, &c.result, FS_ROLE_TRACER, "pixel"), 3);
    assert_int_equal(fs_naive_event_sum(&c.config, &c.result, FS_ROLE_TRACER, "finish"), 0);
    assert_int_equal(event(&c, 3, ROUTER, 0, "skip"), 4); /* two consumed slots, twice */
    assert_int_equal(c.result.frame[0].last_pixel, 4);    /* when the host has read it */
    end_chain(&c);
}

/* Three rays want tracer 0, whose lane has 2 slots. With two workers the order is slots 0, 2, 1: the ray in
 * slot 1 spills to lane 1, tracer 1 passes it back, and it reaches tracer 0 in 4 behind the first to be
 * delivered. Pixels 0 and 1 belong to tracer 0, pixel 2 to tracer 1. */
TEST(a_router_spills) {
    chain c;
    begin_chain(&c, 3, 1, 0, 2);
    set_capacity(&c, PARENT, 3);
    c.config.workers = 2;
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iterations, 7);
    fs_naive_pixel straight = {.tracer_visits = 1, .router_visits = 1, .delivery_hops = 2, .alive = 5};
    expect_pixel(&c, 0, &straight);
    expect_pixel(&c, 2, &straight);
    expect_pixel(&c, 1,
                 &(fs_naive_pixel){.tracer_visits = 2,
                                   .router_visits = 2,
                                   .misrouted = 1,
                                   .delivery_hops = 2,
                                   .alive = 7,
                                   .waiting = 2});
    assert_int_equal(event(&c, 1, ROUTER, 0, "forward"), 2);
    assert_int_equal(event(&c, 1, ROUTER, 0, "spill"), 0);
    assert_int_equal(event(&c, 1, ROUTER, 1, "forward"), 1);
    assert_int_equal(event(&c, 1, ROUTER, 1, "spill"), 1);
    assert_int_equal(event(&c, 1, ROUTER, 0, "statistics"), 3);
    assert_int_equal(event(&c, 1, ROUTER, 1, "statistics"), 0);
    assert_int_equal(event(&c, 2, ROUTER, 0, "wipe"), 3); /* two of lane 0, one of lane 1 */
    assert_int_equal(event(&c, 2, 1, 0, "pass"), 1);
    assert_int_equal(event(&c, 2, 0, 0, "finish"), 1);
    assert_int_equal(event(&c, 2, 0, 1, "finish"), 1);
    /* in 4 both tracers write slot 0, and tracer 0 marches slot 1; in 5 the router finds two consumed slots
     * in two passes, and one ray */
    assert_int_equal(event(&c, 4, 0, 0, "pixel"), 1);
    assert_int_equal(event(&c, 4, 0, 1, "setup"), 1);
    assert_int_equal(event(&c, 5, ROUTER, 0, "skip"), 4);
    assert_int_equal(event(&c, 5, ROUTER, 1, "count"), 1);
    assert_int_equal(c.result.total.spilled, 1);
    assert_int_equal(c.result.iteration[2].misrouted, 1);
    const fs_naive_lane *lane = &c.result.lane[c.overlay.out_lane[c.overlay.out_start[ROUTER] + 1]];
    assert_int_equal(lane->rays, 2); /* the spilled ray in 1, pixel 2 in 3 */
    assert_int_equal(lane->spilled, 1);
    assert_int_equal(lane->full_iterations, 0);
    end_chain(&c);
}

/* Six rays want tracer 0, whose lane has one slot, as have the others; only the generator's have nine. One a
 * turn is served; the others go round by way of the tracers and, two at first, of the generator. */
TEST(rays_go_back_to_the_generator) {
    chain c;
    begin_chain(&c, 6, 1, 0, 1);
    set_capacity(&c, PARENT, 9);
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iterations, 21);
    static const uint32_t spilled[] = {5, 5, 4, 4, 3, 3, 2, 1, 0, 0}; /* in 1, 3, 5, ... 19 */
    static const uint32_t returned[] = {2, 2, 1, 1, 0};               /* to the generator, in 2, 4, ... 10 */
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(c.result.iteration[2 * i + 1].spilled, spilled[i]);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(event(&c, 2 * i + 2, GENERATOR, 0, "spill"), returned[i]);
    static const uint32_t alive[] = {5, 9, 13, 17, 19, 21};
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(c.result.pixel[i].alive, alive[i]);
    /* pixel 5: four times with the generator; spilled in 1, 3, ... 15; tracers in 10, 12, 14, 16 and 18 */
    expect_pixel(&c, 5,
                 &(fs_naive_pixel){.tracer_visits = 5,
                                   .router_visits = 9,
                                   .misrouted = 8,
                                   .delivery_hops = 2,
                                   .alive = 21,
                                   .waiting = 16});
    end_chain(&c);
}

/* Spilled rays stand in front of own ones: in 1 lane 1 takes the spilled rays of slots 1 and 2 (lane 0 has
 * one slot); the router's next out buffers are read back through the order of what follows. Two cells are
 * crossed: in 3 the ray of slot 0 wants tracer 1, and the two that tracer 1 passed back want tracer 0 still.
 * Order: slot 0 of lane 0, then slots 0, 1 of lane 1: lane 1 = [spilled of slot 1, own], so that tracer 1
 * passes slot 0 and marches slot 1. */
TEST(spilled_rays_stand_in_front) {
    chain c;
    begin_chain(&c, 3, 1, 1, 2);
    set_capacity(&c, PARENT, 3);
    set_capacity(&c, 0, 1);
    c.config.workers = 2; /* slot 0 of a tracer is worker 0's, slot 1 worker 1's */
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iteration[1].spilled, 2);
    assert_int_equal(c.result.iteration[3].spilled, 1);
    assert_int_equal(event(&c, 4, 1, 0, "pass"), 1);
    assert_int_equal(event(&c, 4, 1, 0, "setup"), 0);
    assert_int_equal(event(&c, 4, 1, 1, "setup"), 1);
    end_chain(&c);
}

/* Lane of 2, ring of 1, four rays at once: two go, one waits a turn in the ring, the last is dropped. */
TEST(the_ring_holds_and_drops) {
    chain c;
    begin_chain(&c, 4, 1, 0, 2);
    c.config.ring = 1;
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iterations, 6);
    assert_false(c.result.complete);
    assert_false(c.result.limited);
    assert_float_equal(c.result.coverage, 0.75, 0);
    assert_int_equal(c.result.iteration[0].generated, 4);
    assert_int_equal(c.result.iteration[0].dropped, 1);
    assert_int_equal(c.result.iteration[0].backlog, 1);
    assert_int_equal(c.result.iteration[0].in_flight, 3);
    assert_int_equal(event(&c, 0, GENERATOR, 0, "ray"), 4);
    assert_int_equal(event(&c, 1, GENERATOR, 0, "backlog"), 1);
    assert_int_equal(event(&c, 1, GENERATOR, 0, "wipe"), 1);
    expect_pixel(&c, 2,
                 &(fs_naive_pixel){
                     .tracer_visits = 1, .router_visits = 1, .delivery_hops = 2, .alive = 6, .waiting = 1});
    assert_false(c.result.pixel[3].written);
    assert_false(c.result.painted[3]);
    end_chain(&c);
}

/* Two rows, batches of one, three idle iterations: rays in 0, 1, 5, 6, each written four later. Visits every
 * four. */
TEST(frames_follow_idle_iterations) {
    chain c;
    begin_chain(&c, 1, 2, 0, 2);
    c.config.frames = 2;
    c.config.idle = 3;
    c.config.repeat = 4;
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iterations, 12);
    for (uint32_t k = 0; k < 12; k++)
        assert_int_equal(c.result.iteration[k].generated, k == 0 || k == 1 || k == 5 || k == 6);
    assert_int_equal(c.result.frame[0].last_pixel, 5);
    assert_int_equal(c.result.frame[0].done_after, 8);
    assert_int_equal(c.result.frame[1].last_pixel, 10);
    assert_int_equal(c.result.frame[1].done_after, 12);
    assert_true(c.result.complete);
    end_chain(&c);
}

/* The same two pixels as one column: one batch. Streamed without idling: 20 iterations, 40 rays, those of the
 * last four iterations under way at the end. */
TEST(a_stream_goes_on) {
    chain c;
    begin_chain(&c, 1, 2, 0, 3); /* lane 0 carries two new rays and a finished one a turn */
    c.config.columns = true;
    c.config.stream = true;
    c.config.repeat = 20;
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.iterations, 20);
    assert_int_equal(c.result.total.generated, 40);
    assert_int_equal(c.result.total.finished, 32);
    assert_int_equal(c.result.total.in_flight, 8);
    assert_int_equal(c.result.frame[0].last_pixel, 4);
    assert_int_equal(c.result.frame[0].done_after, 20);
    assert_true(c.result.complete);
    end_chain(&c);
}

/* 4 pixels, of which a lane of 2 and a ring of 1 take three; in frame 1, four iterations later, the same
 * three. With a ring of 2 nothing is lost; cut short after 7 iterations frame 1 is under way. */
TEST(each_frame_counts_its_own) {
    chain c;
    begin_chain(&c, 4, 1, 0, 2);
    c.config.ring = 1;
    c.config.idle = 3;
    c.config.frames = 2;
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.frame[0].written, 3);
    assert_int_equal(c.result.frame[1].written, 3);
    assert_int_equal(c.result.total.dropped, 2);
    fs_naive_free(&c.result);
    c.config.ring = 2;
    fs_naive_run(&c.config, &c.result);
    assert_int_equal(c.result.total.dropped, 0);
    assert_true(c.result.complete);
    fs_naive_free(&c.result);
    c.config.max_iterations = 7;
    fs_naive_run(&c.config, &c.result);
    assert_true(c.result.limited);
    assert_int_equal(c.result.iterations, 7);
    assert_int_equal(c.result.total.in_flight, 4); /* frame 1 */
    end_chain(&c);
}

/* 1,024 tracers, VGA: 32 x 32 slices of 20 x 15; eight tracers: 4 x 2 slices, rounded up. */
TEST(pixels_have_owners) {
    fs_camera vga = {.width = 640, .height = 480}, odd = {.width = 9, .height = 5};
    assert_int_equal(fs_naive_owner(&vga, 1024, 19, 14), 0);
    assert_int_equal(fs_naive_owner(&vga, 1024, 20, 14), 1);
    assert_int_equal(fs_naive_owner(&vga, 1024, 19, 15), 32);
    assert_int_equal(fs_naive_owner(&vga, 1024, 639, 479), 1023);
    assert_int_equal(fs_naive_owner(&odd, 8, 2, 2), 0); /* slices of 3 x 3 */
    assert_int_equal(fs_naive_owner(&odd, 8, 8, 4), 6);
}

RUN_TESTS(NULL, NULL)
