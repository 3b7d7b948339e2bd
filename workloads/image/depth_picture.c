/* Depth as grey: scaled between two ranks, which are found by counting. */
#include "sim/base/alloc.h"
#include "workloads/image/image.h"

#include <stdlib.h>
#include <string.h>

/* Positive floats lie in the order of their bits, so two counts of sixteen bits each find the number of any
 * rank without sorting. */
enum { HALVES = 1 << 16 };

static uint32_t bits_of(float depth) {
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return bits;
}

/* The bucket that holds the number of rank *rank, which becomes its rank in there. */
static uint32_t bucket_of(const uint32_t *count, size_t *rank) {
    uint32_t bucket = 0;
    for (; *rank >= count[bucket]; bucket++)
        *rank -= count[bucket];
    return bucket;
}

/* The positive depth of that rank, 0 being the least; there are more of them than it says. high: how many
 * there are of each upper half. */
static float depth_of_rank(const float *depth, size_t pixels, const uint32_t *high, size_t rank) {
    uint32_t *low = fs_calloc(HALVES, sizeof *low), upper = bucket_of(high, &rank);
    for (size_t i = 0; i < pixels; i++)
        if (depth[i] > 0.0f && bits_of(depth[i]) >> 16 == upper)
            low[bits_of(depth[i]) % HALVES]++;
    const uint32_t bits = upper << 16 | bucket_of(low, &rank);
    float found;
    memcpy(&found, &bits, sizeof found);
    free(low);
    return found;
}

void fs_depth_grey16(const float *depth, uint32_t width, uint32_t height, uint16_t *out, float *near,
                     float *far) {
    /* The far end keeps a tenth of white, so that it differs from black: never half opaque. */
    static const float white = 65535.0f, floor_grey = 6553.0f;
    size_t pixels = (size_t)width * height, count = 0;
    uint32_t *high = fs_calloc(HALVES, sizeof *high);
    for (size_t i = 0; i < pixels; i++)
        if (depth[i] > 0.0f) {
            high[bits_of(depth[i]) >> 16]++;
            count++;
        }
    const size_t hundredth = count > 0 ? (count - 1) / 100 : 0;
    *near = count > 0 ? depth_of_rank(depth, pixels, high, hundredth) : 0.0f;
    *far = count > 0 ? depth_of_rank(depth, pixels, high, count - 1 - hundredth) : 0.0f;
    free(high);
    float range = *far - *near;
    for (size_t i = 0; i < pixels; i++) {
        float x = range > 0.0f ? (depth[i] - *near) / range : 0.0f;
        x = x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
        out[i] = depth[i] > 0.0f ? (uint16_t)(white - x * (white - floor_grey) + 0.5f) : 0;
    }
}
