/* What a ray carries over a lane (paper Tab. 1 and 4; RFC: ipu.md 7). */
#pragma once

#include "workloads/foam/march/march.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_payload {
    const char *name; /* "full", "mixed", "half", "baseline" */
    const char *summary;
    uint32_t bytes;     /* 28, 24, 20, 48 */
    bool half_t;        /* t and T are stored as fp16 */
    bool half_rgb;      /* r, g, b and depth are stored as fp16 */
    bool carries_depth; /* half only */
} fs_payload;

extern const fs_payload fs_payloads[];       /* in the order of fs_payload_names */
extern const char *const fs_payload_names[]; /* "full", "mixed", "half", "baseline", NULL */

/* What writing to a lane does to a ray, in place: fields that the layout stores as fp16 are rounded (nearest
 * even, saturating, NaN to 0), and a depth that it does not carry is 0 afterwards. Idempotent. */
void fs_payload_round(const fs_payload *payload, fs_ray_state *ray);

/* FS_INPUT, with a hint to rescale, when the payload stores t as fp16 and a site's coordinate, or its
 * distance from the camera, can exceed 65,504 scene units. */
fs_status fs_payload_check_range(const fs_payload *payload, const fs_foam *foam, const fs_camera *camera,
                                 fs_error *err);
