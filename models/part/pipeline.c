/* Requests through a pipeline, in closed form. */
#include "models/part/part.h"

#include "sim/base/arith.h"

void fs_pipeline_init(fs_pipeline *pipeline, int64_t depth, int64_t interval) {
    *pipeline = (fs_pipeline){.depth = (uint64_t)depth, .interval = (uint64_t)interval};
}

/* Arrivals are a line rounded up: where they come slower than the interval the last arrival decides when the
 * last item enters, where they come faster the first one does. */
fs_pipeline_claim fs_pipeline_offer(fs_pipeline *p, uint64_t first, uint64_t last, uint32_t items) {
    const uint64_t rest = (items - 1) * p->interval, from = fs_most(first, p->free),
                   one = first + (last - first + items - 1) / items;
    const uint64_t entry = fs_most(fs_most(last, one + rest), p->free + rest);
    p->free = entry + p->interval;
    p->items += items;
    p->use.busy += items * p->interval;
    p->use.input += p->free - from - items * p->interval;
    return (fs_pipeline_claim){.from = from, .to = p->free, .out = entry + p->depth};
}
