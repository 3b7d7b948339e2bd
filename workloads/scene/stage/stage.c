/* From a stage to sites: pairs of sites on surfaces, leaves in canopies, empty cells in free space. */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"
#include "sim/host/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

void fs_stage_add(fs_stage *stage, fs_solid solid) {
    if (fs_v3_dot(solid.ez, solid.ez) <= 0) {
        solid.ex = (fs_v3){1, 0, 0};
        solid.ey = (fs_v3){0, 1, 0};
        solid.ez = (fs_v3){0, 0, 1};
    }
    if (solid.faces == 0)
        solid.faces = 0x3f;
    if (solid.detail <= 0)
        solid.detail = 1;
    fs_solid_measure(&solid);
    if (solid.thin < 0.1) /* thin things need cells about as small as they are thin */
        solid.detail *= fs_pow(0.1 / solid.thin, 0.8);
    stage->solid = fs_grow(stage->solid, stage->solids, sizeof *stage->solid);
    stage->solid[stage->solids++] = solid;
}

void fs_stage_add_canopy(fs_stage *stage, fs_canopy canopy) {
    stage->canopy = fs_grow(stage->canopy, stage->canopies, sizeof *stage->canopy);
    stage->canopy[stage->canopies++] = canopy;
}

void fs_stage_add_rod(fs_stage *stage, fs_v3 a, fs_v3 b, double radius_a, double radius_b, fs_paint paint,
                      unsigned rgb, double detail) {
    fs_v3 along = fs_v3_sub(b, a);
    double length = fs_v3_length(along);
    fs_solid rod = {.shape = FS_LATHE,
                    .paint = paint,
                    .tint = fs_stage_hex(rgb),
                    .at = a,
                    .detail = detail,
                    .points = 4,
                    .profile = {{0, 0}, {radius_a, 0}, {radius_b, length}, {0, length}}};
    rod.ez = fs_v3_unit(along);
    fs_v3 aside = fabs(rod.ez.z) < 0.9 ? (fs_v3){0, 0, 1} : (fs_v3){1, 0, 0};
    rod.ex = fs_v3_unit(fs_v3_cross(aside, rod.ez));
    rod.ey = fs_v3_cross(rod.ez, rod.ex);
    fs_stage_add(stage, rod);
}

void fs_stage_add_lathe(fs_stage *stage, fs_v3 at, fs_paint paint, unsigned rgb, double detail,
                        unsigned points, const double profile[][2]) {
    fs_solid s = {.shape = FS_LATHE,
                  .paint = paint,
                  .tint = fs_stage_hex(rgb),
                  .at = at,
                  .points = points,
                  .detail = detail};
    memcpy(s.profile, profile, points * sizeof *profile);
    fs_stage_add(stage, s);
}

fs_v3 fs_stage_polar(double angle, double radius, double height) {
    return (fs_v3){radius * fs_cos(angle), radius * fs_sin(angle), height};
}

void fs_stage_add_box(fs_stage *stage, fs_v3 centre, fs_v3 half, double yaw, fs_paint paint, unsigned rgb,
                      double detail) {
    double c = fs_cos(yaw), s = fs_sin(yaw);
    fs_stage_add(stage, FS_SOLID(FS_BOX, paint, fs_stage_hex(rgb), .at = centre, .size = half,
                                 .detail = detail, .ex = {c, s, 0}, .ey = {-s, c, 0}, .ez = {0, 0, 1}));
}

void fs_stage_free(fs_stage *stage) {
    free(stage->solid);
    free(stage->canopy);
    stage->solid = NULL;
    stage->canopy = NULL;
}

/* Bushes and trees of synthetic scenes: canopies, and a trunk with branches. Smaller ones have more sites a
 * volume: each gets about as many.
 */

const unsigned fs_stage_greens[5] = {0x4c7434, 0x5d8639, 0x3f6a35, 0x6b8f3e, 0x7d9440};

void fs_stage_add_bush(fs_stage *stage, fs_v3 at, double size, double detail, unsigned green, fs_rng *rng) {
    double wide = size * fs_rng_range(rng, 0.85, 1.2), high = size * fs_rng_range(rng, 0.8, 1.1);
    fs_stage_add_canopy(stage, FS_CANOPY(.at = {at.x, at.y, 0.8 * high}, .radii = {wide, wide, high},
                                         .tint = fs_stage_hex(green), .detail = detail, .shade = 0.15));
}

void fs_stage_add_tree(fs_stage *stage, fs_v3 at, double high, unsigned green, fs_rng *rng) {
    fs_v3 foot = {at.x, at.y, -0.1}, fork = {at.x, at.y, high * 0.45};
    fs_stage_add_rod(stage, foot, fork, 0.05 * high, 0.03 * high, FS_PAINT_BARK, 0x6a4c34, 1);
    for (int i = 0; i < 6; i++) {
        double a = i * FS_TURN / 5 + fs_rng_range(rng, -0.4, 0.4), out = i == 0 ? 0 : 0.2 * high;
        double lift = high * (i == 0 ? 0.38 : 0.2) + fs_rng_range(rng, -0.3, 0.3);
        fs_v3 to = {fork.x + out * fs_cos(a), fork.y + out * fs_sin(a), fork.z + lift};
        fs_stage_add_rod(stage, fs_v3_along(fork, (fs_v3){0, 0, 1}, -0.3), to, 0.018 * high, 0.006 * high,
                         FS_PAINT_BARK, 0x6a4c34, 1);
        double size = fs_rng_range(rng, 0.85, 1.15) * high * 0.21;
        fs_stage_add_canopy(stage, FS_CANOPY(.at = to, .radii = {size, size, size * 0.8},
                                             .tint = fs_stage_hex(green), .detail = 3 / (size * size),
                                             .shade = 0.2));
    }
}

/* ---- free space ---- */

static double cbrt_of(double x) {
    return x > 1e-12 ? fs_pow(x, 1.0 / 3) : 0;
}

fs_v3 fs_free_point(const fs_free_space *space, fs_rng *rng) {
    if (space->box)
        return fs_v3_random(rng, space->lo, space->hi);
    /* Density falls as (1 + (r / core)^3)^(-4/3), which has a distribution function in closed form. */
    double ratio = space->radius / space->core;
    double last = 1 / cbrt_of(1 + ratio * ratio * ratio);
    double left = 1 - fs_rng_unit(rng) * (1 - last);
    double r = space->core * cbrt_of(1 / (left * left * left) - 1);
    fs_v3 d = fs_v3_direction(rng);
    d.z = fabs(d.z);
    return fs_v3_scale(d, r);
}

/* ---- sites ---- */

typedef struct builder {
    const fs_stage *stage;
    fs_sites *sites;
    uint32_t cells;
    uint32_t *next;        /* [solids] place in each solid's sequence of samples */
    fs_progress *progress; /* NULL: of a part, which is told when it is joined to the rest */
} builder;

static const uint8_t black[3] = {0, 0, 0};

static void put(builder *b, fs_v3 p, double density, const uint8_t rgb[3]) {
    if (b->sites->count < b->cells)
        fs_sites_push(b->sites, p, density, rgb);
    if (b->progress != NULL)
        fs_progress_update(b->progress, b->sites->count);
}

/* ---- parts: solids and canopies, each with random numbers of its own ---- */

/* Parts are made by all threads and joined in their order. */
typedef struct part {
    uint32_t wanted; /* samples or sites */
    fs_rng rng;
    fs_sites sites;
} part;

/* most: sites that come of one sample. */
static void make_parts(builder *b, part *parts, uint32_t count, uint32_t most,
                       void (*make)(builder *b, uint32_t number, uint32_t wanted, fs_rng rng)) {
#pragma omp parallel for schedule(dynamic)
    for (uint32_t i = 0; i < count; i++) {
        parts[i].sites = fs_sites_create(parts[i].wanted * most + 1);
        builder own = {.stage = b->stage, .sites = &parts[i].sites, .cells = UINT32_MAX, .next = b->next};
        make(&own, i, parts[i].wanted, parts[i].rng);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t room = b->cells - b->sites->count, made = parts[i].sites.count;
        fs_sites_append(b->sites, &parts[i].sites, 0, made < room ? made : room);
        fs_progress_update(b->progress, b->sites->count);
        fs_sites_free(&parts[i].sites);
    }
    free(parts);
}

/* An empty cell, unless it would be in a solid or among leaves. */
static void put_empty(builder *b, fs_v3 p, double clearance) {
    if (fs_stage_distance(b->stage, p, clearance) >= clearance &&
        fs_stage_canopy_depth(b->stage, p, NULL) > 0.95)
        put(b, p, 0, black);
}

/* What one surface sample becomes: an opaque site under the surface and an empty one above it, for three of
 * five a second opaque one deeper, for every 4th, 16th and 64th further empty ones 2.7, 7 and 20 times as
 * high: their spacing grows with their height, so cells stay round. */
enum { SITES_OF_SAMPLE_MOST = 6 };
static const double sites_of_sample = 2 + 3 / 5.0 + 1 / 4.0 + 1 / 16.0 + 1 / 64.0;

static void put_surface(builder *b, const fs_solid *solid, const fs_surface_point *at, double spacing,
                        uint32_t index, fs_rng *rng) {
    uint8_t rgb[3];
    double bump;
    fs_stage_paint(b->stage, solid, at, rng, &bump, rgb);
    double h = 0.42 * spacing;
    if (h > 0.3 * solid->thin) /* then the deeper site stays on this side of the solid's middle */
        h = 0.3 * solid->thin;
    fs_v3 p = fs_v3_along(at->p, at->n, bump);
    /* 2.6 optical depths lie between the surface and the middle of the two opaque sites: a ray is spent in
     * two or three cells. Unequal heights keep pairs on a plane from being cospherical. */
    double density = 1.3 / h;
    put(b, fs_v3_along(p, at->n, -h * fs_rng_range(rng, 0.92, 1.08)), density, rgb);
    put_empty(b, fs_v3_along(p, at->n, h * fs_rng_range(rng, 0.92, 1.08)), 0.3 * h);
    if (index % 5 < 3) {
        bool bulky = spacing < solid->thin; /* then the deeper site may lie anywhere beneath */
        fs_v3 aside = fs_v3_random(rng, (fs_v3){-1, -1, -1}, (fs_v3){1, 1, 1});
        fs_v3 deep = fs_v3_along(p, at->n, -h * fs_rng_range(rng, 2.6, bulky ? 4.2 : 3.2));
        deep = fs_v3_along(deep, aside, bulky ? 0.35 * h : 0);
        if (fs_solid_distance(solid, deep) < -1.9 * h) /* not just under another face */
            put(b, deep, density, rgb);
    }
    double high = 2.7 * h;
    for (uint32_t period = 4, phase = 1; period <= 64; period *= 4, phase = phase * 4 + 1, high *= 2.7)
        if (index % period == phase)
            put_empty(b, fs_v3_along(p, at->n, high * fs_rng_range(rng, 0.75, 1.25)), 0.5 * high);
}

/* Points of the plastic-number sequence (the two-dimensional golden ratio): even without being a lattice to
 * any scale; a jitter of half the spacing removes what order is left. */
static void put_solid(builder *b, uint32_t number, uint32_t samples, fs_rng rng) {
    static const double step_u = 0.75487766624669276, step_v = 0.56984029099805327;
    const fs_solid *solid = &b->stage->solid[number];
    fs_rng origin = fs_rng_sub(b->stage->rng, 1000 + number);
    double offset_u = fs_rng_unit(&origin), offset_v = fs_rng_unit(&origin);
    uint32_t *next = &b->next[number]; /* a later pass goes on in the sequence, between the earlier points */
    uint32_t total = *next + samples, end = *next + samples * 4 + 16;
    double spacing = sqrt(solid->area / total), jitter = 0.55 / sqrt(total);
    for (uint32_t made = 0; made < samples && *next < end && !fs_interrupted(); (*next)++) {
        double u = offset_u + *next * step_u + jitter * fs_rng_range(&rng, -1, 1);
        double v = offset_v + *next * step_v + jitter * fs_rng_range(&rng, -1, 1);
        fs_surface_point at;
        if (!fs_solid_sample(solid, u - floor(u), v - floor(v), &at))
            continue;
        /* a sample within another solid would never be seen */
        fs_v3 outer = fs_v3_along(at.p, at.n, 0.002);
        if (fs_stage_distance(b->stage, outer, 0.002) < 0.0005)
            continue;
        put_surface(b, solid, &at, spacing * at.spread, made, &rng);
        made++;
    }
}

static double canopy_volume(const fs_canopy *c) { /* the leafy rim and the empty cells around it */
    return 4.1887902047863905 * c->radii.x * c->radii.y * c->radii.z * (1.3 * 1.3 * 1.3 - 0.3);
}

static void put_leaf(builder *b, const fs_canopy *c, fs_v3 p, fs_v3 n, double depth, double spacing,
                     fs_rng *rng) {
    uint8_t rgb[3];
    fs_stage_paint_leaf(b->stage, c, p, n, depth, rng, rgb);
    double alpha = fs_rng_range(rng, 0.45, 0.93); /* of a ray through the cell: half transparent */
    put(b, p, -fs_log(1 - alpha) / (0.8 * spacing), rgb);
}

static void put_canopy(builder *b, uint32_t number, uint32_t count, fs_rng rng) {
    const fs_canopy *c = &b->stage->canopy[number];
    double spacing = fs_pow(canopy_volume(c) / count, 1.0 / 3), smallest = c->radii.x;
    smallest = c->radii.y < smallest ? c->radii.y : smallest;
    smallest = c->radii.z < smallest ? c->radii.z : smallest;
    uint32_t made = 0;
    for (uint32_t i = 0; made < count && i < count * 6 + 16 && !fs_interrupted(); i++) {
        fs_v3 d = fs_v3_direction(&rng);
        fs_v3 n = fs_v3_unit((fs_v3){d.x / c->radii.x, d.y / c->radii.y, d.z / c->radii.z});
        bool around = i % 4 == 3; /* every fourth is an empty cell outside of the leaves */
        double deep = fs_rng_unit(&rng) * fs_rng_unit(&rng);
        double k = around ? 1 + 0.3 * deep + 0.5 * spacing / smallest : 1 - 0.6 * deep;
        /* a rough outline: twigs stand out by some leaves */
        double rough =
            0.8 +
            0.35 * fs_noise_octaves(fs_v3_scale(fs_v3_along(c->at, d, smallest), 7 / (smallest + 0.3)), 2);
        k *= rough;
        fs_v3 p = {c->at.x + d.x * c->radii.x * k, c->at.y + d.y * c->radii.y * k,
                   c->at.z + d.z * c->radii.z * k};
        double clearance = 0.35 * spacing;
        if (fs_stage_distance(b->stage, p, clearance) < clearance ||
            fs_stage_canopy_depth(b->stage, p, c) < (around ? 1.0 : 0.75))
            continue;
        if (around || fs_rng_unit(&rng) < 0.42)
            put(b, p, 0, black);
        else
            put_leaf(b, c, p, n, deep, spacing, &rng);
        made++;
    }
}

/* Cells behind what is seen (under the ground, beyond the sky and the walls): never reached by a ray, they
 * bound the opaque cells of the surfaces, which would be cells of the hull without them. */
static void put_backing(builder *b, uint32_t count, fs_rng rng) {
    const fs_free_space *space = &b->stage->space;
    for (uint32_t made = 0; made < count;) {
        fs_v3 p;
        if (space->box) {
            fs_v3 d = fs_v3_direction(&rng), middle = fs_v3_scale(fs_v3_add(space->lo, space->hi), 0.5);
            p = fs_v3_along(middle, d, fs_v3_length(fs_v3_sub(space->hi, space->lo)) * 0.8);
        } else if (made % 3 == 0) {
            double r = space->radius * fs_rng_unit(&rng), angle = fs_rng_range(&rng, 0, FS_TURN);
            p = (fs_v3){r * fs_cos(angle), r * fs_sin(angle), -0.6 - 0.25 * r * fs_rng_unit(&rng)};
        } else {
            fs_v3 d = fs_v3_direction(&rng);
            p = fs_v3_scale(d, space->radius * fs_rng_range(&rng, 1.25, 1.4));
        }
        put(b, p, 0, black);
        made++;
    }
}

/* Free space takes what is left, so that the count is exact. An fs_attempt. */
static void put_free(const void *self, fs_rng *rng, fs_sites *sites) {
    const fs_stage *stage = self;
    fs_v3 p = fs_free_point(&stage->space, rng);
    if (fs_stage_distance(stage, p, 0.02) >= 0.02 && fs_stage_canopy_depth(stage, p, NULL) > 1.05)
        fs_sites_push(sites, p, 0, black);
}

static void put_solids(builder *b, double samples, uint64_t pass) {
    const fs_stage *stage = b->stage;
    double surface = 0;
    for (uint32_t i = 0; i < stage->solids; i++)
        surface += stage->solid[i].area * stage->solid[i].detail;
    part *parts = fs_calloc(stage->solids, sizeof *parts);
    for (uint32_t i = 0; i < stage->solids; i++) {
        double share = stage->solid[i].area * stage->solid[i].detail / surface;
        parts[i].rng = fs_rng_sub(fs_rng_sub(stage->rng, pass), i);
        parts[i].wanted = (uint32_t)(samples * share + fs_rng_unit(&parts[i].rng));
    }
    make_parts(b, parts, stage->solids, SITES_OF_SAMPLE_MOST, put_solid);
}

static void put_canopies(builder *b, double sites) {
    const fs_stage *stage = b->stage;
    double rim = 0;
    for (uint32_t i = 0; i < stage->canopies; i++)
        rim += canopy_volume(&stage->canopy[i]) * stage->canopy[i].detail;
    part *parts = fs_calloc(stage->canopies, sizeof *parts);
    for (uint32_t i = 0; i < stage->canopies; i++) {
        double share = canopy_volume(&stage->canopy[i]) * stage->canopy[i].detail / rim;
        parts[i].wanted = (uint32_t)(sites * share) + 1;
        parts[i].rng = fs_rng_sub(stage->rng, 100000 + i);
    }
    make_parts(b, parts, stage->canopies, 1, put_canopy);
}

void fs_stage_sites(const fs_stage *stage, uint32_t cells, fs_sites *out) {
    fs_progress progress;
    builder b = {.stage = stage, .sites = out, .cells = cells, .progress = &progress};
    fs_progress_begin(&progress, "sites", cells);
    *out = fs_sites_create(cells);
    b.next = fs_calloc(stage->solids, sizeof *b.next);
    put_backing(&b, (uint32_t)(cells * stage->backing_share) + 12, fs_rng_sub(stage->rng, 1));
    put_canopies(&b, cells * stage->canopy_share);
    /* How many sites a sample becomes depends on what stands in the way of its empty ones: most samples
     * first, then as many as the measured yield asks for. */
    double wanted = cells * (1 - stage->space_share) - out->count;
    double samples = 0.8 * wanted / sites_of_sample;
    uint32_t before = out->count;
    put_solids(&b, samples, 3);
    double yield = (out->count - before) / samples;
    put_solids(&b, (wanted - (out->count - before)) / (yield > 1 ? yield : 1), 4);
    fs_scatter(put_free, stage, fs_rng_sub(stage->rng, 2), cells, out, &progress);
    fs_progress_end(&progress);
    free(b.next);
}
