/* What a point of the foam costs the host, and which layers it has. */
#include "workloads/foam/foam_run.h"

#include <math.h>

/* Host seconds for a ray of a frame, and for a process, by layer; measured on one core of a common PC. */
static const double per_ray[FS_LAYERS] = {8e-6, 1.5e-6, 0}, per_process[FS_LAYERS] = {0.15, 0.1, 0.06};

void fs_foam_expect(const fs_point *point, double seconds[FS_LAYERS]) {
    const double rays = point->number(point->self, "workload.camera.width", 640) *
                        point->number(point->self, "workload.camera.height", 480) *
                        point->number(point->self, "run.frames", 1) *
                        point->number(point->self, "views.count", 1);
    for (int layer = 0; layer < FS_LAYERS; layer++)
        seconds[layer] = per_process[layer] + per_ray[layer] * rays;
    /* An itinerary holds one view, activity one run; what decoupled tiles do depends on every price. */
    const bool path = point->number(point->self, "run.path.in_flight", 0) > 0;
    if (!point->is(point->self, "views.kind", "none"))
        seconds[FS_LAYER_REPLAY] = (double)NAN;
    if (!point->is(point->self, "views.kind", "none") && !path)
        seconds[FS_LAYER_PRICE] = (double)NAN;
    if (!point->is(point->self, "machine.execution", "bsp"))
        seconds[FS_LAYER_PRICE] = (double)NAN;
}
