/* Messages over every listed kind of overlay: each arrives once, none too early, alone exactly on time; lanes
 * move no more than they hold, and bytes are bytes times lanes of the way. */
#include "models/overlay/messages.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/chip.h"
#include "tests/support/overlay_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHARDS = 64, PACKET = 64, MOST = 400 };

static fs_machine_params gc200;

static int setup(void **state) {
    (void)state;
    gc200 = fs_test_gc200();
    return 0;
}

/* What a test knows of its messages, and hears of them. */
typedef struct mail {
    uint32_t count;
    uint32_t from[MOST], to[MOST];
    uint64_t bytes[MOST], posted[MOST], arrived[MOST]; /* iterations; arrived UINT64_MAX: not */
} mail;

static void hear(void *self, uint64_t tag, uint64_t iteration) {
    mail *m = self;
    assert_true(tag < m->count);
    assert_true(m->arrived[tag] == UINT64_MAX); /* once */
    m->arrived[tag] = iteration;
}

/* A kind with its defaults; small buffers, so that lanes are full. NULL-like false: the kind needs more. */
static bool plan_kind(const fs_overlay_kind *kind, fs_arena *arena, fs_overlay *out) {
    void *params = fs_arena_alloc(arena, 1, kind->table->size);
    uint32_t start[SHARDS + 1], neighbour[2 * SHARDS];
    uint64_t left[SHARDS];
    if (strcmp(kind->name, "file") == 0)
        return false; /* its network is another test's */
    fs_params_default(arena, kind->table, params);
    for (uint32_t s = 0; s <= SHARDS; s++)
        start[s] = 2 * s;
    for (uint32_t s = 0; s < SHARDS; s++) {
        left[s] = 4000;
        neighbour[2 * s] = s == 0 ? 1 : s == SHARDS - 1 ? 0 : s - 1;
        neighbour[2 * s + 1] = s == 0 || s == SHARDS - 1 ? (s == 0 ? SHARDS - 1 : SHARDS - 2) : s + 1;
    }
    const fs_overlay_site site = {.machine = &gc200,
                                  .shards = SHARDS,
                                  .payload_bytes = PACKET,
                                  .free_tracer = left,
                                  .free_router = 20000,
                                  .free_generator = 20000,
                                  .neighbour_start = start,
                                  .neighbour = neighbour};
    *out = overlay_plan(kind, params, &site, arena);
    return true;
}

static fs_messages *open_mail(fs_arena *arena, const fs_overlay *o, mail *m) {
    static fs_error err;
    err = (fs_error){0};
    const fs_messages_setup setup = {
        .packet_bytes = PACKET, .messages = MOST, .packets = 40 * MOST, .arrived = hear, .self = m};
    fs_messages *messages = fs_messages_create(arena, o, &setup, &err);
    if (messages == NULL)
        fail_msg("%s", err.text);
    return messages;
}

static void post(fs_messages *messages, mail *m, uint32_t from, uint32_t to, uint64_t bytes) {
    static fs_error err;
    const uint32_t n = m->count++;
    m->from[n] = from;
    m->to[n] = to;
    m->bytes[n] = bytes;
    m->posted[n] = fs_messages_iteration(messages);
    m->arrived[n] = UINT64_MAX;
    err = (fs_error){0};
    if (fs_messages_post(messages, from, to, bytes, n, &err))
        fail_msg("%s", err.text);
}

static void alone_a_message_takes_its_way(void **state) {
    (void)state;
    fs_rng rng = fs_rng_stream(overlay_seed(5), "messages/alone");
    for (size_t k = 0; fs_overlay_kinds[k] != NULL; k++) {
        fs_arena *arena = fs_arena_create();
        fs_overlay o;
        for (int i = 0; i < 20 && plan_kind(fs_overlay_kinds[k], arena, &o); i++) {
            mail *m = FS_NEW(arena, mail, 1);
            fs_messages *messages = open_mail(arena, &o, m);
            const uint32_t from = fs_rng_below(&rng, SHARDS),
                           to = (from + 1 + fs_rng_below(&rng, SHARDS - 1)) % SHARDS;
            uint64_t moved = 0;
            post(messages, m, from, to, PACKET - 3);
            while (!fs_messages_quiet(messages)) {
                const uint32_t *bytes = fs_messages_exchange(messages);
                for (uint32_t l = 0; l < o.lane_count; l++)
                    moved += bytes[l];
                fs_messages_compute(messages);
            }
            const uint32_t way = fs_overlay_distance(&o, from, to);
            assert_int_equal(m->arrived[0], way);
            assert_int_equal(moved, (uint64_t)way * (PACKET - 3 + 3) / 4 * 4);
        }
        fs_arena_free(arena);
    }
}

static void all_arrive_and_lanes_hold(void **state) {
    (void)state;
    fs_rng rng = fs_rng_stream(overlay_seed(7), "messages/all");
    for (size_t k = 0; fs_overlay_kinds[k] != NULL; k++) {
        fs_arena *arena = fs_arena_create();
        fs_overlay o;
        if (plan_kind(fs_overlay_kinds[k], arena, &o)) {
            mail *m = FS_NEW(arena, mail, 1);
            fs_messages *messages = open_mail(arena, &o, m);
            uint64_t moved = 0, expected = 0, packets = 0, handled = 0, rounds = 0;
            while (m->count < MOST || !fs_messages_quiet(messages)) {
                for (int i = 0; i < 30 && m->count < MOST; i++) {
                    const uint32_t from = fs_rng_below(&rng, SHARDS);
                    post(messages, m, from, (from + 1 + fs_rng_below(&rng, SHARDS - 1)) % SHARDS,
                         1 + fs_rng_below(&rng, 20 * PACKET));
                }
                for (uint32_t t = 0; t < o.tiles; t++)
                    handled += fs_messages_handled(messages)[t];
                const uint32_t *bytes = fs_messages_exchange(messages);
                for (uint32_t l = 0; l < o.lane_count; l++) {
                    assert_true(bytes[l] <= fs_lane_capacity(&o.lanes[l], PACKET) * PACKET);
                    moved += bytes[l];
                }
                fs_messages_compute(messages);
                assert_true(++rounds < 100000);
            }
            for (uint32_t t = 0; t < o.tiles; t++)
                handled += fs_messages_handled(messages)[t];
            for (uint32_t n = 0; n < MOST; n++) {
                const uint64_t way = fs_overlay_distance(&o, m->from[n], m->to[n]),
                               pieces = (m->bytes[n] + PACKET - 1) / PACKET;
                assert_true(m->arrived[n] != UINT64_MAX);
                assert_true(m->arrived[n] - m->posted[n] >= way);
                expected += (m->bytes[n] + 3) / 4 * 4 * way;
                packets += pieces * (way + 1); /* handled where it begins and at the end of every lane */
            }
            assert_int_equal(moved, expected);
            assert_int_equal(handled, packets);
        }
        fs_arena_free(arena);
    }
}

static void too_much_is_refused(void **state) {
    (void)state;
    static fs_error err;
    fs_arena *arena = fs_arena_create();
    fs_overlay o;
    assert_true(plan_kind(fs_overlay_find(fs_overlay_kinds, "quadtree"), arena, &o));
    const fs_messages_setup wide = {.packet_bytes = 1 << 24, .messages = 1, .packets = 1};
    assert_null(fs_messages_create(arena, &o, &wide, &err));
    assert_non_null(strstr(err.text, "hold no packet of 16777216 bytes"));
    const fs_messages_setup few = {.packet_bytes = PACKET, .messages = 1, .packets = 2};
    err = (fs_error){0};
    fs_messages *m = fs_messages_create(arena, &o, &few, &err);
    assert_int_equal(fs_messages_post(m, 0, 1, 2 * PACKET, 0, &err), FS_OK);
    assert_int_equal(fs_messages_post(m, 0, 1, 4, 0, &err), FS_RUN);
    fs_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_a_message_takes_its_way),
        cmocka_unit_test(all_arrive_and_lanes_hold),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
