/* Decoupled execution over random frames, on every overlay, with buffers down to one ray: every ray ends in
 * the pixel and by the visits that it has under barriers, nothing stands still, sums add up; a lone ray takes
 * what its calls and messages take, and no longer than under barriers. One simulation to a process: each runs
 * in a fork that checks for itself. */
#include "sim/base/rng.h"
#include "tests/support/foam/decoupled_case.h"
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

static uint64_t seed;

#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: seed %llu: ", __FILE__, __LINE__, (unsigned long long)seed);             \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fprintf(stderr, "\n");                                                                           \
            _exit(1);                                                                                        \
        }                                                                                                    \
    } while (0)

/* What a child has to say to its parent. */
typedef struct word {
    uint64_t cycles, calls;
    fs_status status;
    char text[512];
} word;

typedef struct job {
    void (*body)(const struct job *job, word *out);
    fs_case_spec spec;
    uint32_t window;
    int64_t overhead; /* vertex_overhead, cycles; negative: the machine's */
    int64_t barrier;  /* sync.base, cycles; 0: the machine's */
    bool free_calls, wide;
} job;

static word in_child(const job *j) {
    int ends[2];
    word w = {0};
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        j->body(j, &w);
        _exit(write(ends[1], &w, sizeof w) == (ssize_t)sizeof w ? 0 : 1);
    }
    close(ends[1]);
    int status;
    ssize_t got = read(ends[0], &w, sizeof w);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(got, sizeof w);
    return w;
}

static const char *name_of(const job *j) {
    return fs_case_kind_names[j->spec.overlay.kind];
}

static void make(const job *j, fs_decoupled_case *d) {
    fs_decoupled_case_make(d, &j->spec);
    d->c.machine.decoupled_window = j->window;
    if (j->overhead >= 0)
        d->c.machine.tile.vertex_overhead = j->overhead;
    if (j->barrier > 0)
        d->c.machine.sync.base = j->barrier;
    if (j->free_calls)
        d->kernels.fixed_cost = false;
}

/* ---- the same pixels by the same visits ---- */

static void compare_pixels(const job *j, const fs_framebuffer *a, const fs_framebuffer *b) {
    const size_t pixels = (size_t)a->width * a->height;
    const char *name = name_of(j);
    CHECK(memcmp(a->rgb, b->rgb, 3 * pixels * sizeof a->rgb[0]) == 0, "%s: another picture", name);
    CHECK(memcmp(a->depth, b->depth, pixels * sizeof a->depth[0]) == 0, "%s: another depth", name);
    for (size_t p = 0; p < pixels; p++) {
        const fs_pixel_hops *x = &a->hops[p], *y = &b->hops[p];
        if (x->alive < 0 && j->spec.frames > 1)
            continue;
        CHECK(x->tracer_visits == y->tracer_visits && x->router_visits == y->router_visits &&
                  x->delivery_hops == y->delivery_hops,
              "%s: pixel %zu: %d, %d, %d visits, under barriers %d, %d, %d", name, p, x->tracer_visits,
              x->router_visits, x->delivery_hops, y->tracer_visits, y->router_visits, y->delivery_hops);
        CHECK(x->alive >= x->waiting && x->waiting >= 0, "pixel %zu waited %d of %d", p, x->waiting,
              x->alive);
    }
}

static void whole_frame(const job *j, word *out) {
    fs_decoupled_case *d = test_keep(calloc(1, sizeof *d)), *other = test_keep(calloc(1, sizeof *other));
    fs_slice_sums sums;
    fs_foam_figures f;
    fs_error err = {0};
    make(j, d);
    CHECK(fs_decoupled_case_run(d, &sums, &f, &err) == FS_OK, "%s, lanes of %u: %s", name_of(j),
          j->spec.lane_slots, err.text);
    const fs_foam_totals t = fs_foam_simulation_totals(d->c.sim);
    const uint64_t rays = (uint64_t)j->spec.width * j->spec.height * j->spec.frames;
    /* With further frames the last may be done while rays of those before it are under way. */
    CHECK(t.generated == rays && t.finished + t.in_flight == rays && fs_foam_simulation_complete(d->c.sim) &&
              (t.in_flight == 0 || j->spec.frames > 1),
          "%llu rays generated, %llu finished of %llu", (unsigned long long)t.generated,
          (unsigned long long)t.finished, (unsigned long long)rays);
    CHECK((t.hops_in == t.hops_out || t.in_flight > 0) && sums.rays == t.hops_in, "hops do not add up");
    CHECK(sums.contiguous && sums.generated == rays && sums.finished == t.finished &&
              sums.end == f.chip.device.cycles,
          "slices do not add up");
    CHECK(f.decoupled_in_flight_max <= f.decoupled_window, "%llu rays in flight",
          (unsigned long long)f.decoupled_in_flight_max);
    if (j->wide)
        CHECK(f.decoupled_window == 8u * j->spec.lane_slots - 1, "a window of %llu",
              (unsigned long long)f.decoupled_window);
    for (uint32_t l = 0; l < d->c.overlay.lane_count; l++)
        CHECK(fs_foam_simulation_lanes(d->c.sim)[l].peak <= d->c.capacity[l], "lane %u overflows", l);
    job barriers = *j;
    barriers.spec.infinite = true;
    make(&barriers, other);
    CHECK(fs_case_run(&other->c, &err) == FS_OK, "under barriers: %s", err.text);
    compare_pixels(j, fs_foam_simulation_framebuffer(d->c.sim), fs_foam_simulation_framebuffer(other->c.sim));
    out->cycles = f.chip.device.cycles;
    out->calls = f.decoupled_calls;
    fs_decoupled_case_free(d);
    fs_decoupled_case_free(other);
}

/* Slots: of every lane; 0: what the overlay's buffers hold. */
static job draw(uint64_t number, fs_case_kind kind, uint32_t slots) {
    job j = {.body = whole_frame, .spec = fs_case_random(seed + number), .overhead = -1};
    fs_rng rng = fs_rng_stream(seed + number, "test/decoupled");
    j.spec.overlay = fs_case_overlay_random(&rng, j.spec.shards);
    j.spec.overlay.kind = kind;
    j.spec.lane_slots = slots;
    return j;
}

TEST(every_ray_ends_where_it_would_under_barriers) {
    for (uint32_t kind = 0; kind < FS_CASE_KINDS; kind++)
        for (uint32_t slots = 0; slots <= 3; slots++)
            for (uint32_t k = 0; k < 2; k++) {
                const job j = draw(100 * kind + 10 * slots + k, (fs_case_kind)kind, slots);
                in_child(&j);
            }
}

/* Trees with lanes just large enough for the wider window, 8 x a lane - 1: a slice has 1, 4 or 9 pixels. */
TEST(trees_never_stand_still_in_the_wider_window) {
    for (uint32_t k = 0; k < 12; k++) {
        job j = draw(6000 + k, (fs_case_kind)(k % (FS_CASE_TREE + 1)), 0);
        const uint32_t side = 1 + k % 3;
        j.spec.shards = k % 2 ? 16 : 64;
        j.spec.width = j.spec.height = side * (j.spec.shards == 16 ? 4 : 8);
        j.spec.lane_slots = side * side + 1;
        j.spec.frames = 1;
        j.spec.sites = 4 * j.spec.shards + 300;
        j.spec.overlay.replicated = 0;
        j.spec.overlay.widths[0] = 1;
        j.spec.local = j.spec.stream = false;
        j.wide = true;
        in_child(&j);
    }
}

TEST(the_same_run_takes_the_same_cycles) {
    for (uint32_t k = 0; k < 3; k++) {
        const job j = draw(1000 + k, (fs_case_kind)(k + FS_CASE_FAT_TREE), 2);
        const word a = in_child(&j), b = in_child(&j);
        assert_int_equal(a.cycles, b.cycles);
        assert_int_equal(a.calls, b.calls);
    }
}

/* A local framebuffer that holds few records is read out in between. */
static void small_local(const job *j, word *out) {
    fs_decoupled_case *d = test_keep(calloc(1, sizeof *d));
    fs_slice_sums sums;
    fs_foam_figures f;
    fs_error err = {0};
    make(j, d);
    d->c.setup.local_records = 8;
    d->c.sim = fs_foam_simulation_create(d->c.arena, &d->c.setup, &err);
    CHECK(fs_decoupled_case_run(d, &sums, &f, &err) == FS_OK, "%s", err.text);
    CHECK(fs_foam_simulation_complete(d->c.sim), "not complete");
    out->calls = f.decoupled_read_outs;
    fs_decoupled_case_free(d);
}

TEST(a_full_local_framebuffer_is_read_out) {
    job j = draw(2000, FS_CASE_DIRECT, 1);
    j.body = small_local;
    j.spec.local = true;
    j.spec.width = 24;
    j.spec.height = 18;
    j.spec.shards = 4;
    const word w = in_child(&j);
    assert_true(w.calls > 0);
}

/* ---- a lone ray ---- */

static void lone_ray(const job *j, word *out) {
    fs_decoupled_case *d = test_keep(calloc(1, sizeof *d)), *other = test_keep(calloc(1, sizeof *other));
    fs_slice_sums sums;
    fs_foam_figures f;
    fs_lone_ray want;
    fs_error err = {0};
    make(j, d);
    CHECK(fs_decoupled_case_run(d, &sums, &f, &err) == FS_OK, "%s", err.text);
    make(j, other);
    CHECK(fs_decoupled_case_lone_ray(other, &want, &err) == FS_OK, "%s", err.text);
    CHECK(f.chip.device.cycles_compute == want.service, "%s: %llu cycles, calls and messages take %llu",
          name_of(j), (unsigned long long)f.chip.device.cycles_compute, (unsigned long long)want.service);
    CHECK((uint64_t)f.decoupled_alive == want.service && f.decoupled_waiting <= 0, "it waited");
    out->cycles = f.chip.device.cycles_compute;
    out->calls = want.service + want.barriers;
    fs_decoupled_case_free(d);
    fs_decoupled_case_free(other);
}

TEST(a_lone_ray_takes_its_calls_and_messages) {
    for (uint32_t k = 0; k < 3 * FS_CASE_KINDS; k++) {
        job j = draw(3000 + k, (fs_case_kind)(k % FS_CASE_KINDS), 1 + k % 3);
        j.body = lone_ray;
        j.spec.overlay.dispatch = FS_DISPATCH_HASH; /* the only policy that does not look at anything else */
        j.spec.width = j.spec.height = j.spec.frames = 1;
        j.spec.workers = FS_MAX_WORKERS; /* the rows of both sides lie equally far apart */
        j.spec.repeat = 100000;
        j.free_calls = k % 2 == 0;
        const word w = in_child(&j);
        assert_true(w.cycles <= w.calls);
    }
}

/* ---- which is faster ---- */

static void bsp_cycles(const job *j, word *out) {
    fs_decoupled_case *d = test_keep(calloc(1, sizeof *d));
    fs_error err = {0};
    make(j, d);
    CHECK(fs_decoupled_case_bsp(d, &out->cycles, &err) == FS_OK, "%s", err.text);
    fs_decoupled_case_free(d);
}

static void decoupled_cycles(const job *j, word *out) {
    fs_decoupled_case *d = test_keep(calloc(1, sizeof *d));
    fs_slice_sums sums;
    fs_foam_figures f;
    fs_error err = {0};
    make(j, d);
    out->status = fs_decoupled_case_run(d, &sums, &f, &err);
    memcpy(out->text, err.text, sizeof out->text - 1);
    out->cycles = f.chip.device.cycles_compute;
    out->calls = f.decoupled_calls;
    fs_decoupled_case_free(d);
}

static void compare_times(uint64_t number, int64_t overhead, int64_t barrier, uint64_t *barriers,
                          uint64_t *decoupled) {
    job j = {.spec = fs_case_random(number), .overhead = overhead, .barrier = barrier};
    j.spec.overlay = (fs_case_overlay){.kind = (fs_case_kind)(number % FS_CASE_KINDS), .widths = {1, 2, 4}};
    j.spec.lane_slots = 0;
    j.spec.width = 24;
    j.spec.height = 18;
    j.spec.workers = 6;
    j.spec.frames = j.spec.repeat = j.spec.per_batch = 1;
    j.spec.local = false;
    j.spec.partition = 0;
    j.body = bsp_cycles;
    *barriers = in_child(&j).cycles;
    j.body = decoupled_cycles;
    const word w = in_child(&j);
    assert_int_equal(w.status, FS_OK);
    *decoupled = w.cycles;
}

/* Dear barriers: who has none is faster. Dear calls: under barriers all tiles pay for theirs at the same time
 * and rays gather between them; without, a tile that starts for the first ray keeps the next ones waiting. */
TEST(which_is_faster_depends_on_what_is_dear) {
    uint64_t barriers, decoupled;
    for (uint64_t number = 0; number < FS_CASE_KINDS; number++) {
        compare_times(number, 0, 1000000, &barriers, &decoupled);
        assert_true(decoupled < barriers);
        compare_times(number, 1000000, 0, &barriers, &decoupled);
        assert_true(decoupled > barriers);
    }
}

/* ---- standing still ---- */

TEST(a_window_too_wide_may_stand_still) {
    uint32_t still = 0;
    for (uint32_t k = 0; k < 8; k++) {
        job j = draw(5000 + k, FS_CASE_QUADTREE, 1);
        j.body = decoupled_cycles;
        j.spec.width = 24;
        j.spec.height = 18;
        j.spec.local = false;
        j.window = 1000;
        const word w = in_child(&j);
        assert_true(w.status == FS_OK || w.status == FS_RUN);
        if (w.status == FS_RUN) {
            assert_non_null(strstr(w.text, "stands still"));
            assert_non_null(strstr(w.text, "machine.decoupled_window = 3"));
            still++;
        }
    }
    assert_true(still > 0);
}

int main(void) {
    seed = test_seed(20250311);
    return test_run(NULL, NULL);
}
