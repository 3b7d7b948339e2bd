/* What a ray carries: the payloads, and what their roundings do to it. */
#include "workloads/foam/march/payload.h"

#include "sim/base/fp16.h"

/* RF Tab. 1 (full, mixed, half) and RF Tab. 4 (baseline): name, what it is, bytes of a ray record;
 * fp16 are t, the colour; the depth is carried. */
#define PAYLOADS(X)                                                                                          \
    X("full", "28 B: t, T and colour as f32", 28, false, false, false)                                       \
    X("mixed", "24 B: t and T as fp16, colour as f32", 24, true, false, false)                               \
    X("half", "20 B: t, T, colour and depth as fp16", 20, true, true, true)                                  \
    X("baseline", "48 B: the fields of full in the unpacked record", 48, false, false, false)

#define PAYLOAD(name, summary, bytes, t, rgb, depth) {name, summary, bytes, t, rgb, depth},
#define NAME(name, summary, bytes, t, rgb, depth)    name,
const fs_payload fs_payloads[] = {PAYLOADS(PAYLOAD)};
const char *const fs_payload_names[] = {PAYLOADS(NAME) NULL};

void fs_payload_round(const fs_payload *payload, fs_ray_state *ray) {
    if (payload->half_t) {
        ray->t = fs_f16_round(ray->t);
        ray->T = fs_f16_round(ray->T);
    }
    if (payload->half_rgb) {
        ray->r = fs_f16_round(ray->r);
        ray->g = fs_f16_round(ray->g);
        ray->b = fs_f16_round(ray->b);
        ray->depth = fs_f16_round(ray->depth);
    }
    if (!payload->carries_depth)
        ray->depth = 0.0f;
}

/* Distance from the camera to the farthest corner of the sites' box: no cell between sites is further. */
static double reach(const fs_foam *foam, const fs_camera *camera, double *coordinate) {
    const float *axes[3] = {foam->x, foam->y, foam->z};
    double sum = 0.0;
    *coordinate = 0.0;
    for (int k = 0; k < 3; k++) {
        double o = (double)camera->origin[k], far = 0.0;
        for (uint32_t i = 0; i < foam->sites; i++) {
            double c = (double)axes[k][i], d = c > o ? c - o : o - c, size = c < 0.0 ? -c : c;
            far = d > far ? d : far;
            *coordinate = size > *coordinate ? size : *coordinate;
        }
        sum += far * far;
    }
    return __builtin_sqrt(sum);
}

fs_status fs_payload_check_range(const fs_payload *payload, const fs_foam *foam, const fs_camera *camera,
                                 fs_error *err) {
    if (!payload->half_t)
        return FS_OK;
    double coordinate, distance = reach(foam, camera, &coordinate);
    double worst = coordinate > distance ? coordinate : distance, limit = (double)FS_F16_MAX;
    if (worst <= limit)
        return FS_OK;
    return fs_fail(
        err, FS_INPUT,
        "the scene is too large for payload %s, which stores t as fp16: %s %.6g scene units, at most "
        "%.6g are possible (hint: scale the scene and its camera by %.2g, or use payload full)",
        payload->name, coordinate > distance ? "a site's coordinate reaches" : "t can reach", worst, limit,
        0.5 * limit / worst);
}
