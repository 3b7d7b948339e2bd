/* The fabric against the facts sheet, its bounds and a second model: latencies, static plans (valid, and as
 * long as the busiest port), the dynamic rule against ports stepped cycle by cycle, broadcast, bandwidth. */
#include "models/exchange/exchange.h"

#include "models/overlay/device_plan.h"
#include "models/overlay/kinds/kinds.h"
#include "models/overlay/overlay.h"
#include "models/sync/sync.h"
#include "sim/base/rng.h"
#include "tests/support/chip.h"
#include "tests/support/test.h"

enum { GC200_TILES = 1472, SMALL_TILES = 96 };

static fs_exchange *create(fs_arena *arena, const fs_machine_params *m, const fs_transfer *transfers,
                           uint32_t count) {
    fs_error err = {0};
    fs_exchange *x = fs_test_exchange(arena, &m->exchange, &m->geometry, fs_geometry_tiles(&m->geometry),
                                      transfers, count, &err);
    assert_got(x, &err);
    return x;
}

/* ---- latency ---- */

TEST(latencies_are_the_table) {
    static const double same[8] = {-26.5, -24, -18, -12, -6, 0, 6, 12};
    static const double other[8] = {-19, -16, -10, -4, 2, 8, 14, 20};
    fs_arena *arena = test_arena();
    fs_machine_params m = fs_test_gc200();
    fs_exchange *x = create(arena, &m, NULL, 0);
    uint32_t least = UINT32_MAX, most = 0;
    double sum = 0;
    for (uint32_t a = 0; a < GC200_TILES; a++)
        for (uint32_t b = 0; b < GC200_TILES; b++) {
            fs_position p = fs_geometry_position(&m.geometry, a), q = fs_geometry_position(&m.geometry, b);
            uint32_t distance = (uint32_t)abs((int)p.folded - (int)q.folded);
            double exact = 52.0 + p.row + q.row + (p.half == q.half ? same : other)[distance];
            uint32_t latency = fs_exchange_latency(x, a, b);
            assert_true(latency >= exact && latency < exact + 1); /* halves rounded up */
            assert_int_equal(latency, fs_exchange_latency(x, b, a));
            least = latency < least ? latency : least;
            most = latency > most ? latency : most;
            sum += latency;
        }
    double mean = sum / ((double)GC200_TILES * GC200_TILES);
    print_message("latency over all pairs: min %u, mean %.2f, max %u (ipu.md 4: 23, 64, 128)\n", least, mean,
                  most);
    assert_true(mean > 0.9 * 64 && mean < 1.1 * 64);
    /* The table is a mean over the places inside a super-tile; single pairs lie up to 12 cycles around it. */
    assert_true(least >= 23 && least <= 23 + 12);
    assert_true(most <= 128 && most >= 128 - 12);
}

TEST(bad_latency_lists_are_refused) {
    static const int64_t low[8] = {-105, 0, 0, 0, 0, 0, 0, 0};
    fs_arena *arena = test_arena();
    for (int c = 0; c < 4; c++) {
        fs_machine_params m = fs_test_gc200();
        fs_int_list *list = c % 2 ? &m.exchange.column_other : &m.exchange.column_same;
        if (c < 2)
            list->count = 7;
        else
            list->item = low;
        fs_error err = {0};
        assert_null(fs_test_exchange(arena, &m.exchange, &m.geometry, GC200_TILES, NULL, 0, &err));
        assert_fails(err.status, FS_INPUT, &err, c % 2 ? "column_other" : "column_same");
        assert_non_null(strstr(err.text, c < 2 ? "found 7" : "negative"));
    }
}

/* Of five columns the middle one folds onto itself: positions 0, 1, 2. Barrier and latency lists go by the
 * columns that tiles are really in. */
TEST(odd_columns_fold) {
    for (int64_t columns = 1; columns <= 15; columns++) {
        fs_arena *arena = test_arena();
        fs_machine_params m = fs_test_gc200();
        m.geometry = (fs_geometry_params){.columns = columns, .rows = 3, .tiles_per_supertile = 4};
        const uint32_t tiles = fs_geometry_tiles(&m.geometry);
        uint32_t folded = 0, skew = 0;
        for (uint32_t t = 0; t < tiles; t++) {
            const uint32_t column = fs_geometry_position(&m.geometry, t).folded;
            const uint32_t own = fs_sync_skew(&m.sync, &m.geometry, t);
            folded = column > folded ? column : folded;
            skew = own > skew ? own : skew;
        }
        assert_int_equal(folded, (columns - 1) / 2);
        assert_int_equal(skew, 2 + 4 * folded);
        assert_int_equal(fs_sync_internal(&m.sync, &m.geometry), 76 + skew);
        m.exchange.column_same.count = m.exchange.column_other.count = folded + 1;
        fs_error err = {0};
        assert_non_null(fs_test_exchange(arena, &m.exchange, &m.geometry, tiles, NULL, 0, &err));
        m.exchange.column_other.count = folded;
        assert_null(fs_test_exchange(arena, &m.exchange, &m.geometry, tiles, NULL, 0, &err));
    }
}

/* A list of eight numbers on 24 folded columns is that of 24 numbers, 12 more each from the last known on:
 * every pair of tiles. Five of the columns are known to a list of 19. */
TEST(a_list_is_continued) {
    int64_t same[24], other[24];
    fs_machine_params m = fs_test_gc200(), whole;
    m.geometry = (fs_geometry_params){.columns = 48, .rows = 2, .tiles_per_supertile = 4};
    assert_int_equal(m.exchange.column_same.count, 8);
    for (int64_t c = 0; c < 24; c++) {
        same[c] = c < 8 ? m.exchange.column_same.item[c] : 24 + 12 * (c - 7);
        other[c] = c < 8 ? m.exchange.column_other.item[c] : 40 + 12 * (c - 7);
    }
    whole = m;
    whole.exchange.column_same = (fs_int_list){same, 24};
    whole.exchange.column_other = (fs_int_list){other, 24};
    fs_arena *arena = test_arena();
    const uint32_t tiles = fs_geometry_tiles(&m.geometry);
    fs_error err = {0};
    const fs_exchange *x = fs_test_exchange(arena, &m.exchange, &m.geometry, tiles, NULL, 0, &err),
                      *y = fs_test_exchange(arena, &whole.exchange, &m.geometry, tiles, NULL, 0, &err);
    assert_non_null(x);
    assert_non_null(y);
    for (uint32_t a = 0; a < tiles; a++)
        for (uint32_t b = 0; b < tiles; b++)
            assert_int_equal(fs_exchange_latency(x, a, b), fs_exchange_latency(y, a, b));
    assert_int_equal(fs_exchange_continued(&m.exchange, &m.geometry), 16);
    assert_int_equal(fs_exchange_continued(&whole.exchange, &m.geometry), 0);
    whole.exchange.column_other.count = 19;
    assert_int_equal(fs_exchange_continued(&whole.exchange, &m.geometry), 5);
}

/* ---- static plans ---- */

static uint64_t words(uint32_t bytes) {
    return (bytes + 3) / 4;
}

/* No port is in two transfers at a time; what the plan says of itself is true. `bound` receives the busiest
 * port's cycles. */
static fs_exchange_plan check_plan(const fs_exchange *x, uint32_t tiles, const fs_transfer *t,
                                   uint32_t count) {
    fs_exchange_plan plan = fs_exchange_plan_of(x);
    uint64_t *load = calloc(2 * (size_t)tiles, sizeof *load), bound = 0, last = 0, arrival = 0;
    for (uint32_t i = 0; i < count; i++) {
        load[t[i].src] += words(t[i].bytes);
        load[tiles + t[i].dst] += words(t[i].bytes);
        uint64_t end = fs_exchange_static_start(x, i) + words(t[i].bytes);
        if (t[i].bytes == 0)
            continue;
        last = end > last ? end : last;
        end += fs_exchange_latency(x, t[i].src, t[i].dst);
        arrival = end > arrival ? end : arrival;
    }
    for (uint32_t p = 0; p < 2 * tiles; p++)
        bound = load[p] > bound ? load[p] : bound;
    assert_int_equal(plan.bound, bound);
    assert_int_equal(plan.length, last);
    assert_int_equal(plan.arrival, arrival);
    assert_true(plan.length >= bound);
    /* Every word has a cycle of its own at both its ports. */
    uint8_t *used = test_keep(calloc(2 * (size_t)tiles, last ? last : 1));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t from = fs_exchange_static_start(x, i);
        for (uint64_t c = from; c < from + words(t[i].bytes); c++) {
            assert_int_equal(used[t[i].src * last + c]++, 0);
            assert_int_equal(used[(tiles + t[i].dst) * last + c]++, 0);
        }
    }
    free(load);
    return plan;
}

static fs_transfer *lanes_of(fs_arena *arena, const fs_overlay *o, uint32_t bytes) {
    fs_transfer *t = FS_NEW(arena, fs_transfer, o->lane_count);
    for (uint32_t l = 0; l < o->lane_count; l++)
        t[l] = (fs_transfer){o->lanes[l].src, o->lanes[l].dst, bytes};
    return t;
}

static fs_overlay quadtree(fs_arena *arena, const fs_machine_params *m, uint32_t shards) {
    static const fs_quadtree_params params = {.router_buffer = 576000,
                                              .tracer_buffer = 115200,
                                              .generator.buffer = 115200,
                                              .generator.ring = 5760,
                                              .generator.tile = -1};
    fs_overlay o;
    fs_error err = {0};
    if (fs_overlay_quadtree.plan(&params, &(fs_overlay_site){.machine = m, .shards = shards}, arena, &o,
                                 &err))
        fail_msg("%s", err.text);
    return o;
}

/* The lanes of the Radiant Foam paper (57,600 B each): five rounds, 72,000 cycles, and overhead as it was
 * measured. */
TEST(quadtree_takes_the_busiest_port) {
    fs_arena *arena = test_arena();
    fs_machine_params m = fs_test_gc200();
    fs_overlay o = quadtree(arena, &m, 1024);
    for (uint32_t bytes = 64; bytes <= 57600; bytes *= 30) { /* 64, 1,920, 57,600 */
        fs_transfer *t = lanes_of(arena, &o, bytes);
        fs_exchange *x = create(arena, &m, t, o.lane_count);
        fs_exchange_plan plan =
            bytes < 57600 ? check_plan(x, o.tiles, t, o.lane_count) : fs_exchange_plan_of(x);
        assert_int_equal(plan.bound, 5 * bytes / 4);
        assert_int_equal(plan.length, plan.bound);
        assert_true(plan.efficiency == 1.0);
        uint64_t overhead =
            fs_sync_internal(&m.sync, &m.geometry) + fs_exchange_phase(x, NULL, NULL) - plan.bound;
        print_message("quadtree, lanes of %u B: sync and exchange take %llu cycles + the byte bound of %llu "
                      "(measured: 229 to 277)\n",
                      bytes, (unsigned long long)overhead, (unsigned long long)plan.bound);
        assert_in_range(overhead, 229, 277);
    }
}

/* Copy after copy: each begins a barrier and a program step after the last word of the one before it has
 * arrived, and is as long as its own busiest port. With the lanes of the Radiant Foam paper the twelve copies
 * move 604,800 words one after the other (ipu.md 9). */
TEST(serial_copies_follow_one_another) {
    enum { LEVELS = 7, BETWEEN = 176 };
    fs_arena *arena = test_arena();
    fs_machine_params m = fs_test_gc200();
    fs_error err = {0};
    fs_overlay o = quadtree(arena, &m, 1024);
    uint32_t *of = FS_NEW(arena, uint32_t, o.lane_count);
    for (uint32_t l = 0; l < o.lane_count; l++) /* one number for each level and direction, with gaps */
        of[l] = (uint32_t)o.level[o.lanes[l].src] * LEVELS + o.level[o.lanes[l].dst];
    const fs_exchange_copies copies = {.of = of, .count = LEVELS * LEVELS, .between = BETWEEN};
    for (uint32_t bytes = 64; bytes <= 57600; bytes *= 900) { /* 64 and 57,600 */
        fs_transfer *t = lanes_of(arena, &o, bytes);
        fs_exchange *x = fs_exchange_create(
            arena, &m.exchange, &m.geometry, o.tiles,
            &(fs_exchange_lanes){.transfers = t, .count = o.lane_count, .copies = &copies}, &err);
        assert_non_null(x);
        uint64_t before = 0, moving = 0, copies_seen = 0;
        for (uint32_t c = 0; c < copies.count; c++) {
            uint64_t first = UINT64_MAX, last = 0, arrival = 0;
            for (uint32_t l = 0; l < o.lane_count; l++) {
                if (of[l] != c)
                    continue;
                uint64_t start = fs_exchange_static_start(x, l), end = start + words(bytes);
                first = start < first ? start : first;
                last = end > last ? end : last;
                end += fs_exchange_latency(x, t[l].src, t[l].dst);
                arrival = end > arrival ? end : arrival;
            }
            if (arrival == 0)
                continue;
            assert_int_equal(first, copies_seen++ == 0 ? 0 : before + BETWEEN);
            moving += last - first;
            before = arrival;
        }
        assert_int_equal(copies_seen, 12);
        assert_int_equal(moving, 42 * words(bytes)); /* 604,800 = 42 x 14,400 */
        assert_int_equal(fs_exchange_phase(x, NULL, NULL), 50 + before);
        if (bytes == 64)
            check_plan(x, o.tiles, t, o.lane_count);
    }
}

/* Both directions between two levels in one copy: a port sends and receives at a time, so half of the words
 * come one after the other, in six copies; never faster than merged, never slower than serial (ipu.md 9). */
TEST(copies_by_pairs_lie_between) {
    fs_arena *arena = test_arena();
    fs_machine_params m = fs_test_gc200();
    fs_error err = {0};
    fs_overlay o = quadtree(arena, &m, 1024);
    const fs_transfer *t = lanes_of(arena, &o, 57600);
    const fs_device_programs none = {.of_tile = FS_NEW(arena, uint8_t, o.tiles)};
    const fs_host_visit first = {.visit = true};
    const fs_device_plan plan = fs_overlay_device_plan(&o, &none, t, &first, arena);
    const fs_device_step *step = fs_plan_step(&plan, 0);
    assert_int_equal(step->copies, 12);
    assert_int_equal(step->pairs, 6);
    const fs_exchange_copies serial = {.of = step->copy_of, .count = step->copies, .between = 176},
                             pairs = {.of = step->pair_of, .count = step->pairs, .between = 176};
    uint64_t took[3];
    const fs_exchange_copies *const ways[] = {NULL, &pairs, &serial};
    for (int i = 0; i < 3; i++) {
        fs_exchange *x = fs_exchange_create(
            arena, &m.exchange, &m.geometry, o.tiles,
            &(fs_exchange_lanes){.transfers = t, .count = o.lane_count, .copies = ways[i]}, &err);
        assert_non_null(x);
        took[i] = fs_exchange_phase(x, NULL, NULL);
    }
    /* 21 x 14,400 words, then five barriers and program steps, and the ways of six copies. */
    assert_in_range(took[1], 21 * 14400 + 5 * 176, 21 * 14400 + 5 * 176 + 50 + 6 * 128);
    assert_true(took[0] < took[1] && took[1] < took[2]);
}

static uint32_t random_lanes(fs_rng *rng, fs_transfer *t, uint32_t tiles, uint32_t most) {
    uint32_t senders = 1 + fs_rng_below(rng, tiles), receivers = 1 + fs_rng_below(rng, tiles);
    uint32_t count = 1 + fs_rng_below(rng, most);
    for (uint32_t i = 0; i < count; i++)
        t[i] = (fs_transfer){fs_rng_below(rng, senders), fs_rng_below(rng, receivers), 0};
    return count;
}

TEST(equal_lanes_meet_the_bound) {
    uint64_t seed = 1;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/exchange/equal");
    fs_machine_params m = fs_test_small();
    fs_transfer t[400];
    for (int round = 0; round < 300; round++) {
        fs_arena *arena = test_arena();
        uint32_t count = random_lanes(&rng, t, SMALL_TILES, 400), bytes = 4 * (1 + fs_rng_below(&rng, 30));
        uint32_t empty = fs_rng_below(&rng, 3) ? UINT32_MAX : 5; /* some lanes without bytes */
        for (uint32_t i = 0; i < count; i++)
            t[i].bytes = i % empty == 3 ? 0 : bytes;
        fs_exchange *x = create(arena, &m, t, count);
        fs_exchange_plan plan = check_plan(x, SMALL_TILES, t, count);
        assert_int_equal(plan.length, plan.bound);
    }
}

TEST(unequal_lanes_come_near_the_bound) {
    uint64_t seed = 2;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/exchange/unequal");
    fs_machine_params m = fs_test_small();
    fs_transfer t[400];
    double sum = 0, worst = 1;
    enum { ROUNDS = 200 };
    for (int round = 0; round < ROUNDS; round++) {
        fs_arena *arena = test_arena();
        uint32_t count = random_lanes(&rng, t, SMALL_TILES, 400);
        for (uint32_t i = 0; i < count; i++)
            t[i].bytes = 1 + fs_rng_below(&rng, 400); /* odd bytes fill a last word */
        fs_exchange *x = create(arena, &m, t, count);
        fs_exchange_plan plan = check_plan(x, SMALL_TILES, t, count);
        assert_true(plan.length < 2 * plan.bound);
        sum += plan.efficiency;
        worst = plan.efficiency < worst ? plan.efficiency : worst;
    }
    print_message("plans of unequal lanes: mean efficiency %.3f, worst %.3f\n", sum / ROUNDS, worst);
    assert_true(sum / ROUNDS > 0.95);
}

/* ---- counters ---- */

typedef struct counters {
    uint64_t out[SMALL_TILES], in[SMALL_TILES], busy_out[SMALL_TILES], busy_in[SMALL_TILES],
        waiting[SMALL_TILES];
} counters;

static fs_port_counters view(counters *c) {
    return (fs_port_counters){c->out, c->in, c->busy_out, c->busy_in, c->waiting};
}

/* A phase by hand: tile 0 sends 40 B to tile 2 and to tile 3, tile 1 sends 20 B to tile 2. */
TEST(static_counters_by_hand) {
    fs_arena *arena = test_arena();
    fs_machine_params m = fs_test_small();
    fs_transfer t[3] = {{0, 2, 40}, {0, 3, 40}, {1, 2, 20}};
    fs_exchange *x = create(arena, &m, t, 3);
    counters c = {0};
    fs_port_counters ports = view(&c);
    uint64_t cycles = fs_exchange_phase(x, NULL, &ports);
    fs_exchange_phase(x, NULL, &ports); /* counters are added to */
    assert_int_equal(c.out[0], 2 * 80);
    assert_int_equal(c.out[1], 2 * 20);
    assert_int_equal(c.in[2], 2 * 60);
    assert_int_equal(c.in[3], 2 * 40);
    assert_int_equal(c.busy_out[0], 2 * 20);
    assert_int_equal(c.busy_in[2], 2 * 15);
    assert_int_equal(c.waiting[0], 0);
    assert_int_equal(c.waiting[1], 2 * fs_exchange_static_start(x, 2));
    assert_int_equal(fs_exchange_plan_of(x).length, 20);
    assert_int_equal(cycles, 50 + fs_exchange_plan_of(x).arrival);
    fs_exchange *silent = create(arena, &m, NULL, 0);
    assert_int_equal(fs_exchange_phase(silent, NULL, NULL), 50);
}

/* ---- dynamic: ports stepped cycle by cycle ---- */

typedef struct stepped_port {
    int64_t asks_since;  /* cycle of the request, -1: does not ask */
    uint32_t lane;       /* asked for or sent */
    uint64_t words_left; /* of the transfer under way */
    int64_t taken_by;    /* receiver: the sender it listens to, -1: free */
} stepped_port;

static int64_t next_lane(const fs_transfer *t, uint32_t count, const uint32_t *occupied, uint32_t sender,
                         int64_t after) {
    for (int64_t l = after + 1; l < count; l++)
        if (t[l].src == sender && occupied[l] > 0)
            return l;
    return -1;
}

static void ask(stepped_port *s, int64_t lane, int64_t now) {
    s->asks_since = lane < 0 ? -1 : now;
    s->lane = lane < 0 ? 0 : (uint32_t)lane;
}

static void grant_requests(stepped_port *send, stepped_port *receive, const fs_transfer *t,
                           const uint32_t *occupied, uint32_t header) {
    for (uint32_t r = 0; r < SMALL_TILES; r++) {
        int64_t best = -1;
        for (uint32_t s = 0; receive[r].taken_by < 0 && s < SMALL_TILES; s++)
            if (send[s].asks_since >= 0 && t[send[s].lane].dst == r &&
                (best < 0 || send[s].asks_since < send[best].asks_since))
                best = s;
        if (best < 0)
            continue;
        receive[r].taken_by = best;
        send[best].asks_since = -1;
        send[best].words_left = words(occupied[send[best].lane] + header);
    }
}

/* The last arrival, with counters, of one phase in which every port moves at most one word a cycle. */
static uint64_t stepped_phase(const fs_exchange *x, const fs_transfer *t, uint32_t count,
                              const uint32_t *occupied, uint32_t header, counters *c) {
    stepped_port send[SMALL_TILES], receive[SMALL_TILES];
    uint64_t last = 0;
    for (uint32_t p = 0; p < SMALL_TILES; p++) {
        send[p] = receive[p] = (stepped_port){.asks_since = -1, .taken_by = -1};
        ask(&send[p], next_lane(t, count, occupied, p, -1), 0);
    }
    bool busy = true;
    for (int64_t now = 0; busy; now++) {
        grant_requests(send, receive, t, occupied, header);
        busy = false;
        for (uint32_t s = 0; s < SMALL_TILES; s++) { /* the words of this cycle */
            c->waiting[s] += send[s].asks_since >= 0;
            busy |= send[s].asks_since >= 0 || send[s].words_left > 0;
            if (send[s].words_left == 0)
                continue;
            uint32_t lane = send[s].lane, dst = t[lane].dst;
            c->busy_out[s]++;
            c->busy_in[dst]++;
            if (--send[s].words_left > 0)
                continue;
            uint64_t arrival = (uint64_t)now + 1 + fs_exchange_latency(x, s, dst);
            last = arrival > last ? arrival : last;
            c->out[s] += occupied[lane] + header;
            c->in[dst] += occupied[lane] + header;
            receive[dst].taken_by = -1;
            ask(&send[s], next_lane(t, count, occupied, s, lane), now + 1);
        }
    }
    return last;
}

TEST(dynamic_equals_stepped_ports) {
    uint64_t seed = 3;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/exchange/dynamic");
    fs_transfer t[300];
    uint32_t occupied[300];
    for (int round = 0; round < 150; round++) {
        fs_arena *arena = test_arena();
        fs_machine_params m = fs_test_small();
        m.exchange.mode = FS_EXCHANGE_DYNAMIC;
        m.exchange.header = fs_rng_below(&rng, 9);
        uint32_t count = random_lanes(&rng, t, round % 2 ? SMALL_TILES : 7, 300);
        uint32_t most = 1 + fs_rng_below(&rng, 100);
        fs_exchange *x = create(arena, &m, t, count);
        for (uint32_t i = 0; i < count; i++)
            t[i].bytes = most;
        for (int phase = 0; phase < 3; phase++) {
            for (uint32_t i = 0; i < count; i++)
                occupied[i] = fs_rng_below(&rng, 3) ? fs_rng_below(&rng, most + 1) : 0;
            counters closed = {0}, stepped = {0};
            fs_port_counters ports = view(&closed);
            uint64_t cycles = fs_exchange_phase(x, occupied, &ports);
            uint64_t last = stepped_phase(x, t, count, occupied, (uint32_t)m.exchange.header, &stepped);
            assert_int_equal(cycles, 50 + last);
            assert_memory_equal(&closed, &stepped, sizeof closed);
        }
    }
}

/* ---- broadcast, bandwidth ---- */

TEST(broadcast_is_sent_once) {
    fs_arena *arena = test_arena();
    fs_machine_params m = fs_test_gc200();
    fs_exchange *x = create(arena, &m, NULL, 0);
    for (uint32_t src = 0; src < GC200_TILES; src += 97) {
        uint32_t farthest = 0;
        for (uint32_t t = 0; t < GC200_TILES; t++)
            if (t != src && fs_exchange_latency(x, src, t) > farthest)
                farthest = fs_exchange_latency(x, src, t);
        assert_int_equal(fs_exchange_broadcast(x, src, 64), 16 + farthest);
        assert_int_equal(fs_exchange_broadcast(x, src, 65), 17 + farthest);
        assert_int_equal(fs_exchange_broadcast(x, src, 0), 0);
    }
}

/* All tiles send to their neighbour at once: 1472 x 4 B x 1.33 GHz, the published 7.8 TB/s. */
TEST(aggregate_bandwidth) {
    fs_arena *arena = test_arena();
    fs_machine_params m = fs_test_gc200();
    fs_transfer t[GC200_TILES];
    enum { BYTES = 1 << 18 };
    for (uint32_t i = 0; i < GC200_TILES; i++)
        t[i] = (fs_transfer){i, (i + 1) % GC200_TILES, BYTES};
    for (int mode = FS_EXCHANGE_STATIC; mode <= FS_EXCHANGE_DYNAMIC; mode++) {
        m.exchange.mode = mode;
        m.exchange.header = 0;
        uint32_t occupied[GC200_TILES];
        for (uint32_t i = 0; i < GC200_TILES; i++)
            occupied[i] = BYTES;
        fs_exchange *x = create(arena, &m, t, GC200_TILES);
        uint64_t cycles = fs_exchange_phase(x, occupied, NULL);
        double rate = (double)GC200_TILES * BYTES / ((double)cycles / m.clock);
        assert_true(rate > 7.8e12 && rate < 7.84e12);
    }
}

RUN_TESTS(NULL, NULL)
