/* A temporary folder for a test that writes files: cmocka's set-up enters it, its tear-down removes it. */
#ifndef FOAMSIM_TESTS_SUPPORT_SCRATCH_H
#define FOAMSIM_TESTS_SUPPORT_SCRATCH_H

#include <stdbool.h>

int scratch_enter(void **state); /* a new folder becomes the current one; 0 when it worked */
int scratch_leave(void **state); /* back to the folder before */

/* In main's list: a test that has such a folder of its own. */
#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

bool scratch_there(const char *path); /* a file, folder or link of that name exists */

#endif
