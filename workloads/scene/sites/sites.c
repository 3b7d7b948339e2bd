/* Site lists: storage, spatial order, equal positions. */
#include "workloads/scene/sites/sites.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/detmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

fs_sites fs_sites_create(uint32_t room) {
    return (fs_sites){.x = fs_malloc(room * sizeof(float)),
                      .y = fs_malloc(room * sizeof(float)),
                      .z = fs_malloc(room * sizeof(float)),
                      .density = fs_malloc(room * sizeof(float)),
                      .rgb = fs_malloc((size_t)room * 3)};
}

void fs_sites_free(fs_sites *sites) {
    if (sites == NULL)
        return;
    free(sites->x);
    free(sites->y);
    free(sites->z);
    free(sites->density);
    free(sites->rgb);
    free(sites->normal);
    *sites = (fs_sites){0};
}

void fs_sites_push(fs_sites *sites, fs_v3 p, double density, const uint8_t rgb[3]) {
    uint32_t i = sites->count++;
    sites->x[i] = (float)p.x;
    sites->y[i] = (float)p.y;
    sites->z[i] = (float)p.z;
    sites->density[i] = (float)density;
    memcpy(sites->rgb + (size_t)i * 3, rgb, 3);
}

void fs_sites_append(fs_sites *sites, const fs_sites *from, uint32_t first, uint32_t count) {
    const uint32_t at = sites->count;
    memcpy(sites->x + at, from->x + first, count * sizeof *sites->x);
    memcpy(sites->y + at, from->y + first, count * sizeof *sites->y);
    memcpy(sites->z + at, from->z + first, count * sizeof *sites->z);
    memcpy(sites->density + at, from->density + first, count * sizeof *sites->density);
    memcpy(sites->rgb + (size_t)at * 3, from->rgb + (size_t)first * 3, (size_t)count * 3);
    if (sites->normal != NULL)
        memcpy(sites->normal + (size_t)at * 3, from->normal + (size_t)first * 3,
               (size_t)count * 3 * sizeof *sites->normal);
    sites->count += count;
}

void fs_sites_keep(fs_sites *sites, const uint8_t *flag) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sites->count; i++) {
        if (!flag[i])
            continue;
        sites->x[kept] = sites->x[i];
        sites->y[kept] = sites->y[i];
        sites->z[kept] = sites->z[i];
        sites->density[kept] = sites->density[i];
        memmove(sites->rgb + (size_t)kept * 3, sites->rgb + (size_t)i * 3, 3);
        if (sites->normal != NULL)
            memmove(sites->normal + (size_t)kept * 3, sites->normal + (size_t)i * 3,
                    3 * sizeof *sites->normal);
        kept++;
    }
    sites->count = kept;
}

fs_v3 fs_v3_random(fs_rng *rng, fs_v3 lo, fs_v3 hi) {
    fs_v3 p;
    p.x = fs_rng_range(rng, lo.x, hi.x);
    p.y = fs_rng_range(rng, lo.y, hi.y);
    p.z = fs_rng_range(rng, lo.z, hi.z);
    return p;
}

fs_v3 fs_v3_direction(fs_rng *rng) {
    double z = fs_rng_range(rng, -1, 1), angle = fs_rng_range(rng, 0, FS_TURN);
    double r = sqrt(1 - z * z);
    return (fs_v3){r * fs_cos(angle), r * fs_sin(angle), z};
}

/* ---- Morton order ---- */

static uint64_t grid_step(float c, float lo, double scale) {
    return (uint64_t)(((double)c - (double)lo) * scale);
}

static void permute_floats(float **values, const uint32_t *order, uint32_t n) {
    float *moved = fs_malloc(n * sizeof *moved);
    for (uint32_t i = 0; i < n; i++)
        moved[i] = (*values)[order[i]];
    free(*values);
    *values = moved;
}

static void bounds(const float *c, uint32_t n, float *lo, float *hi) {
    *lo = *hi = c[0];
    for (uint32_t i = 1; i < n; i++) {
        *lo = c[i] < *lo ? c[i] : *lo;
        *hi = c[i] > *hi ? c[i] : *hi;
    }
}

void fs_sites_order(fs_sites *sites, uint32_t *came) {
    uint32_t n = sites->count;
    if (n == 0)
        return;
    const float *axis[3] = {sites->x, sites->y, sites->z};
    float lo[3], hi[3];
    double extent = 0;
    for (int a = 0; a < 3; a++) {
        bounds(axis[a], n, &lo[a], &hi[a]);
        double width = (double)hi[a] - (double)lo[a];
        extent = width > extent ? width : extent;
    }
    double scale = extent > 0 ? 2097151.0 / extent : 0; /* 2^21 - 1 steps along the longest side */
    uint64_t *key = fs_malloc(n * sizeof *key);
    for (uint32_t i = 0; i < n; i++)
        key[i] = fs_morton_bits(grid_step(axis[0][i], lo[0], scale)) << 2 |
                 fs_morton_bits(grid_step(axis[1][i], lo[1], scale)) << 1 |
                 fs_morton_bits(grid_step(axis[2][i], lo[2], scale));
    uint32_t *order = fs_malloc(n * sizeof *order);
    fs_order_by_key(key, n, order);
    free(key);
    permute_floats(&sites->x, order, n);
    permute_floats(&sites->y, order, n);
    permute_floats(&sites->z, order, n);
    permute_floats(&sites->density, order, n);
    uint8_t *rgb = fs_malloc((size_t)n * 3);
    for (uint32_t i = 0; i < n; i++)
        memcpy(rgb + (size_t)i * 3, sites->rgb + (size_t)order[i] * 3, 3);
    free(sites->rgb);
    sites->rgb = rgb;
    if (came != NULL)
        memcpy(came, order, n * sizeof *came);
    free(order);
}

/* ---- equal positions ---- */

static uint64_t position_hash(float x, float y, float z) {
    float c[3] = {x + 0.0f, y + 0.0f, z + 0.0f}; /* -0 and 0 are the same position */
    uint32_t bits[3];
    memcpy(bits, c, sizeof bits);
    uint64_t h = (uint64_t)bits[0] << 32 | bits[1];
    h = (h ^ h >> 31) * UINT64_C(0xbf58476d1ce4e5b9) + bits[2];
    h = (h ^ h >> 29) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 32;
}

typedef struct position_table {
    const float *x, *y, *z;
    uint64_t slots;
    uint32_t *site; /* [slots] site + 1, 0: free */
} position_table;

static position_table table_create(const float *x, const float *y, const float *z, uint32_t count) {
    position_table t = {.x = x, .y = y, .z = z, .slots = 16};
    while (t.slots < (uint64_t)count * 2)
        t.slots *= 2;
    t.site = fs_calloc(t.slots, sizeof *t.site);
    return t;
}

/* The site that holds the position of site i already; i itself, now entered, if none does. */
static uint32_t enter(position_table *t, uint32_t i) {
    uint64_t slot = position_hash(t->x[i], t->y[i], t->z[i]) & (t->slots - 1);
    for (; t->site[slot] != 0; slot = (slot + 1) & (t->slots - 1)) {
        uint32_t j = t->site[slot] - 1;
        if (t->x[j] == t->x[i] && t->y[j] == t->y[i] && t->z[j] == t->z[i])
            return j;
    }
    t->site[slot] = i + 1;
    return i;
}

bool fs_points_repeated(const float *x, const float *y, const float *z, uint32_t count, uint32_t *first,
                        uint32_t *second) {
    position_table t = table_create(x, y, z, count);
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        *first = enter(&t, i);
        *second = i;
        found = *first != i;
    }
    free(t.site);
    return found;
}

uint32_t fs_points_flag_first(const float *x, const float *y, const float *z, uint32_t count, uint8_t *flag) {
    position_table t = table_create(x, y, z, count);
    uint32_t repeated = 0;
    for (uint32_t i = 0; i < count; i++) {
        flag[i] = enter(&t, i) == i;
        repeated += !flag[i];
    }
    free(t.site);
    return repeated;
}
