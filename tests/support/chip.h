/* Machines for tests of the hardware models, written out by hand: the numbers of the facts sheet, independent
 * of the parameter table's defaults. */
#pragma once

#include "models/ipu/machine.h"

fs_machine_params fs_test_gc200(void); /* 16 x 23 x 4 */
fs_machine_params fs_test_small(void); /* the same parts on 4 x 6 x 4 */

/* An exchange of these transfers alone, none of them a multicast. */
fs_exchange *fs_test_exchange(fs_arena *arena, const fs_exchange_params *params,
                              const fs_geometry_params *geometry, uint32_t tiles,
                              const fs_transfer *transfers, uint32_t count, fs_error *err);
