/* Queues of rays under decoupled execution. */
#include "workloads/foam/kernels/decoupled/decoupled_internal.h"

/* A lane's two queues hold 2 x capacity rays, and no more than the window lets into the machine. */
void decoupled_queues_create(fs_foam_decoupled *f, fs_arena *arena, const uint32_t *capacity,
                             uint32_t window) {
    const uint32_t lanes = f->overlay->lane_count;
    f->queue = FS_NEW(arena, ray_queue, lanes);
    for (uint32_t l = 0; l < lanes; l++) {
        uint64_t most = 2 * (uint64_t)capacity[l] < window ? 2 * (uint64_t)capacity[l] : window;
        uint32_t size = 1;
        while (size < most)
            size *= 2;
        f->queue[l] = (ray_queue){.slot = FS_NEW(arena, queued_ray, size), .mask = size - 1};
    }
}

void decoupled_close_gap(fs_foam_decoupled *f, uint32_t lane, uint32_t scanned, uint32_t left) {
    ray_queue *q = &f->queue[lane];
    uint32_t taken = scanned - left;
    if (taken == 0)
        return;
    for (uint32_t i = left; i-- > 0;)
        *queued_at(q, taken + i) = *queued_at(q, i);
    q->first = (q->first + taken) & q->mask;
    q->inside -= taken;
    q->count -= taken;
    fs_decoupled_take(f->engine, lane, taken);
}

void decoupled_promise_kept(fs_foam_decoupled *f, uint32_t lane) {
    ray_queue *q = &f->queue[lane];
    for (uint32_t i = q->inside + q->outside; i < q->count; i++)
        queued_at(q, i)->waited -= (int64_t)f->now;
    q->outside = q->count - q->inside;
}

void decoupled_sent(void *self, uint32_t lane, uint32_t rays, uint64_t start, uint64_t arrival) {
    fs_foam_decoupled *f = self;
    ray_queue *q = &f->queue[lane];
    FS_ASSERT(rays <= q->outside, "lane %u sends %u rays of %u", lane, rays, q->outside);
    for (uint32_t i = 0; i < rays; i++)
        queued_at(q, q->inside + i)->waited += (int64_t)start - (int64_t)arrival;
    q->inside += rays;
    q->outside -= rays;
}

void decoupled_arrived(void *self, uint32_t lane, uint32_t before, uint32_t rays, uint64_t cycles) {
    const fs_foam_decoupled *f = self;
    ray_queue *q = &f->queue[lane];
    for (uint32_t i = 0; i < rays; i++)
        queued_at(q, before + i)->waited -= (int64_t)cycles;
}
