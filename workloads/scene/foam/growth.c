/* The rules of a round of growth (docs/facts/garden_view.md 3), each of a site and its neighbours alone. */
#include "workloads/scene/foam/grow.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/detmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double adds_little = 0.01,
                    narrow = 0.1; /* what is taken away: pixels of any picture, its radius */
static const double faint = 1e-5; /* the part of a ray's light that no layer need be looked for */
static const double on_the_way = 0.25,
                    off_the_way = 0.1; /* a child, in distances to the farthest neighbour */

static fs_v3 place_of(const fs_foam *mesh, uint32_t i) {
    return (fs_v3){(double)mesh->x[i], (double)mesh->y[i], (double)mesh->z[i]};
}

/* ---- judging ---- */

static void measure(fs_growth *g, uint32_t i) {
    const fs_foam *mesh = g->mesh;
    const fs_v3 p = place_of(mesh, i);
    const uint64_t begin = fs_foam_begin(mesh, i), end = mesh->adjacency_end[i];
    double sum = 0, most = -1;
    for (uint64_t k = begin; k < end; k++) {
        const double away = fs_v3_length(fs_v3_sub(place_of(mesh, mesh->adjacency[k]), p));
        sum += away;
        if (away > most) {
            most = away;
            g->farthest[i] = mesh->adjacency[k];
        }
    }
    g->radius[i] = (float)(0.5 * sum / (double)(end - begin));
}

/* The first layer, and the pictures that see it: those which see it over an empty neighbour. */
static void find_surface(fs_growth *g) {
    const fs_foam *mesh = g->mesh;
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < mesh->sites; i++) {
        const bool opaque = mesh->density[i] > 0;
        fs_carve_set seen = {0};
        for (uint64_t k = fs_foam_begin(mesh, i); opaque && k < mesh->adjacency_end[i]; k++)
            if (!(mesh->density[mesh->adjacency[k]] > 0)) {
                const fs_carve_set over = fs_carve_over(&g->sight[i], &g->sight[mesh->adjacency[k]]);
                fs_carve_unite(&seen, &over);
            }
        g->seen[i] = opaque ? seen : g->sight[i].through;
        g->layer[i] = opaque && !fs_carve_none(&seen) ? 1 : FS_LAYER_NONE;
    }
}

static bool touches(const fs_growth *g, const uint8_t *layer, uint32_t i, uint8_t what) {
    for (uint64_t k = fs_foam_begin(g->mesh, i); k < g->mesh->adjacency_end[i]; k++)
        if (layer[g->mesh->adjacency[k]] == what)
            return true;
    return false;
}

/* Layer upon layer, as far as one may still add to a picture. */
static void find_layers(fs_growth *g) {
    const uint32_t n = g->mesh->sites;
    uint8_t *before = fs_malloc(n);
    double light = 1 - g->opacity;
    for (uint8_t layer = 2; layer < FS_LAYER_NONE && light * g->opacity >= faint; layer++) {
        memcpy(before, g->layer, n);
#pragma omp parallel for schedule(static)
        for (uint32_t i = 0; i < n; i++)
            if (before[i] == FS_LAYER_NONE && g->mesh->density[i] > 0 &&
                touches(g, before, i, (uint8_t)(layer - 1)))
                g->layer[i] = layer;
        light *= 1 - g->opacity;
    }
    free(before);
}

/* ---- the gradient ---- */

/* Layers in the order in which a ray meets them: 0 of an empty site. */
static uint8_t depth_of(const fs_growth *g, uint32_t i) {
    return g->mesh->density[i] > 0 ? g->layer[i] : 0;
}

/* The part of a ray's light that comes as far as a layer. */
static double light_at(const fs_growth *g, uint8_t depth) {
    double light = 1;
    for (uint8_t k = 1; k < depth; k++)
        light *= 1 - g->opacity;
    return light;
}

/* Neighbours of a site in the layer before its own and in the one behind it: they share its front and its back. */
typedef struct sharing {
    uint32_t front, back;
} sharing;

static sharing count_sharing(const fs_growth *g, uint32_t i) {
    sharing n = {0, 0};
    for (uint64_t k = fs_foam_begin(g->mesh, i); k < g->mesh->adjacency_end[i]; k++) {
        const uint8_t other = depth_of(g, g->mesh->adjacency[k]);
        n.front += other + 1 == depth_of(g, i);
        n.back += other == depth_of(g, i) + 1;
    }
    return n;
}

/* Layers behind the first are seen by the pictures that see the one before. */
static void see_deeper(fs_growth *g) {
    const fs_foam *mesh = g->mesh;
    bool any = true;
    for (uint8_t layer = 2; any && layer < FS_LAYER_NONE; layer++) {
        any = false;
#pragma omp parallel for schedule(static) reduction(|| : any)
        for (uint32_t i = 0; i < mesh->sites; i++)
            for (uint64_t k = fs_foam_begin(mesh, i); depth_of(g, i) == layer && k < mesh->adjacency_end[i];
                 k++) {
                any = true;
                if (depth_of(g, mesh->adjacency[k]) == layer - 1)
                    fs_carve_unite(&g->seen[i], &g->seen[mesh->adjacency[k]]);
            }
    }
}

/* The opacity of air whose gradient is `air` times that of an opaque site: both go as thickness x extinction x what is let through. */
static double haze_of(const fs_growth *g) {
    return g->air * (g->opacity - 1) * fs_log(1 - g->opacity);
}

/* How much the pixels' colours change with a site's thickness, each by an opacity over the thickness; and what a site adds to the
 * pixels of a picture. */
static void find_slopes(fs_growth *g, float *slope, sharing *shared) {
    const double haze = haze_of(g);
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < g->mesh->sites; i++) {
        const uint8_t depth = depth_of(g, i);
        const float at[3] = {g->mesh->x[i], g->mesh->y[i], g->mesh->z[i]};
        const double across = (double)g->radius[i], light = depth < FS_LAYER_NONE ? light_at(g, depth) : 0;
        const fs_carve_count count = fs_carve_pixels(g->carve, at, across, &g->seen[i]);
        g->pixels[i] = (float)count.counted;
        g->adds[i] = (float)(count.most * light * (depth > 0 ? g->opacity : haze));
        slope[i] = depth > 0 ? (float)(light * count.counted / across) : 0;
        if (slope[i] > 0)
            shared[i] = count_sharing(g, i);
    }
}

/* A face moves with the sites on both of its sides, and with it the thickness of the one behind or before it: a site has the slope of
 * its own thickness and its part of those of the sites whose front or back it is. Errors of different cells' colours are apart. */
static double gradient_of(const fs_growth *g, const float *slope, const sharing *shared, uint32_t i) {
    const uint8_t depth = depth_of(g, i);
    double sum = (double)slope[i] * (double)slope[i];
    for (uint64_t k = fs_foam_begin(g->mesh, i); k < g->mesh->adjacency_end[i]; k++) {
        const uint32_t j = g->mesh->adjacency[k];
        const uint8_t other = depth_of(g, j);
        if (slope[j] > 0 && (other == depth + 1 || other + 1 == depth)) {
            const double part = (double)slope[j] / (other > depth ? shared[j].front : shared[j].back);
            sum += part * part;
        }
    }
    return sqrt(sum);
}

void fs_growth_judge(fs_growth *g) {
    const uint32_t n = g->mesh->sites;
    g->layer = fs_malloc(n);
    g->radius = fs_malloc(n * sizeof *g->radius);
    g->seen = fs_malloc(n * sizeof *g->seen);
    g->pixels = fs_malloc(n * sizeof *g->pixels);
    g->adds = fs_malloc(n * sizeof *g->adds);
    g->farthest = fs_malloc(n * sizeof *g->farthest);
    g->weight = fs_malloc(n * sizeof *g->weight);
    float *slope = fs_malloc(n * sizeof *slope);
    sharing *shared = fs_malloc(n * sizeof *shared);
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < n; i++)
        measure(g, i);
    find_surface(g);
    find_layers(g);
    see_deeper(g);
    find_slopes(g, slope, shared);
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < n; i++) {
        const double r = (double)g->radius[i];
        const bool free_air = !(g->mesh->density[i] > 0) && !touches(g, g->layer, i, 1);
        g->weight[i] =
            (float)(free_air ? g->air * (double)g->pixels[i] : gradient_of(g, slope, shared, i) * r);
    }
    free(shared);
    free(slope);
}

void fs_growth_free(fs_growth *g) {
    free(g->layer);
    free(g->radius);
    free(g->seen);
    free(g->pixels);
    free(g->adds);
    free(g->farthest);
    free(g->weight);
}

/* ---- sites that go and that come ---- */

uint32_t fs_growth_prune(const fs_growth *g, uint8_t *flag) {
    const fs_foam *mesh = g->mesh;
    uint32_t stay = 0;
#pragma omp parallel for schedule(static) reduction(+ : stay)
    for (uint32_t i = 0; i < mesh->sites; i++) {
        flag[i] = (double)g->radius[i] >= narrow || (double)g->adds[i] > adds_little;
        for (uint64_t k = fs_foam_begin(mesh, i); !flag[i] && k < mesh->adjacency_end[i]; k++)
            flag[i] = (double)g->adds[mesh->adjacency[k]] > adds_little;
        stay += flag[i];
    }
    return stay;
}

/* Of exponential times at rates of the weights the first: each draw is by weight among those that are left. */
uint32_t fs_growth_parents(const fs_growth *g, const uint8_t *flag, uint32_t wanted, fs_rng rng,
                           uint32_t *list) {
    const uint32_t n = g->mesh->sites;
    uint64_t *key = fs_malloc(n * sizeof *key);
    uint32_t able = 0;
#pragma omp parallel for schedule(static) reduction(+ : able)
    for (uint32_t i = 0; i < n; i++) {
        fs_rng own = fs_rng_sub(rng, i);
        const bool can = flag[i] && g->weight[i] > 0;
        const double time = can ? -fs_log(1 - fs_rng_unit(&own)) / (double)g->weight[i] : INFINITY;
        memcpy(&key[i], &time, sizeof time); /* bits of times from 0 on are in the order of times */
        able += can;
    }
    fs_order_by_key(key, n, list);
    free(key);
    return wanted < able ? wanted : able;
}

fs_v3 fs_growth_child(const fs_growth *g, uint32_t parent, fs_rng rng) {
    const fs_v3 p = place_of(g->mesh, parent), way = fs_v3_sub(place_of(g->mesh, g->farthest[parent]), p);
    return fs_v3_along(fs_v3_along(p, way, on_the_way), fs_v3_direction(&rng),
                       off_the_way * fs_v3_length(way));
}
