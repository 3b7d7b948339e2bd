/* Sites as training scatters them. Gradients put sites where there is detail, on both sides of what is seen,
 * and ever fewer away from it; no site knows of a surface. So sites fall by chance around surfaces, with
 * tails that thin out smoothly, into canopies, into the far background and, few, into the air; those that
 * lie in something are opaque, the others empty. Lengths don't depend on the number of sites: more of them
 * give the same foam in smaller cells.
 */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"
#include "sim/base/error.h"

#include <math.h>
#include <stdlib.h>

const fs_trained_params fs_trained_defaults = {.opacity = 1,
                                               .scatter = 0.05,
                                               .tail = 1,
                                               .air = 8,
                                               .vegetation = 25,
                                               .background = 12,
                                               .things = 20,
                                               .deep = 4};

typedef struct scatterer {
    const fs_stage *stage;
    const fs_trained_params *params;
    double *solid_sum, *canopy_sum; /* running sums of the weights of things and canopies */
    const fs_solid *ground, *dome;
} scatterer;

/* One attempt: where its random numbers come from and where its site goes. */
typedef struct falling {
    const scatterer *s;
    fs_rng *rng;
    fs_sites *sites;
} falling;

static const uint8_t black[3] = {0, 0, 0};

/* A distance >= 0 of scale 1 whose density falls as (1 + d)^-(1 + tail), cut at `most`. */
static double tailed(const falling *f, double most) {
    const double tail = f->s->params->tail, last = fs_pow(1 + most, -tail);
    return fs_pow(1 - fs_rng_unit(f->rng) * (1 - last), -1 / tail) - 1;
}

static uint32_t drawn(fs_rng *rng, const double *sum, uint32_t count) { /* by weight */
    double u = fs_rng_unit(rng) * sum[count - 1];
    uint32_t lo = 0, hi = count - 1;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (u < sum[middle])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* ---- surfaces ---- */

/* Thickness of the layer on a solid: where detail puts more sites on an area the layer is thinner, so that
 * cells stay round. */
static double layer(const scatterer *s, const fs_solid *solid, double spread) {
    return s->params->scatter / sqrt(solid->detail) * spread;
}

static bool in_leaves(const scatterer *s, fs_v3 p) {
    return s->stage->canopies > 0 && fs_stage_canopy_depth(s->stage, p, NULL) < 0.9;
}

static void put_surface(const falling *f, const fs_solid *solid) {
    const scatterer *s = f->s;
    fs_surface_point at;
    double u = fs_rng_unit(f->rng), v = fs_rng_unit(f->rng);
    if (!fs_solid_sample(solid, u, v, &at) ||
        fs_stage_distance(s->stage, fs_v3_along(at.p, at.n, 0.002), 0.002) < 0.0005)
        return; /* within another solid: never seen */
    double h = layer(s, solid, at.spread), deepest = 0.9 * solid->thin;
    bool inside = fs_rng_unit(f->rng) < 0.45;
    if (inside) {
        double d = h * tailed(f, 40);
        d = d < deepest ? d : deepest * fs_rng_unit(f->rng);
        uint8_t rgb[3];
        double bump, depth = h < solid->thin ? h : solid->thin;
        fs_stage_paint(s->stage, solid, &at, f->rng, &bump, rgb);
        fs_sites_push(f->sites, fs_v3_along(fs_v3_along(at.p, at.n, bump), at.n, -d),
                      s->params->opacity * 4 / depth, rgb);
        return;
    }
    fs_v3 p = fs_v3_along(at.p, at.n, h * tailed(f, 60));
    if (fs_stage_distance(s->stage, p, 0.01) > 0 && !in_leaves(s, p))
        fs_sites_push(f->sites, p, 0, black);
}

/* ---- canopies ---- */

static void put_canopy(const falling *f) {
    const scatterer *s = f->s;
    const fs_canopy *c = &s->stage->canopy[drawn(f->rng, s->canopy_sum, s->stage->canopies)];
    fs_v3 d = fs_v3_direction(f->rng), r = c->radii;
    double least = r.x < r.y ? r.x : r.y;
    least = r.z < least ? r.z : least;
    bool around = fs_rng_unit(f->rng) < 0.25;
    double deep = fs_rng_unit(f->rng) * fs_rng_unit(f->rng);
    double k = around ? 1 + 0.15 * tailed(f, 20) : 1 - 0.7 * deep;
    fs_v3 outline = fs_v3_scale(fs_v3_along(c->at, d, least), 7 / (least + 0.3));
    k *= 0.8 + 0.35 * fs_noise_octaves(outline, 2); /* twigs stand out */
    fs_v3 p = {c->at.x + d.x * r.x * k, c->at.y + d.y * r.y * k, c->at.z + d.z * r.z * k};
    if (fs_stage_distance(s->stage, p, 0.01) <= 0)
        return;
    /* sprays of leaves with gaps between them */
    bool leaf = !around && fs_noise_octaves(fs_v3_scale(p, 5 / (0.3 * least + 0.1)), 2) > 0.47;
    uint8_t rgb[3] = {0, 0, 0};
    if (leaf) {
        fs_v3 n = fs_v3_unit((fs_v3){d.x / r.x, d.y / r.y, d.z / r.z});
        fs_stage_paint_leaf(s->stage, c, p, n, deep, f->rng, rgb);
    }
    fs_sites_push(f->sites, p, leaf ? s->params->opacity * 12 / least : 0, rgb);
}

/* ---- background and air ---- */

/* Beyond the dome, opaque up to half as far again, then empty: the cells of the hull. */
static void put_background(const falling *f) {
    const scatterer *s = f->s;
    fs_surface_point at;
    double u = fs_rng_unit(f->rng), v = fs_rng_unit(f->rng);
    if (!fs_solid_sample(s->dome, u, v, &at))
        return;
    double radius = s->dome->size.x, away = 0.12 * tailed(f, 12), bump;
    bool beyond = fs_rng_unit(f->rng) < 0.7;
    fs_v3 p = fs_v3_scale(at.p, beyond ? 1 + away : 1 / (1 + 2 * away));
    if (beyond && away < 0.5) {
        uint8_t rgb[3];
        fs_stage_paint(s->stage, s->dome, &at, f->rng, &bump, rgb);
        fs_sites_push(f->sites, p, s->params->opacity * 30 / radius, rgb);
    } else if (beyond || (fs_stage_distance(s->stage, p, 0.05) > 0 && !in_leaves(s, p))) {
        fs_sites_push(f->sites, p, 0, black);
    }
}

/* Even in a ball about the middle of radius `core`, thinning out as r^-4 from there on: the air in which the
 * camera stands has few cells but those that lead away from surfaces. */
static void put_air(const falling *f) {
    const scatterer *s = f->s;
    fs_v3 p = fs_free_point(&s->stage->space, f->rng);
    if (fs_stage_distance(s->stage, p, 0.02) >= 0.02 && !in_leaves(s, p))
        fs_sites_push(f->sites, p, 0, black);
}

/* A few empty sites far between deep under the ground, where no ray goes: a shard that owns one has many
 * neighbouring shards, the more the wider they are spaced. That trained foams keep such sites is an
 * assumption; the one shard with 95 neighbours that is published (RF Fig. 11) is what they are for. On a
 * spiral, even to any radius. */
static void put_deep(const falling *f) {
    const scatterer *s = f->s;
    double spacing = s->params->deep, turn = fs_rng_range(f->rng, 0, FS_TURN), r = 0;
    for (int i = 0; r < 0.4 * s->dome->size.x; i++) {
        r = 0.5641895835 * spacing * sqrt(i + 0.5); /* an area of spacing^2 each */
        double a = turn + i * FS_GOLDEN_ANGLE, low = fs_rng_range(f->rng, 0.8, 1);
        fs_sites_push(f->sites, (fs_v3){r * fs_cos(a), r * fs_sin(a), -spacing * low}, 0, black);
    }
}

/* ---- all of them ---- */

static void weigh(scatterer *s) {
    const fs_stage *stage = s->stage;
    double sum = 0;
    for (uint32_t i = 0; i < stage->solids; i++) {
        const fs_solid *solid = &stage->solid[i];
        if (solid->shape == FS_DOME)
            s->dome = solid;
        else if (solid->shape == FS_GROUND)
            s->ground = solid;
        else
            sum += solid->area * solid->detail;
        s->solid_sum[i] = sum;
    }
    sum = 0;
    for (uint32_t i = 0; i < stage->canopies; i++) {
        const fs_canopy *c = &stage->canopy[i];
        s->canopy_sum[i] = sum += c->radii.x * c->radii.y * c->radii.z * c->detail;
    }
}

/* fs_attempt */
static void put_site(const void *self, fs_rng *rng, fs_sites *sites) {
    const scatterer *s = self;
    const falling f = {.s = s, .rng = rng, .sites = sites};
    const fs_trained_params *params = s->params;
    const double air = params->air / 100, leaves = air + params->vegetation / 100,
                 far = leaves + params->background / 100, things = far + params->things / 100;
    const double u = fs_rng_unit(rng);
    if (u < air)
        put_air(&f);
    else if (u < leaves)
        put_canopy(&f);
    else if (u < far)
        put_background(&f);
    else if (u < things)
        put_surface(&f, &s->stage->solid[drawn(rng, s->solid_sum, s->stage->solids)]);
    else
        put_surface(&f, s->ground);
}

void fs_stage_trained_sites(const fs_stage *stage, const fs_trained_params *params, uint32_t cells,
                            fs_sites *out) {
    *out = fs_sites_create(cells);
    scatterer s = {.stage = stage, .params = params};
    fs_rng rng = fs_rng_sub(stage->rng, 1);
    s.solid_sum = fs_calloc(stage->solids, sizeof *s.solid_sum);
    s.canopy_sum = fs_calloc(stage->canopies, sizeof *s.canopy_sum);
    weigh(&s);
    FS_ASSERT(s.dome != NULL && s.ground != NULL, "a stage of trained sites has a dome and a ground");
    fs_progress progress;
    fs_progress_begin(&progress, "sites", cells);
    put_deep(&(falling){.s = &s, .rng = &rng, .sites = out});
    fs_scatter(put_site, &s, rng, cells, out, &progress);
    fs_progress_end(&progress);
    free(s.solid_sum);
    free(s.canopy_sum);
}
