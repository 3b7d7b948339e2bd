#include "tests/support/test.h"

enum { MOST = 64 };
static struct CMUnitTest listed[MOST];
static size_t count;

void test_list(struct CMUnitTest test) {
    if (count == MOST)
        abort();
    listed[count++] = test;
}

int test_run(CMFixtureFunction enter, CMFixtureFunction leave) {
    if (count == 0) /* a program that tests nothing has not passed */
        return 1;
    return _cmocka_run_group_tests("tests", listed, count, enter, leave);
}
