/* Figures of an overlay: roles, lanes, longest way; and of who sets the pace. */
#include "models/overlay/overlay_figures.h"

#include "sim/base/arith.h"

#include <math.h>

#define O fs_overlay_figures
#define P fs_pace_figures

static const fs_stat overlay_rows[] = {
    FS_STAT_COUNT("overlay.tracers", O, tracers, .unit = "tiles", .doc = "tracers, replicas included"),
    FS_STAT_COUNT("overlay.routers", O, routers, .unit = "tiles", .doc = "routers"),
    FS_STAT_COUNT("overlay.generators", O, generators, .unit = "tiles", .doc = "generators"),
    FS_STAT_COUNT("overlay.levels", O, levels, .unit = "levels", .doc = "levels of routers"),
    FS_STAT_COUNT("overlay.longest_path", O, longest, .unit = "hops",
                  .doc = "lanes between the two tracers that are farthest apart"),
};
const fs_stat_table fs_overlay_stats = FS_STAT_TABLE("overlay", overlay_rows);

fs_overlay_figures fs_overlay_figures_of(const fs_overlay *overlay) {
    return (fs_overlay_figures){.tracers = overlay->tracers,
                                .routers = overlay->routers,
                                .generators = overlay->generators,
                                .levels = overlay->levels,
                                .longest = overlay->longest};
}

static const fs_stat pace_rows[] = {
    FS_STAT_VALUE("pace.tracer", P, tracer,
                  .changed = "Tracers set the pace in {new} instead of {old} of the iterations.",
                  .says = FS_SAYS_SHARE, .label = "pace set by a tracer", .place = 130,
                  .doc = "share of iterations in which a tracer was the slowest tile"),
    FS_STAT_VALUE("pace.router", P, router,
                  .changed = "Routers set the pace in {new} instead of {old} of the iterations.",
                  .says = FS_SAYS_SHARE, .label = "pace set by a router", .place = 131,
                  .doc = "the same for a router"),
};
const fs_stat_table fs_pace_stats = FS_STAT_TABLE("pace", pace_rows);

fs_pace_figures fs_pace_figures_of(const uint64_t by_role[FS_ROLE_COUNT], uint64_t iterations) {
    if (iterations == 0)
        return (fs_pace_figures){NAN, NAN};
    const double all = (double)iterations;
    return (fs_pace_figures){.tracer = (double)by_role[FS_ROLE_TRACER] / all,
                             .router = (double)by_role[FS_ROLE_ROUTER] / all};
}

void fs_overlay_find_idle(const fs_overlay *o, const uint64_t *compute, uint64_t cycles, fs_findings *out) {
    static const double idle = 0.05, limits = 0.5; /* of the run */
    double most[FS_ROLE_COUNT] = {0};
    int top = FS_ROLE_TRACER;
    for (uint32_t t = 0; t < o->tiles; t++)
        most[o->role[t]] = fmax(most[o->role[t]], fs_ratio((double)compute[t], (double)cycles));
    for (int r = 0; r < FS_ROLE_COUNT; r++)
        top = most[r] > most[top] ? r : top;
    const int role = top == FS_ROLE_TRACER ? FS_ROLE_ROUTER : FS_ROLE_TRACER;
    const uint32_t count = role == FS_ROLE_ROUTER ? o->routers : o->tracers;
    if (count < 2 || !(most[role] < idle) || !(most[top] >= limits))
        return;
    FS_FIND(out, "idle",
            "The {tiles|.0} {@role}s idle: the busiest of them computes in {busiest|share} of the time, the "
            "busiest {@top} in {busiest_of_all|share}; [@routers?an overlay with fewer routers leaves their "
            "tiles to tracers (workload.replicas)|a wider overlay or faster routers (workload.kernels) give "
            "them work].",
            FS_IS("busiest", most[role]), FS_IS("busiest_of_all", most[top]), FS_IS("tiles", count),
            FS_IS("@role", fs_role_names[role]), FS_IS("@top", fs_role_names[top]),
            FS_IS("@routers", role == FS_ROLE_ROUTER));
}
