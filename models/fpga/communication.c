/* The communication controller: rays over the link into a store, results back. */
#include "models/fpga/engine_internal.h"

#include "sim/host/signals.h"

static void send_ray(engine *e, uint64_t now) {
    fs_fifo_put(&e->arrivals, fs_link_send(&e->rays_in, now, e->itinerary->ray_in));
    e->rays_sent++;
}

/* The store is empty, so it is asked for as many rays as it holds. */
void communication_start(engine *e) {
    const uint64_t clock = (uint64_t)e->machine->clock, rays = e->itinerary->rays;
    const uint64_t room = (uint64_t)e->machine->traversal.fifo;
    fs_link_lane_init(&e->rays_in, &e->machine->link, clock, true);
    fs_link_lane_init(&e->results_out, &e->machine->link, clock, false);
    fs_fifo_init(&e->arrivals, e->arena, (uint32_t)(rays < room ? rays : room));
    while (e->rays_sent < rays && e->rays_sent < room)
        send_ray(e, 0);
}

uint64_t communication_arrival(const engine *e) {
    return e->arrivals.count == 0 ? ENGINE_NEVER : fs_fifo_front(&e->arrivals);
}

uint64_t communication_take(engine *e, uint64_t now) {
    fs_fifo_take(&e->arrivals);
    if (e->rays_sent < e->itinerary->rays)
        send_ray(e, now);
    return e->rays_dealt++;
}

void communication_result(engine *e, uint64_t now) {
    e->over = fs_most(e->over, fs_link_send(&e->results_out, now, e->itinerary->ray_out));
    e->rays_done++;
    if (e->rays_done % ENGINE_LOOK != 0)
        return;
    if (e->listener != NULL && e->listener->progress != NULL)
        e->listener->progress(e->listener->self, e->rays_done);
    if (fs_interrupted() && !e->failed) {
        fs_fail(e->err, FS_RUN, "interrupted");
        e->failed = true;
    }
}
