/* What every program of tests needs: cmocka, with the headers that it asks for before it, and the usual ones of C.
 *
 *     TEST(a_full_lane_refuses) { ... }                 a test; `state` is what the group's setup left
 *     TEST_IN(a_file_is_read, scratch_enter, scratch_leave) { ... }   one with a setup and a teardown of its own
 *     RUN_TESTS(NULL, NULL)                              the program: all of them in the order in which they stand; the group's
 *                                                        setup and teardown */
#ifndef FOAMSIM_TESTS_SUPPORT_TEST_H
#define FOAMSIM_TESTS_SUPPORT_TEST_H

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

#define TEST(name) TEST_IN(name, NULL, NULL)

/* It lists itself before main begins. */
#define TEST_IN(name, enter, leave)                                                                          \
    static void name(void **state);                                                                          \
    __attribute__((constructor)) static void list_##name(void) {                                             \
        test_list((struct CMUnitTest){#name, name, enter, leave, NULL});                                     \
    }                                                                                                        \
    static void name(void **state __attribute__((unused)))

#define RUN_TESTS(enter, leave)                                                                              \
    int main(void) {                                                                                         \
        return test_run(enter, leave);                                                                       \
    }

void test_list(struct CMUnitTest test);
int test_run(CMFixtureFunction enter, CMFixtureFunction leave); /* how many failed */

#endif
