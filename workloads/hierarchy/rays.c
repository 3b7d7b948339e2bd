/* Rays: at random, of a camera, and the order of them. */
#include "workloads/hierarchy/work.h"

#include "sim/base/arith.h"
#include "sim/base/detmath.h"
#include "sim/base/rng.h"

#include <math.h>
#include <stdlib.h>

static void take_room(fs_hierarchy_rays *out, uint32_t rays, fs_arena *arena) {
    out->rays = rays;
    out->ray = FS_NEW(arena, fs_unit_walk_ray, rays);
}

/* ---- at random ---- */

/* Uniform on the sphere: height and turn are (Archimedes). */
static void random_direction(fs_rng *rng, float d[3]) {
    const double z = 2 * fs_rng_unit(rng) - 1, turn = FS_TURN * fs_rng_unit(rng), r = sqrt(1 - z * z);
    d[0] = (float)(r * fs_cos(turn));
    d[1] = (float)(r * fs_sin(turn));
    d[2] = (float)z;
}

static void make_random(const fs_hierarchy_params *p, const float low[3], const float high[3],
                        fs_arena *arena, fs_hierarchy_rays *out) {
    const fs_rng stream = fs_rng_stream((uint64_t)p->seed, "hierarchy/rays");
    take_room(out, (uint32_t)p->rays, arena);
#pragma omp parallel for schedule(static)
    for (uint32_t r = 0; r < out->rays; r++) {
        fs_rng rng = fs_rng_sub(stream, r);
        for (int a = 0; a < 3; a++) {
            const double middle = 0.5 * ((double)low[a] + (double)high[a]),
                         half = 0.5 * p->spread * ((double)high[a] - (double)low[a]);
            out->ray[r].origin[a] = (float)fs_rng_range(&rng, middle - half, middle + half);
        }
        random_direction(&rng, out->ray[r].direction);
    }
}

/* ---- a camera ---- */

static void make_camera(const fs_hierarchy_params *p, const fs_mesh_camera *c, fs_arena *arena,
                        fs_hierarchy_rays *out) {
    out->width = (uint32_t)p->width;
    out->height = (uint32_t)p->height;
    take_room(out, out->width * out->height, arena);
    const float *f = c->forward, *up = c->up;
    const float right[3] = {f[1] * up[2] - f[2] * up[1], f[2] * up[0] - f[0] * up[2],
                            f[0] * up[1] - f[1] * up[0]};
    const double half = fs_mesh_camera_tangent(c, out->width, out->height);
    for (uint32_t y = 0; y < out->height; y++)
        for (uint32_t x = 0; x < out->width; x++) {
            fs_unit_walk_ray *ray = &out->ray[(size_t)y * out->width + x];
            const double u = (2.0 * (x + 0.5) - out->width) / out->height * half,
                         v = (out->height - 2.0 * (y + 0.5)) / out->height * half;
            double d[3], square = 0;
            for (int a = 0; a < 3; a++) {
                d[a] = (double)f[a] + u * (double)right[a] + v * (double)up[a];
                square += d[a] * d[a];
            }
            for (int a = 0; a < 3; a++) {
                ray->origin[a] = c->position[a];
                ray->direction[a] = (float)(d[a] / sqrt(square));
            }
        }
}

/* ---- order ---- */

/* Of three cells, the first one's bits the highest: what is close together comes close together. */
static uint64_t interleave(const uint32_t cell[3]) {
    return fs_morton_bits(cell[0]) << 2 | fs_morton_bits(cell[1]) << 1 | fs_morton_bits(cell[2]);
}

enum { CELL_BITS = 8 };

static uint32_t cell_of(float x, float low, float high) {
    const float at = high > low ? (x - low) / (high - low) * (float)(1 << CELL_BITS) : 0;
    return at <= 0 ? 0 : at >= (float)(1 << CELL_BITS) ? (1 << CELL_BITS) - 1 : (uint32_t)at;
}

/* By direction, then by origin: rays that see the same part of the tree follow each other. */
static uint64_t coherence(const fs_unit_walk_ray *ray, const float low[3], const float high[3]) {
    uint32_t origin[3], direction[3];
    for (int a = 0; a < 3; a++) {
        origin[a] = cell_of(ray->origin[a], low[a], high[a]);
        direction[a] = cell_of(ray->direction[a], -1, 1);
    }
    return interleave(direction) << (3 * CELL_BITS) | interleave(origin);
}

static void put_in_order(const fs_hierarchy_params *p, const float low[3], const float high[3],
                         fs_arena *arena, fs_hierarchy_rays *out) {
    out->given = FS_NEW(arena, uint32_t, out->rays);
    for (uint32_t r = 0; r < out->rays; r++)
        out->given[r] = r;
    if (p->order == FS_RAYS_AS_GIVEN)
        return;
    const fs_rng stream = fs_rng_stream((uint64_t)p->seed, "hierarchy/order");
    uint64_t *key = fs_malloc(out->rays * sizeof *key);
    fs_unit_walk_ray *sorted = FS_NEW(arena, fs_unit_walk_ray, out->rays);
    for (uint32_t r = 0; r < out->rays; r++) {
        fs_rng rng = fs_rng_sub(stream, r);
        key[r] = p->order == FS_RAYS_COHERENT ? coherence(&out->ray[r], low, high) : fs_rng_u64(&rng);
    }
    fs_order_by_key(key, out->rays, out->given);
    for (uint32_t r = 0; r < out->rays; r++)
        sorted[r] = out->ray[out->given[r]];
    out->ray = sorted;
    free(key);
}

fs_status fs_hierarchy_rays_make(const fs_hierarchy_params *p, const fs_mesh_camera *camera,
                                 const float low[3], const float high[3], fs_arena *arena,
                                 fs_hierarchy_rays *out, fs_error *err) {
    *out = (fs_hierarchy_rays){0};
    if (p->source == FS_RAYS_FILE) {
        if (fs_hierarchy_rays_read(p->file, arena, out, err))
            return err->status;
    } else if (p->source == FS_RAYS_CAMERA) {
        make_camera(p, camera, arena, out);
    } else {
        make_random(p, low, high, arena, out);
    }
    put_in_order(p, low, high, arena, out);
    return FS_OK;
}
