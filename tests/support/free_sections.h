/* The registry's sections without the rules between their values: for tests that change one parameter alone,
 * whatever goes with it. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/config/param.h"

/* As many as fs_registry_all.section_count; every workload reads all of them. Arena-owned. */
const fs_section *fs_test_free_sections(fs_arena *arena);

/* Another value of the row than `value`, which points to its member, as --set takes it; NULL when there is
 * none. A path becomes b.txt. Arena-owned. */
const char *fs_test_another(fs_arena *arena, const fs_param *row, const void *value);
