/* What every program of tests needs: cmocka, with the headers that it asks for before it, and the usual ones of C.
 *
 * A test is written `TEST(a_full_lane_refuses) { ... }` and listed in main by cmocka_unit_test(a_full_lane_refuses); `state` is
 * what its group's setup left. */
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

#define TEST(name) static void name(void **state __attribute__((unused)))

#endif
