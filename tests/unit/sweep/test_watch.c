/* The watch of a job array keeps no memory from look to look, whatever the queue says. */
#include "registry/registry.h"
#include "sim/base/host.h"
#include "sim/cluster/private.h"
#include "sim/host/voice.h"

#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <sys/stat.h>
#include <unistd.h>

enum { POINTS = 60, FIRST_LOOKS = 50, LOOKS = 200 };

/* A command `squeue` of these lines of shell, found first. */
static void queue_is(const char *lines) {
    FILE *file = fopen("bin/squeue", "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", lines);
    fclose(file);
    assert_int_equal(chmod("bin/squeue", 0755), 0);
}

static void put_in_path(void) {
    char here[2048], path[8192];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir("bin", 0777), 0);
    snprintf(path, sizeof path, "%s/bin:%s", here, getenv("PATH"));
    setenv("PATH", path, 1);
}

/* A submission with one task that works on POINTS points. */
static fs_cluster_submission submission_of(fs_arena *arena) {
    fs_cluster_submission s = {.folder = "w.db.cluster/000001", .job = "7", .count = 1, .name = "watched"};
    s.chunk = FS_NEW(arena, fs_cluster_chunk, 1);
    s.chunk[0].count = POINTS;
    s.chunk[0].work = FS_NEW(arena, fs_store_point, POINTS);
    for (size_t i = 0; i < POINTS; i++)
        s.chunk[0].work[i] = (fs_store_point){.key = fs_arena_printf(arena, "%064zu", i), .label = ""};
    return s;
}

static void looks(fs_cluster_watch *w, int count, fs_error *err) {
    for (int i = 0; i < count; i++) {
        bool changed;
        assert_true(fs_cluster_look(w, true, &changed));
        assert_int_equal(fs_cluster_take_up(w, err), FS_OK);
        assert_int_equal(fs_cluster_waiting(w), 0);
        fs_cluster_late(w);
    }
}

/* What the looks may leave: pages that malloc keeps; under ASan freed memory waits in quarantine too. Looks that kept their
 * memory would take 1 KiB for each point: 12 MiB. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define UNDER_ASAN
#endif
#endif
#if defined UNDER_ASAN || defined __SANITIZE_ADDRESS__
enum { MAY_GROW = 64 << 20 };
#else
enum { MAY_GROW = 1 << 20 };
#endif

TEST(memory_does_not_grow) {
    fs_error err = {0};
    fs_arena *arena = test_arena();
    fs_cluster_submission s = submission_of(arena);
    fs_slurm_task task = {.fate = FS_SLURM_GONE}, *tasks[] = {&task};
    fs_cluster_watch w = {.store = "w.db",
                          .registry = &fs_registry_all,
                          .arena = arena,
                          .submissions = &s,
                          .count = 1,
                          .tasks = tasks};
    assert_int_equal(fs_dir_make("w.db.cluster/000001/results", &err), FS_OK);
    queue_is("echo 7_0 RUNNING 0 None");
    looks(&w, FIRST_LOOKS, &err);
    assert_int_equal(task.fate, FS_SLURM_RUNS);
    assert_string_equal(task.state, "RUNNING");
    const uint64_t before = fs_host_resident_bytes(getpid());
    looks(&w, LOOKS, &err);
    const uint64_t after = fs_host_resident_bytes(getpid());
    assert_true(before > 0);
    if (after > before + MAY_GROW)
        fail_msg("%d looks took %.1f MiB", LOOKS, (double)(after - before) / 1048576.0);
}

/* Two watches are deaf each by itself: what one was told, the other is told too. */
TEST(a_queue_that_does_not_answer_is_told_by_each_watch) {
    fs_arena *arena = test_arena();
    fs_cluster_submission s = submission_of(arena);
    fs_slurm_task task[2] = {{.fate = FS_SLURM_GONE}, {.fate = FS_SLURM_GONE}};
    queue_is("echo 'slurm_load_jobs error: no route' >&2; exit 1");
    for (int i = 0; i < 2; i++) {
        fs_slurm_task *tasks[] = {&task[i]};
        fs_cluster_watch w = {.store = "w.db", .arena = arena, .submissions = &s, .count = 1, .tasks = tasks};
        bool changed;
        assert_false(fs_cluster_look(&w, true, &changed));
        assert_true(w.deaf);
        assert_string_equal(w.unheard.text, "squeue does not answer: slurm_load_jobs error: no route");
        queue_is("echo '7_0 PENDING 0 launch failed requeued held  '");
        assert_true(fs_cluster_look(&w, true, &changed));
        assert_false(w.deaf);
        assert_true(changed);
        assert_string_equal(task[i].reason, "launch failed requeued held");
        queue_is("echo 'slurm_load_jobs error: no route' >&2; exit 1");
    }
}

static int enter(void **state) {
    int failed = scratch_enter(state);
    put_in_path();
    fs_say_quiet(true);
    return failed;
}

RUN_TESTS(enter, scratch_leave)
