/* What a decoupled run says of itself: its calls, messages and waiting, and frame times to the cycle. */
#include "workloads/foam/books/books.h"

#include <math.h>

static double ratio(uint64_t a, uint64_t b) {
    return b > 0 ? (double)a / (double)b : NAN;
}

/* A frame is there when the host has read it: the last visit follows the frame that ends the run, and frames
 * before it were found done without one. */
static void frame_times(const fs_foam_decoupled_totals *t, double clock, fs_foam_figures *out) {
    const uint32_t last = t->frames - 1;
    if (t->done[0] == UINT64_MAX)
        return;
    out->frame_latency_seconds = (double)(last == 0 && t->complete ? t->device.cycles : t->done[0]) / clock;
    if (last > 0 && t->done[last] != UINT64_MAX)
        out->frame_period_seconds = (double)(t->done[last] - t->done[0]) / clock / (double)last;
}

void fs_foam_decoupled_figures(const fs_foam_decoupled *f, double clock, fs_foam_figures *out) {
    out->decoupled_batch = out->decoupled_fixed_share = NAN;
    out->decoupled_message_rays = out->decoupled_busy_share = NAN;
    out->decoupled_alive = out->decoupled_waiting = NAN;
    if (f == NULL)
        return;
    const fs_foam_decoupled_totals t = fs_foam_decoupled_totals_of(f);
    uint64_t busiest = 0;
    for (uint32_t tile = 0; tile < t.tiles; tile++)
        busiest = t.device.compute[tile] > busiest ? t.device.compute[tile] : busiest;
    out->decoupled_calls = t.engine.calls;
    out->decoupled_messages = t.engine.messages;
    out->decoupled_window = t.engine.window;
    out->decoupled_in_flight_max = t.engine.most_in_flight;
    out->decoupled_stalled_cycles = t.engine.cycles_stalled;
    out->decoupled_read_outs = t.engine.read_outs;
    out->decoupled_batch = ratio(t.engine.rays_taken + t.rays.generated, t.engine.calls);
    out->decoupled_fixed_share = ratio(t.engine.cycles_fixed, t.engine.cycles_calls);
    out->decoupled_message_rays = ratio(t.rays.hops_out, t.engine.messages);
    out->decoupled_busy_share = ratio(busiest, t.device.cycles_compute);
    out->decoupled_alive = ratio(t.alive, t.rays.finished);
    out->decoupled_waiting = ratio(t.waiting, t.rays.finished);
    frame_times(&t, clock, out);
}
