/* Cycles of all calls of the tiles that run one program, from planes of counts. */
#ifndef FOAMSIM_WORKLOADS_FOAM_RECORD_PRICE_CALLS_H
#define FOAMSIM_WORKLOADS_FOAM_RECORD_PRICE_CALLS_H

#include "workloads/foam/record/activity.h"

/* largest: [planes] largest count of each plane of the activity (fs_price_largest). cycles: [calls of the
 * group]. False, with nothing written, where 32 bits may not hold a call's cycles. What
 * fs_tile_times_closed gives, eight calls at a time where the processor can. */
bool fs_price_calls(const fs_activity *activity, const uint16_t *largest, uint32_t group,
                    const fs_priced_program *program, uint32_t *cycles);
/* Heap: free(). */
uint16_t *fs_price_largest(const fs_activity *activity);

#endif
