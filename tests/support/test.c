#include "tests/support/test.h"

#include <time.h>

enum { MOST = 64 };
static struct CMUnitTest listed[MOST];
static size_t count;
static bool in_test;

/* What ends with a test, or with the program. */
typedef struct later {
    void (*end)(void *thing);
    void *thing;
    struct later *before;
} later;
typedef struct owned {
    fs_arena *arena;
    later *last;
} owned;
static owned of_test, of_program;

static void free_owned(owned *o) {
    for (later *l = o->last; l != NULL; l = l->before)
        l->end(l->thing);
    fs_arena_free(o->arena);
    *o = (owned){.arena = NULL};
}

void test_list(struct CMUnitTest test) {
    if (count == MOST)
        abort();
    listed[count++] = test;
}

int test_run(CMFixtureFunction enter, CMFixtureFunction leave) {
    if (count == 0) /* a program that tests nothing has not passed */
        return 1;
    const int failed = _cmocka_run_group_tests("tests", listed, count, enter, leave);
    free_owned(&of_program);
    return failed;
}

int test_begins(CMFixtureFunction enter, void **state) {
    in_test = true;
    return enter == NULL ? 0 : enter(state);
}

int test_ends(CMFixtureFunction leave, void **state) {
    const int failed = leave == NULL ? 0 : leave(state);
    free_owned(&of_test);
    in_test = false;
    return failed;
}

fs_arena *test_arena(void) {
    owned *o = in_test ? &of_test : &of_program;
    if (o->arena == NULL)
        o->arena = fs_arena_create();
    return o->arena;
}

void test_later(void (*end)(void *thing), void *thing) {
    later *l = FS_NEW(test_arena(), later, 1);
    owned *o = in_test ? &of_test : &of_program;
    *l = (later){end, thing, o->last};
    o->last = l;
}

void *test_keep(void *heap) {
    assert_non_null(heap);
    test_later(free, heap);
    return heap;
}

uint64_t test_number(const char *variable, uint64_t usual) {
    const char *text = getenv(variable);
    return text == NULL ? usual : strtoull(text, NULL, 10);
}

uint64_t test_seed(uint64_t usual) {
    const uint64_t seed = test_number("FOAMSIM_SEED", usual);
    print_message("seed %" PRIu64 " (FOAMSIM_SEED)\n", seed);
    return seed;
}

void test_nap(double seconds) {
    const struct timespec t = {.tv_sec = (time_t)seconds,
                               .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

void test_says(const char *text, const char *words, const char *file, int line) {
    if (strstr(text, words) != NULL)
        return;
    print_error("expected \"%s\", found \"%s\"\n", words, text);
    _fail(file, line);
}

void test_fine(int status, const fs_error *err, const char *file, int line) {
    if (status == FS_OK)
        return;
    print_error("%s\n", err->text);
    _fail(file, line);
}
