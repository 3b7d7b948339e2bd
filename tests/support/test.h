/* What every program of tests needs: cmocka, with the headers that it asks for before it, and the usual ones of C.
 *
 *     TEST(a_full_lane_refuses) { ... }                 a test; `state` is what the group's setup left
 *     TEST_IN(a_file_is_read, scratch_enter, scratch_leave) { ... }   one with a setup and a teardown of its own
 *     RUN_TESTS(NULL, NULL)                              the program: all of them in the order in which they stand; the group's
 *                                                        setup and teardown
 *
 * and what many of them need: memory, random numbers, what an error says. */
#pragma once

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#define TEST(name) TEST_IN(name, NULL, NULL)

/* It lists itself before main begins. */
#define TEST_IN(name, enter, leave)                                                                          \
    static void name(void **state);                                                                          \
    static int begin_##name(void **state) {                                                                  \
        return test_begins(enter, state);                                                                    \
    }                                                                                                        \
    static int end_##name(void **state) {                                                                    \
        return test_ends(leave, state);                                                                      \
    }                                                                                                        \
    __attribute__((constructor)) static void list_##name(void) {                                             \
        test_list((struct CMUnitTest){#name, name, begin_##name, end_##name, NULL});                         \
    }                                                                                                        \
    static void name(void **state __attribute__((unused)))

#define RUN_TESTS(enter, leave)                                                                              \
    int main(void) {                                                                                         \
        return test_run(enter, leave);                                                                       \
    }

void test_list(struct CMUnitTest test);
int test_run(CMFixtureFunction enter, CMFixtureFunction leave); /* how many failed */
int test_begins(CMFixtureFunction enter, void **state);
int test_ends(CMFixtureFunction leave, void **state);

/* The arena of the test that runs, freed behind it; in a group's setup that of the program. */
fs_arena *test_arena(void);
/* Calls end(thing) where that arena is freed, the last one first. */
void test_later(void (*end)(void *thing), void *thing);
/* Memory of the heap that is freed there; the same pointer. */
void *test_keep(void *heap);

/* A whole number from the environment, or the usual one. */
uint64_t test_number(const char *variable, uint64_t usual);
/* FOAMSIM_SEED or the usual seed, which is printed. */
uint64_t test_seed(uint64_t usual);

/* So many seconds go by. */
void test_nap(double seconds);

/* The text has these words. */
#define assert_says(text, words) test_says(text, words, __FILE__, __LINE__)
/* A call that returns FS_OK; else its error is shown. err: pointer. */
#define assert_ok(call, err) test_fine((int)(call), err, __FILE__, __LINE__)
/* A call that returns something; else its error is shown. */
#define assert_got(pointer, err) test_fine((pointer) == NULL, err, __FILE__, __LINE__)
/* A call that returns another status, with these words. */
#define assert_fails(call, wanted, err, words)                                                               \
    do {                                                                                                     \
        assert_int_equal(call, wanted);                                                                      \
        assert_says((err)->text, words);                                                                     \
    } while (0)
void test_says(const char *text, const char *words, const char *file, int line);
void test_fine(int status, const fs_error *err, const char *file, int line);
