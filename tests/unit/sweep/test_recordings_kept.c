/* Which recordings of a sweep stay when they are more than they may be: those that are needed, then those
 * used last. */
#include "sim/base/alloc.h"
#include "sim/sweep/private.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <sys/stat.h>

/* A file of 1,000 bytes that was used `second` seconds after some time. */
static void put(const char *path, int second) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++)
        fputc('x', file);
    assert_int_equal(fclose(file), 0);
    const struct timespec used[2] = {{.tv_sec = 1000000 + second}, {.tv_sec = 1000000 + second}};
    assert_int_equal(utimensat(AT_FDCWD, path, used, 0), 0);
}

TEST_IN(those_used_longest_ago_go_first, scratch_enter, scratch_leave) {
    assert_int_equal(mkdir("cache", 0700), 0);
    put("cache/a.itinerary", 30);
    put("cache/b.activity", 10);
    put("cache/c.activity", 40);
    put("cache/d.itinerary", 20);
    put("cache/e.itinerary", 5);
    put("cache/points", 1); /* no recording */
    fs_arena *arena = test_arena();
    const char *const keep[] = {"cache/e.itinerary"};
    fs_sweep_trim(arena, "cache", 0, keep, 1); /* 0: no limit */
    assert_true(scratch_there("cache/b.activity"));
    fs_sweep_trim(arena, "cache", 5000, keep, 1); /* as many as there are */
    assert_true(scratch_there("cache/b.activity"));
    fs_sweep_trim(arena, "cache", 3999, keep, 1);
    assert_false(scratch_there("cache/b.activity"));
    assert_false(scratch_there("cache/d.itinerary"));
    assert_true(scratch_there("cache/a.itinerary"));
    assert_true(scratch_there("cache/c.activity"));
    assert_true(scratch_there("cache/e.itinerary")); /* the oldest, but needed */
    fs_sweep_trim(arena, "cache", 1, keep, 1);
    assert_false(scratch_there("cache/a.itinerary"));
    assert_false(scratch_there("cache/c.activity"));
    assert_true(scratch_there("cache/e.itinerary"));
    assert_true(scratch_there("cache/points"));
}

RUN_TESTS(NULL, NULL)
