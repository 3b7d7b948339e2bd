/* Multicasts and double-width messages of the exchange: closed forms, plans that hold no port twice, what
 * they cost in energy, and both levels of detail of a device that has them. */
#include "models/energy/books.h"
#include "models/exchange/exchange.h"
#include "sim/base/rng.h"
#include "tests/support/device_bench.h"
#include "tests/support/test.h"

enum { MOST = 400 };

/* Transfers as they are written down. */
typedef struct list {
    fs_transfer transfers[MOST];
    uint32_t sent_with[MOST], count;
} list;

/* One message to all tiles of dst but src. */
static void send(list *l, uint32_t src, const uint32_t *dst, uint32_t count, uint32_t bytes) {
    const uint32_t first = l->count;
    for (uint32_t i = 0; i < count; i++)
        if (dst[i] != src) {
            l->transfers[l->count] = (fs_transfer){src, dst[i], bytes};
            l->sent_with[l->count++] = first;
        }
}

/* To the tiles from ... to - 1. */
static void send_to(list *l, uint32_t src, uint32_t from, uint32_t to, uint32_t bytes) {
    uint32_t dst[TILES];
    for (uint32_t t = from; t < to; t++)
        dst[t - from] = t;
    send(l, src, dst, to - from, bytes);
}

static fs_exchange *plan(fs_arena *arena, const fs_machine_params *m, const list *l) {
    fs_error err = {0};
    const fs_exchange_lanes lanes = {.transfers = l->transfers, .count = l->count, .sent_with = l->sent_with};
    fs_exchange *x = fs_exchange_create(arena, &m->exchange, &m->geometry, TILES, &lanes, &err);
    assert_non_null(x);
    return x;
}

static fs_energy_routes routes_of(fs_arena *arena, const fs_machine_params *m, const list *l) {
    fs_error err = {0};
    const fs_exchange_lanes lanes = {.transfers = l->transfers, .count = l->count, .sent_with = l->sent_with};
    const fs_fabric_chip chip = fs_machine_fabric(m, TILES);
    const fs_fabric *f = fs_fabric_create(arena, &chip, &lanes, &err);
    assert_non_null(f);
    return fs_energy_routes_make(&m->geometry, f, l->transfers, l->count, arena);
}

/* Cycles in which the plan sends. */
static uint64_t length(const fs_machine_params *m, const list *l) {
    fs_arena *arena = test_arena();
    const uint64_t cycles = fs_exchange_plan_of(plan(arena, m, l)).length;
    return cycles;
}

/* ---- closed forms ---- */

/* n receivers take what one takes, and the way to the farthest; n transfers of their own take n times that. */
TEST(a_multicast_is_sent_once) {
    const fs_machine_params m = fs_test_small();
    for (uint32_t n = 1; n < TILES - 2; n += 23) {
        fs_arena *arena = test_arena();
        list together = {0}, alone = {0};
        send_to(&together, 1, 3, 3 + n, 400); /* 100 words, too few to be double-width */
        for (uint32_t t = 3; t < 3 + n; t++)
            send(&alone, 1, &t, 1, 400);
        const fs_exchange *x = plan(arena, &m, &together);
        uint32_t farthest = 0;
        for (uint32_t t = 3; t < 3 + n; t++)
            farthest = fs_exchange_latency(x, 1, t) > farthest ? fs_exchange_latency(x, 1, t) : farthest;
        assert_int_equal(fs_exchange_plan_of(x).length, 100);
        assert_int_equal(fs_exchange_plan_of(x).bound, 100);
        assert_int_equal(fs_exchange_plan_of(x).arrival, 100 + farthest);
        assert_int_equal(length(&m, &alone), 100 * n);
        uint64_t out[TILES] = {0}, in[TILES] = {0}, busy_out[TILES] = {0}, busy_in[TILES] = {0},
                 waiting[TILES] = {0};
        fs_exchange_count_planned(x, 2, &(fs_port_counters){out, in, busy_out, busy_in, waiting});
        for (uint32_t t = 0; t < TILES; t++) {
            const bool takes = t >= 3 && t < 3 + n;
            assert_int_equal(out[t], t == 1 ? 800 : 0);
            assert_int_equal(busy_out[t], t == 1 ? 200 : 0);
            assert_int_equal(in[t], takes ? 800 : 0);
            assert_int_equal(busy_in[t], takes ? 200 : 0);
            assert_int_equal(waiting[t], 0);
        }
    }
}

/* A tile in two multicasts takes one after the other; a dynamic exchange sends to each by itself. */
TEST(ports_are_the_limit) {
    fs_machine_params m = fs_test_small();
    fs_arena *arena = test_arena();
    list l = {0};
    send_to(&l, 0, 2, 12, 40);
    send_to(&l, 1, 11, 20, 40);
    assert_int_equal(length(&m, &l), 20);
    m.exchange.mode = FS_EXCHANGE_DYNAMIC;
    uint32_t occupied[MOST];
    for (uint32_t i = 0; i < l.count; i++)
        occupied[i] = 36; /* and a header of 4 B */
    uint64_t out[TILES] = {0}, in[TILES] = {0};
    fs_exchange *x = plan(arena, &m, &l);
    fs_exchange_phase(x, occupied, &(fs_port_counters){.bytes_out = out, .bytes_in = in});
    assert_int_equal(out[0], 10 * 40);
    assert_int_equal(in[11], 2 * 40);
}

/* 8 B a cycle to whole pairs, from 512 B on; not where a pair is broken, the sender's own, or the key off. */
TEST(pairs_take_eight_bytes_a_cycle) {
    fs_machine_params m = fs_test_small();
    const struct {
        uint32_t src, from, to, bytes;
        uint64_t shared, idle;
    } cases[] = {
        {0, 2, 4, 4096, 512, 512},   {0, 2, 40, 4096, 512, 512}, {5, 6, 8, 516, 65, 65},
        {0, 2, 4, 508, 127, 127},    {0, 2, 5, 4096, 1024, 512}, {0, 3, 5, 4096, 1024, 512},
        {0, 2, 3, 4096, 1024, 512},  /* a single transfer */
        {0, 0, 4, 4096, 1024, 1024}, /* the sender's partner takes it too */
        {0, 1, 2, 4096, 1024, 1024},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        list l = {0};
        send_to(&l, cases[i].src, cases[i].from, cases[i].to, cases[i].bytes);
        m.exchange.pair_receive = FS_EXCHANGE_PAIR_SHARED;
        assert_int_equal(length(&m, &l), cases[i].shared);
        m.exchange.pair_receive = FS_EXCHANGE_PAIR_IDLE;
        assert_int_equal(length(&m, &l), cases[i].idle);
        m.exchange.pair_receive = FS_EXCHANGE_PAIR_OFF;
        assert_int_equal(length(&m, &l), (cases[i].bytes + 3) / 4);
    }
}

/* Ports are lent: the partner of the sender is silent meanwhile, that of a receiver takes nothing else. */
TEST(what_is_lent_is_not_there) {
    fs_machine_params m = fs_test_small();
    list beside = {0}, idle = {0};
    send_to(&beside, 0, 2, 4, 4096);
    send_to(&beside, 1, 10, 12, 4096);
    assert_int_equal(length(&m, &beside), 1024); /* at once by one port each, or one after the other by two */
    send_to(&beside, 20, 30, 32, 8192);
    assert_int_equal(length(&m, &beside), 1024); /* what has ports to lend uses them */
    send_to(&idle, 0, 2, 3, 4096);
    m.exchange.pair_receive = FS_EXCHANGE_PAIR_IDLE;
    assert_int_equal(length(&m, &idle), 512);
    send_to(&idle, 8, 3, 4, 4);
    assert_int_equal(length(&m, &idle), 1024);
}

/* ---- random plans ---- */

static void draw(list *l, fs_rng *rng) {
    *l = (list){0};
    while (l->count + TILES < MOST && fs_rng_below(rng, 12) > 0) {
        uint32_t dst[TILES], n = 0, step = 1 + fs_rng_below(rng, 3), first = fs_rng_below(rng, TILES);
        for (uint32_t t = first; t < TILES && n < 12; t += step)
            dst[n++] = t;
        send(l, fs_rng_below(rng, TILES), dst, n, 4 * fs_rng_below(rng, 400));
    }
}

/* No port is in two messages in a cycle, a lent one neither; what the plan says of itself is true. */
static void check_plan(const fs_exchange *x, const list *l) {
    const fs_exchange_plan p = fs_exchange_plan_of(x);
    uint8_t *used = test_keep(calloc(2 * (size_t)TILES, p.length + 1));
    uint64_t load[2 * TILES] = {0}, last = 0, arrival = 0, bound = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const fs_transfer *t = &l->transfers[i];
        const uint32_t lead = l->sent_with[i];
        const uint64_t cycles = fs_exchange_transfer_cycles(x, i, t->bytes),
                       start = fs_exchange_static_start(x, i);
        const bool wide = cycles < (t->bytes + 3) / 4;
        const uint32_t port[] = {TILES + t->dst, t->src, fs_geometry_partner(t->src)};
        assert_int_equal(start, fs_exchange_static_start(x, lead));
        assert_int_equal(cycles, fs_exchange_transfer_cycles(x, lead, t->bytes));
        if (t->bytes == 0)
            continue;
        for (int k = 0; k < (lead != i ? 1 : wide ? 3 : 2); k++) {
            load[port[k]] += cycles;
            for (uint64_t c = start; c < start + cycles; c++)
                assert_int_equal(used[port[k] * (p.length + 1) + c]++, 0);
        }
        const uint64_t at = start + cycles + fs_exchange_latency(x, t->src, t->dst);
        last = start + cycles > last ? start + cycles : last;
        arrival = at > arrival ? at : arrival;
    }
    for (uint32_t i = 0; i < 2 * TILES; i++)
        bound = load[i] > bound ? load[i] : bound;
    assert_int_equal(p.length, last);
    assert_int_equal(p.arrival, arrival);
    assert_int_equal(p.bound, bound);
}

TEST(random_plans_hold_no_port_twice) {
    fs_rng rng = fs_rng_stream(1, "test/multicast");
    fs_machine_params m = fs_test_small();
    uint64_t wide = 0;
    for (int round = 0; round < 300; round++) {
        fs_arena *arena = test_arena();
        list l;
        draw(&l, &rng);
        m.exchange.pair_receive = round % 3;
        const fs_exchange *x = plan(arena, &m, &l);
        check_plan(x, &l);
        wide += fs_exchange_wide_bytes(x);
    }
    assert_true(wide > 0);
}

/* ---- energy ---- */

/* Read once, written n times; wires between those of the farthest receiver and those of n transfers. */
TEST(energy_is_that_of_one_send) {
    fs_rng rng = fs_rng_stream(2, "test/multicast");
    const fs_machine_params m = fs_test_small();
    for (int round = 0; round < 100; round++) {
        fs_arena *arena = test_arena();
        list l;
        draw(&l, &rng);
        const fs_energy_routes r = routes_of(arena, &m, &l);
        uint64_t sent = 0, more = 0, way = 0;
        for (uint32_t i = 0; i < l.count; i++) {
            const fs_transfer *t = &l.transfers[i];
            uint64_t tree = 0, sum = 0, longest = 0;
            sent += l.sent_with[i] == i ? t->bytes : 0;
            more += l.sent_with[i] == i ? 0 : t->bytes;
            way += (uint64_t)t->bytes * r.way[i];
            for (uint32_t k = i; k < l.count && l.sent_with[i] == i; k++) {
                const uint64_t own = fs_exchange_way(&m.geometry, t->src, l.transfers[k].dst);
                if (l.sent_with[k] != i)
                    continue;
                tree += r.way[k];
                sum += own;
                longest = own > longest ? own : longest;
            }
            assert_true(tree >= longest && tree <= sum);
            if (l.sent_with[i] == i && (i + 1 == l.count || l.sent_with[i + 1] != i))
                assert_int_equal(tree, sum); /* one receiver */
        }
        assert_int_equal(r.whole.bytes, sent);
        assert_int_equal(r.more, more);
        assert_int_equal(r.whole.way, way);
    }
}

/* From the spine's edge to all tiles of one column: the column's rows, each once for each of its tiles. */
TEST(wires_by_hand) {
    const fs_machine_params m = fs_test_small();
    fs_arena *arena = test_arena();
    list l = {0};
    send_to(&l, 0, 2, 4, 4); /* tile 0 in row 0, tiles 2 and 3 in row 1 */
    const fs_energy_routes r = routes_of(arena, &m, &l);
    assert_int_equal(r.whole.way, 4 * 2 * 620);
    assert_int_equal(r.whole.bytes, 4);
    assert_int_equal(r.more, 4);
}

/* ---- on the device ---- */

/* The plan of the bench with multicasts in its step: both levels of detail agree in every number, and the
 * accounts of energy (which fs_device_run holds to each other) add up. */
TEST(levels_of_detail_agree) {
    fs_rng rng = fs_rng_stream(3, "test/multicast");
    for (int round = 0; round < 20; round++) {
        fs_arena *arena = test_arena();
        fs_device_bench *b = FS_NEW(arena, fs_device_bench, 1);
        *b = (fs_device_bench){.arena = arena,
                               .machine = fs_test_small(),
                               .calls = fs_rng_sub(rng, (uint64_t)round),
                               .busy = 12};
        b->machine.exchange.pair_receive = round % 3;
        list *l = FS_NEW(arena, list, 1);
        do
            draw(l, &rng);
        while (l->count == 0 || l->count > sizeof b->occupied / sizeof b->occupied[0]);
        fs_device_step *step = FS_NEW(arena, fs_device_step, 1);
        *step = (fs_device_step){.name = "multicasts",
                                 .transfers = l->transfers,
                                 .transfer_count = l->count,
                                 .sent_with = l->sent_with};
        fs_device_branch *branch = FS_NEW(arena, fs_device_branch, 1);
        *branch = (fs_device_branch){.steps = step, .step_count = 1};
        fs_device_stage *stage = FS_NEW(arena, fs_device_stage, 1);
        *stage = (fs_device_stage){branch, 1};
        b->plan = (fs_device_plan){.tiles = TILES,
                                   .program = fs_bench_programs,
                                   .programs = PROGRAMS,
                                   .stages = stage,
                                   .stage_count = 1};
        fs_device_record *phase = fs_bench_run(b, FS_DETAIL_PHASE), *event = fs_bench_run(b, FS_DETAIL_EVENT);
        if (phase->status || event->status)
            fail_msg("round %d: phase: %s; event: %s", round, phase->text, event->text);
        assert_memory_equal(phase, event, sizeof *phase);
        free(phase);
        free(event);
    }
}

/* What is no message is refused, with the transfer's number. */
TEST(wrong_multicasts_are_refused) {
    const fs_machine_params m = fs_test_small();
    static const fs_transfer transfers[] = {{0, 2, 8}, {0, 3, 8}, {1, 4, 8}, {0, 5, 4}};
    static const uint32_t wrong[][4] = {{1, 1, 2, 3}, {0, 0, 0, 3}, {0, 0, 2, 0}, {0, 0, 1, 3}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fs_error err = {0};
        const fs_device_step step = {
            .name = "s", .transfers = transfers, .transfer_count = 4, .sent_with = wrong[i]};
        const fs_device_branch branch = {.steps = &step, .step_count = 1};
        const fs_device_stage stage = {&branch, 1};
        const fs_device_plan p = {.tiles = TILES, .stages = &stage, .stage_count = 1};
        assert_fails(fs_plan_check(&p, fs_geometry_tiles(&m.geometry), &err), FS_INPUT, &err,
                     "can't be sent with transfer");
    }
}

RUN_TESTS(NULL, NULL)
