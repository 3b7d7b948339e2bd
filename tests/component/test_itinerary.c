/* Itineraries against rays marched in one go: the legs of a ray add up to what it did, name its shards in
 * turn, and end in its state; also where a visit needs several legs and where blocks of legs move from one
 * chunk to the next. */
#include "tests/support/foam/small_foam.h"
#include "tests/support/test.h"
#include "workloads/foam/march/itinerary.h"
#include "workloads/foam/march/reference.h"
#include "workloads/foam/partition/partition.h"

enum { SITES = 40000, WIDTH = 256, HEIGHT = 192, SEED = 4711 };

static fs_foam foam; /* of all tests: sites through mostly empty space, which rays pass wholly */

typedef struct world {
    fs_arena *arena;
    fs_partition partition;
    fs_march_scene scene;
    fs_march_params march;
    fs_camera camera;
    uint32_t place;
    fs_itinerary itinerary;
    fs_itinerary_view view;
} world;

static int mesh(void **state) {
    (void)state;
    const fs_test_foam_options options = {
        .sites = SITES, .seed = SEED, .empty_share = 0.9, .density_low = 0.1, .density_high = 2.0};
    return fs_test_foam_make(&options, &foam) == FS_OK ? 0 : -1;
}

static int leave(void **state) {
    (void)state;
    fs_foam_free(&foam);
    return 0;
}

/* Payload full: hand-overs change nothing. */
static void make(world *w, uint32_t shards, bool columns) {
    fs_error err = {0};
    const fs_partition_params cut = {.shards = shards};
    const fs_camera_params camera = {.width = WIDTH,
                                     .height = HEIGHT,
                                     .position = {-0.93, -0.81, -0.87},
                                     .look_at = {0.9, 0.86, 0.94},
                                     .position_given = true,
                                     .look_at_given = true,
                                     .fov_y = 60};
    memset(w, 0, sizeof *w);
    w->arena = fs_arena_create();
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &foam, &cut, w->arena, &w->partition, &err),
                     FS_OK);
    assert_int_equal(fs_march_scene_make(&foam, &w->partition, &w->scene, &err), FS_OK);
    assert_int_equal(fs_camera_make(&camera, "camera", &w->camera, &err), FS_OK);
    w->march = (fs_march_params){.threshold = 0.01, .step_limit = 1000000};
    w->place = fs_march_nearest(&w->scene, &w->partition, w->camera.origin);
    const fs_journey journey = {.scene = &w->scene,
                                .march = &w->march,
                                .payload = &fs_payloads[0],
                                .round_at_end = true,
                                .columns = columns};
    fs_itinerary_create(&w->itinerary, w->arena, &journey, WIDTH, HEIGHT);
    assert_int_equal(fs_itinerary_march(&w->itinerary, &w->camera, w->place, &w->view, NULL, &err), FS_OK);
}

static void end(world *w) {
    fs_march_scene_free(&w->scene);
    fs_arena_free(w->arena);
}

/* Adds the legs of a ray up; returns how many legs continued a visit. */
static uint32_t add_up(const world *w, uint32_t first, fs_march_counts *sum, uint32_t *visits,
                       uint32_t *last_shard) {
    uint32_t continued = 0, shard = w->scene.cell[w->place].shard;
    const fs_leg *leg;
    *visits = 0;
    do {
        leg = fs_itinerary_leg(&w->itinerary, first);
        first += FS_LEG_STRIDE;
        sum->cells += leg->cells;
        sum->faces += leg->faces;
        sum->front += leg->front;
        sum->nearest += leg->nearest & (FS_LEG_DEPTH - 1);
        sum->depth_marks += leg->nearest / FS_LEG_DEPTH;
        continued += leg->next == FS_LEG_MORE;
        if (leg->next != FS_LEG_MORE) {
            ++*visits;
            *last_shard = shard;
            shard = leg->next;
        }
    } while (leg->next != FS_LEG_ENDS);
    return continued;
}

static uint64_t compare_all(const world *w) {
    uint64_t continued = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            size_t pixel = (size_t)y * WIDTH + x;
            float direction[3];
            uint32_t cell = w->place, visits, last_shard;
            fs_ray_state whole = {.T = 1.0f};
            fs_march_counts seen = {0}, sum = {0};
            fs_camera_direction(&w->camera, x, y, direction);
            fs_march(&w->scene, &w->march, w->camera.origin, direction, 0, w->scene.cells, &cell, &whole,
                     &seen);
            continued += add_up(w, w->view.first[pixel], &sum, &visits, &last_shard);
            assert_memory_equal(&sum, &seen, sizeof seen);
            assert_int_equal(last_shard, w->scene.cell[cell].shard);
            whole.depth = 0.0f; /* full carries none */
            assert_memory_equal(&w->view.end[pixel], &whole, sizeof whole);
        }
    return continued;
}

/* Two shards: visits of more cells than one leg can count. */
TEST(long_visits_take_several_legs) {
    world w;
    make(&w, 2, false);
    uint64_t continued = compare_all(&w);
    print_message("%llu visits went on in another leg\n", (unsigned long long)continued);
    assert_true(continued > 100);
    end(&w);
}

/* Many shards: more legs than a chunk holds, so that blocks move. Scanned by columns, too. */
TEST(many_legs_fill_several_chunks) {
    for (int columns = 0; columns <= 1; columns++) {
        world w;
        make(&w, 1024, columns == 1);
        assert_true(w.itinerary.chunks > 1);
        compare_all(&w);
        end(&w);
    }
}

static uint64_t differing_legs(const fs_itinerary *it, const fs_itinerary_view *a,
                               const fs_itinerary_view *b) {
    uint64_t different = 0;
    for (size_t pixel = 0; pixel < (size_t)WIDTH * HEIGHT; pixel++) {
        const fs_leg *one, *other;
        uint32_t at = 0;
        do {
            one = fs_itinerary_leg(it, a->first[pixel] + at);
            other = fs_itinerary_leg(it, b->first[pixel] + at);
            different += memcmp(one, other, sizeof *one) != 0;
            at += FS_LEG_STRIDE;
        } while (one->next != FS_LEG_ENDS);
    }
    return different;
}

/* The walk that serves both gives the picture of the render that knows no shards, and the itineraries of the
 * walk that serves them alone: for every payload, by rows and columns, with either hull. */
TEST(the_picture_beside_them_is_the_reference) {
    const size_t pixels = (size_t)WIDTH * HEIGHT;
    fs_error err = {0};
    world w;
    make(&w, 256, false);
    for (int n = 0; n < 4; n++) {
        fs_itinerary *it = &w.itinerary;
        fs_itinerary_view alone, both;
        fs_reference picture, render;
        w.march.hull_opaque = n % 3 == 1;
        it->journey.payload = &fs_payloads[n];
        it->journey.columns = n % 2 == 1;
        assert_int_equal(fs_itinerary_march(it, &w.camera, w.place, &alone, NULL, &err), FS_OK);
        assert_int_equal(fs_itinerary_march(it, &w.camera, w.place, &both, &picture, &err), FS_OK);
        assert_int_equal(fs_reference_render(&w.scene, &w.partition, &w.camera, &w.march, &render, &err), 0);
        assert_int_equal(memcmp(picture.rgb, render.rgb, 3 * pixels * sizeof *render.rgb), 0);
        assert_int_equal(memcmp(picture.depth, render.depth, pixels * sizeof *render.depth), 0);
        assert_int_equal(memcmp(picture.cells, render.cells, pixels * sizeof *render.cells), 0);
        assert_int_equal(memcmp(both.end, alone.end, pixels * sizeof *both.end), 0);
        assert_int_equal(differing_legs(it, &both, &alone), 0);
        fs_reference_free(&picture);
        fs_reference_free(&render);
    }
    end(&w);
}

RUN_TESTS(mesh, leave)
