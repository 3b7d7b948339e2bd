/* Recordings with right checksums and wrong numbers: each is refused in a sentence, within little memory, and
 * none crashes the reader.
 *
 * FOAMSIM_HOSTILE_RECORDINGS: how many random changes are tried (100); FOAMSIM_SEED: of them. */
#include "tests/support/cli.h"
#include "tests/support/foreign/foreign_case.h"
#include "tests/support/hostile/repack.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"

#include "sim/base/arith.h"
#include "sim/base/rng.h"
#include "tests/support/test.h"
#include "workloads/foam/record/activity.h"

#include <sys/resource.h>

enum { MOST_KIB = 1 << 20 }; /* of memory, for a file below 1 MiB */

static repack rays, activity;

/* Recordings of the other workloads, for changes at random. */
static struct {
    const char *words; /* an experiment, but for its name */
    bool is_activity;
    repack recorded;
    char file[16];
} others[] = {
#define MESH "scene: { kind: mesh, soup: { triangles: 400, edge: 0.2, seed: 3 } }\n"
#define TREELETS                                                                                             \
    "machine: { base: gc200-small, exchange: { mode: dynamic } }\n" MESH                                     \
    "workload: { kind: treelets, width: 12, height: 8, samples: 2, io_tiles: 0, treelet: { bytes: 4 KiB } "  \
    "}\n"
#define PATHS                                                                                                \
    "machine: gc200-small\n" MESH "workload: { kind: pathtrace, width: 40, height: 24, samples: 2, "         \
    "rays_per_worker: 1, sampling: { drawn: 2 } }\n"
    {.words = TREELETS},
    {.words = TREELETS, .is_activity = true},
    {.words = PATHS},
    {.words = PATHS, .is_activity = true},
    {.words = "machine: { base: virtex5, traversal: { queue: 3 } }\n"
              "scene: { kind: mesh, soup: { triangles: 60, seed: 3 },\n"
              "  camera: { position: [0.5, 0.5, 3], look_at: [0.5, 0.5, 0] } }\n"
              "workload: { kind: hierarchy, source: camera, camera: { width: 9, height: 7 } }\n"},
    {.words =
         "machine: gc200-small\nscene: { kind: primitives, builtin: room }\n"
         "workload: { kind: smallpaint, image: { width: 24, height: 16 }, tile: { width: 8, height: 8 },\n"
         "  samples: 4, samples_per_step: 2 }\n",
     .is_activity = true},
};

static cli_result replay_of(const char *experiment, const char *file) {
    if (scratch_there("refused")) /* of a change before that a program took for a recording */
        foreign_remove("refused");
    return cli("run", experiment, "-q", "-f", "-t", "1", "-o", "refused", "--replay", file, NULL);
}

static cli_result replay(const char *file) {
    if (scratch_there("refused"))
        foreign_remove("refused");
    return cli("run", "x.yaml", "-q", "-f", "-t", "1", "-o", "refused", "--set",
               "machine.exchange.mode=dynamic", "--replay", file, NULL);
}

static void write_bad(const repack *r) {
    fs_error err = {0};
    assert_ok(repack_write(r, "bad", &err), &err);
}

/* ---- one change at a time ---- */

static repack taken; /* a copy to change */

static void take(const repack *from) {
    repack_free(&taken);
    taken = *from;
    taken.key = strdup(from->key);
    taken.text = strdup(from->text);
    for (size_t s = 0; s < from->sections; s++) {
        taken.section[s].data = malloc(from->section[s].bytes + 1);
        memcpy(taken.section[s].data, from->section[s].data, from->section[s].bytes);
    }
}

static void *bytes_of(const char *name) {
    repack_section *s = repack_find(&taken, name);
    assert_non_null(s);
    return s->data;
}

static void assert_refused(const char *what, const char *sentence) {
    write_bad(&taken);
    cli_result r = replay("bad");
    if (r.status != 1 || strstr(r.err, "bad: a damaged recording: ") == NULL ||
        strstr(r.err, sentence) == NULL)
        fail_msg("%s: expected a refusal with \"%s\", found status %d, signal %d and\n%s", what, sentence,
                 r.status, r.signal, r.err);
    assert_true(!scratch_there("refused"));
}

/* Sets number `index` of a section of items of `size` bytes. */
typedef struct change {
    const repack *from;
    const char *section;
    size_t size, index;
    uint64_t value;
    const char *sentence;
} change;

static void try(const change *c) {
    take(c->from);
    memcpy((char *)bytes_of(c->section) + c->size * c->index, &c->value, c->size);
    char what[64];
    snprintf(what, sizeof what, "%s[%zu] = %llu", c->section, c->index, (unsigned long long)c->value);
    assert_refused(what, c->sentence);
}

TEST(numbers_that_do_not_fit_are_refused) {
    const change changes[] = {
        {&rays, "facts", 8, 4, 16, "item 0 of its entries: shard 16, expected 0 to 15"},
        {&activity, "facts", 8, 4, 4000000000, "item 0 of its entries: shard 4000000000, expected 0 to 15"},
        {&activity, "facts", 8, 2, UINT32_MAX, "its facts speak of 4294967295 shards"},
        {&activity, "facts", 8, 2, UINT64_MAX, "its facts speak of"},
        {&rays, "facts", 8, 3, 2, "its facts speak of 2 cameras"},
        {&rays, "scene_digest", 1, 5, 0xff, "is no SHA-256"},
        {&rays, "neighbour_start", 4, 1, UINT32_MAX, "item 1 of its neighbour_start: neighbour 4294967295"},
        {&rays, "neighbour_start", 4, 16, 1 << 30, "section neighbours has"},
        {&rays, "neighbours", 4, 0, 16, "item 0 of its neighbours: shard 16, expected 0 to 15"},
        {&rays, "neighbours", 4, 0, 0, "shard 0 is next to shard 0"},
        {&rays, "rays", 4, 0, 25, "its rays are of 25 x 18 pixels, its key of 24 x 18"},
        {&rays, "rays", 4, 2, 2, "its rays are of 2 cameras, its key of 1"},
        {&rays, "rays", 8, 2, UINT32_MAX, "section legs has"},
        {&rays, "rays", 8, 2, UINT64_MAX, "laid in another way"},
        {&rays, "first", 4, 30, UINT32_MAX, "the ray of pixel (6, 1) has a leg that leads nowhere"},
        {&rays, "legs", 2, 0, 16, "a leg that leads nowhere"},
        {&activity, "active", 4, 0, UINT32_MAX, "item 0 of its active: tile 4294967295"},
        {&activity, "calls", 8, 0, 1, "program 0 has 1 calls"},
        {&activity, "planes", 8, 0, UINT64_MAX - 1, "plane 0 of its counts does not fit"},
        {&activity, "planes", 4, 2, 9, "plane 0 of its counts does not fit"},
        {&activity, "end", 8, 0, 1 << 20, "item 0 of its parts: end 1048576"},
        {&activity, "end", 8, 1, 0, "item 1 of its parts: end 0, expected"},
        {&activity, "end", 8, 2, 1 << 20, "item 2 of its parts: end 1048576"},
        {&activity, "frames", 8, 0, 1 << 20, "frame 0 ends where no iteration is"},
        {&activity, "frames", 8, 2, 0, "frame 0 ends where no iteration is"},
        {&activity, "moved", 4, 0, UINT32_MAX, "more rays than a lane can hold"},
        {&activity, "hops", 4, 4, INT32_MAX, "the ray of pixel (0, 0) has hops that cannot be"},
        {&activity, "hops", 4, 5, UINT32_MAX, "the ray of pixel (0, 0) has hops that cannot be"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        try(&changes[i]);
}

TEST(iterations_that_do_not_fit_are_refused) {
    const fs_activity_iteration *first = repack_find(&activity, "iterations")->data;
    size_t k = 0, at = 0;
    while (first[k].active < 2)
        at += first[k++].active;
    take(&activity); /* two tiles of an iteration change places */
    uint32_t *active = bytes_of("active"), lower = active[at];
    active[at] = active[at + 1];
    active[at + 1] = lower;
    assert_refused("tiles that descend", "item 1 of its active: tile ");
    take(&activity);
    ((fs_activity_iteration *)bytes_of("iterations"))[k].active--;
    assert_refused("an active tile less", "section active has");
    take(&activity);
    ((fs_activity_iteration *)bytes_of("iterations"))[k].written = UINT64_MAX;
    assert_refused("more pixels than there are", "expected 0 to 432");
    take(&activity);
    memset((char *)&((fs_activity_iteration *)bytes_of("iterations"))[k].step.injecting, 7, 1);
    assert_refused("neither true nor false", "injecting 7, expected 0 to 1");
    take(&activity);
    repack_resize(repack_find(&taken, "iterations"), 0);
    assert_refused("no iteration", "no iteration");
    take(&activity); /* as many groups as programs */
    repack_section *calls = repack_find(&taken, "calls");
    repack_resize(calls, calls->bytes - sizeof(uint64_t));
    assert_refused("a program less", "section calls has");
}

/* A crossing leads into another shard. */
TEST(a_ray_that_stays_is_refused) {
    take(&rays);
    const uint64_t *facts = bytes_of("facts");
    const uint32_t *first = bytes_of("first");
    fs_leg *leg = (fs_leg *)bytes_of("legs") + first[0];
    leg->next = (uint16_t)facts[4];
    assert_refused("a crossing into its own shard", "the ray of pixel (0, 0) has a leg that leads nowhere");
}

/* Every ray takes the longest one's way: more legs than there are. */
TEST(rays_that_share_legs_are_refused) {
    take(&rays);
    const repack_section *legs = repack_find(&taken, "legs");
    repack_section *s = repack_find(&taken, "first");
    uint32_t *first = s->data, most = 0, longest = 0;
    for (size_t p = 0; p < s->bytes / sizeof *first; p++) {
        uint32_t count = 1;
        for (const fs_leg *leg = (const fs_leg *)legs->data + first[p]; leg->next != FS_LEG_ENDS;
             leg += FS_LEG_STRIDE)
            count++;
        longest = count > most ? first[p] : longest;
        most = count > most ? count : most;
    }
    for (size_t p = 0; p < s->bytes / sizeof *first; p++)
        first[p] = longest;
    assert_refused("shared legs", "its rays have more legs than");
}

/* ---- memory ---- */

TEST(small_files_take_little_memory) {
    static const char *const names[2][7] = {
        {"legs", "first", "shard_sizes", "neighbours", "reference_rgb", "ends", NULL},
        {"active", "iterations", "counts", "hops", "moved", "planes", NULL}};
    for (int layer = 0; layer < 2; layer++)
        for (const char *const *name = names[layer]; *name != NULL; name++) {
            take(layer == 0 ? &rays : &activity);
            repack_section *s = repack_find(&taken, *name);
            assert_non_null(s);
            s->zeros = 300; /* 1.2 GiB in some 50 kB */
            assert_refused(*name, "section ");
        }
    struct rusage children;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &children), 0);
    assert_true(children.ru_maxrss < MOST_KIB);
}

/* ---- random changes ---- */

/* A few numbers of one section, or its size. */
static void change_something(fs_rng *d) {
    static const uint64_t values[] = {0, 1, 2, 16, 255, 65535, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    repack_section *s = &taken.section[fs_rng_below(d, (uint32_t)taken.sections)];
    if (fs_rng_below(d, 8) == 0) {
        repack_resize(s, s->bytes + 64 - fs_rng_below(d, s->bytes < 64 ? 64 : 128));
        return;
    }
    for (uint32_t n = 1 + fs_rng_below(d, 3); n > 0 && s->bytes >= 8; n--) {
        const size_t size = (size_t)1 << fs_rng_below(d, 4);
        char *at = (char *)s->data + size * fs_rng_below(d, (uint32_t)(s->bytes / size));
        uint64_t value = values[fs_rng_below(d, sizeof values / sizeof *values)];
        if (fs_rng_below(d, 2) == 0) {
            memcpy(&value, at, size);
            value += fs_rng_below(d, 2) ? 1 : UINT64_MAX;
        }
        memcpy(at, &value, size);
    }
}

TEST(no_change_crashes_the_reader) {
    const uint64_t seed = test_seed(20261), count = test_number("FOAMSIM_HOSTILE_RECORDINGS", 100);
    print_message("%" PRIu64 " changes\n", count);
    for (uint64_t i = 0; i < count; i++) {
        fs_rng d = fs_rng_sub(fs_rng_stream(seed, "hostile recordings"), i);
        take(i % 2 == 0 ? &rays : &activity);
        change_something(&d);
        write_bad(&taken);
        cli_result r = replay("bad");
        if (r.status < 0 || r.status > 2 || strstr(r.err, "Sanitizer") != NULL ||
            (r.status != 0 && r.err[0] == '\0'))
            fail_msg("change %llu: status %d, signal %d\n%s", (unsigned long long)i, r.status, r.signal,
                     r.err);
        assert_true(r.status == 0 || !scratch_there("refused"));
        if (r.status == 0 && system("rm -rf refused") != 0)
            fail_msg("a folder stays");
    }
}

TEST(no_change_of_the_others_crashes_theirs) {
    const uint64_t seed = test_seed(20262), count = test_number("FOAMSIM_HOSTILE_RECORDINGS", 100);
    print_message("%" PRIu64 " changes\n", count);
    uint64_t refused = 0;
    for (uint64_t i = 0; i < count; i++) {
        const size_t o = i % FS_COUNT(others);
        fs_rng d = fs_rng_sub(fs_rng_stream(seed, "hostile recordings"), i);
        take(&others[o].recorded);
        change_something(&d);
        write_bad(&taken);
        cli_result r = replay_of(others[o].file, "bad");
        if (r.status < 0 || r.status > 2 || strstr(r.err, "Sanitizer") != NULL ||
            (r.status != 0 && r.err[0] == '\0'))
            fail_msg("change %llu of %s: status %d, signal %d\n%s", (unsigned long long)i, others[o].file,
                     r.status, r.signal, r.err);
        refused += r.status != 0;
    }
    assert_true(refused > count / 4);
}

static bool record_others(fs_error *err) {
    char text[2048], file[16];
    for (size_t o = 0; o < FS_COUNT(others); o++) {
        snprintf(others[o].file, sizeof others[o].file, "o%zu.yaml", o);
        snprintf(text, sizeof text, "name: o%zu\n%s", o, others[o].words);
        snprintf(file, sizeof file, "o%zu", o);
        cli_write(others[o].file, text);
        cli_must("run", others[o].file, "-q", "-f", "-o", "other",
                 others[o].is_activity ? "--record-activity" : "--record", file, NULL);
        if (repack_open(&others[o].recorded, file, err) != 0)
            return false;
        const cli_result r = replay_of(others[o].file, file);
        if (r.status != 0)
            fail_msg("%s: %s", others[o].file, r.err);
    }
    return true;
}

static int begin(void **state) {
    if (cli_enter(state))
        return 1;
    cli_write("x.yaml",
              "name: hostile\n"
              "machine: gc200-small\n"
              "overlay: { kind: quadtree }\n"
              "scene: { generate: { kind: garden, cells: 1000, seed: 7 } }\n"
              "run: { max_iterations: 2000, statistics: full }\n"
              "workload:\n"
              "  kind: foam\n"
              "  camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: 24, height: 18 }\n"
              "  partition: { kind: kd, shards: 16 }\n"
              "  batching: { order: rows, per_batch: 2, idle: 10 }\n");
    cli_must("run", "x.yaml", "-q", "-o", "whole", "--record", "rays", "--record-activity", "activity", NULL);
    fs_error err = {0};
    if (repack_open(&rays, "rays", &err) == 0 && repack_open(&activity, "activity", &err) == 0 &&
        record_others(&err))
        return 0;
    print_error("%s\n", err.text);
    return 1;
}

static int end(void **state) {
    repack_free(&rays);
    repack_free(&activity);
    repack_free(&taken);
    for (size_t o = 0; o < FS_COUNT(others); o++)
        repack_free(&others[o].recorded);
    return cli_leave(state);
}

/* Taken apart and packed again it is the same recording. */
TEST(an_unchanged_one_replays) {
    const repack *both[] = {&rays, &activity};
    for (int i = 0; i < 2; i++) {
        take(both[i]);
        write_bad(&taken);
        cli_must("run", "x.yaml", "-q", "-f", "-o", "again", "--replay", "bad", NULL);
        assert_same_run("whole", "again", SAME_SETTINGS);
    }
}

RUN_TESTS(begin, end)
