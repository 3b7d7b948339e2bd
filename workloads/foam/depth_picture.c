#include "sim/base/alloc.h"
#include "workloads/foam/reference.h"

#include <stdlib.h>

static int by_depth(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y); /* equal depths are the same number */
}

void fs_depth_grey16(const float *depth, uint32_t width, uint32_t height, uint16_t *out, float *near,
                     float *far) {
    /* The far end keeps a tenth of white, so that it is told from black: never half opaque. */
    static const float white = 65535.0f, floor_grey = 6553.0f;
    size_t pixels = (size_t)width * height, count = 0;
    float *sorted = fs_malloc((pixels + 1) * sizeof *sorted);
    for (size_t i = 0; i < pixels; i++)
        if (depth[i] > 0.0f)
            sorted[count++] = depth[i];
    qsort(sorted, count, sizeof *sorted, by_depth);
    *near = count > 0 ? sorted[(count - 1) / 100] : 0.0f;
    *far = count > 0 ? sorted[(count - 1) - (count - 1) / 100] : 0.0f;
    free(sorted);
    float range = *far - *near;
    for (size_t i = 0; i < pixels; i++) {
        float x = range > 0.0f ? (depth[i] - *near) / range : 0.0f;
        x = x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
        out[i] = depth[i] > 0.0f ? (uint16_t)(white - x * (white - floor_grey) + 0.5f) : 0;
    }
}
