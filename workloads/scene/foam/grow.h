/* A foam that grows from points as the trainer of Radiant Foam grows one (docs/facts/garden_view.md 3). */
#pragma once

#include "workloads/scene/clouds/carve.h"
#include "workloads/scene/foam/foam_scene.h"

/* Grows to params->grow.sites sites from points in the scene's frame, whose density is an opacity, and meshes them: a whole foam.
 * The points are consumed (freed). FS_INPUT where growth begins with more sites than that. */
fs_status fs_scene_grow(fs_sites *points, const fs_import_params *params, int threads, fs_foam *out,
                        fs_error *err);

/* ---- the steps of a round ---- */

/* What the sites of a round are, once they are meshed. */
typedef struct fs_growth {
    const fs_foam *mesh;         /* its density: an opacity, 0 where the place is empty */
    const fs_carve *carve;       /* the pictures */
    const fs_carve_sight *sight; /* [sites] */
    double opacity;
    double air; /* weight of a seen empty site that touches nothing seen, over that of one that does */
    /* [sites], worked out by fs_growth_judge */
    uint8_t *layer;     /* of an opaque site: 1 where a picture sees it, 2 behind that, ...; FS_LAYER_NONE */
    float *radius;      /* half the mean distance to the neighbours */
    fs_carve_set *seen; /* in which pictures; empty sites: those that look through it */
    float *pixels;      /* that it fills in them, as gradients add up (fs_carve_pixels) */
    float *adds;        /* pixels of light that it adds to the picture where it adds most */
    uint32_t *farthest; /* neighbour, the first of several */
    float *weight;      /* as a parent */
} fs_growth;

enum { FS_LAYER_NONE = 255 };

void fs_growth_judge(fs_growth *growth);
void fs_growth_free(fs_growth *growth); /* what fs_growth_judge took */
/* Flags with 0 the sites that the trainer takes away; returns how many stay. */
uint32_t fs_growth_prune(const fs_growth *growth, uint8_t *flag);
/* Draws `wanted` parents by weight among flagged sites, each once at most; list [sites], returns how many there are. */
uint32_t fs_growth_parents(const fs_growth *growth, const uint8_t *flag, uint32_t wanted, fs_rng rng,
                           uint32_t *list);
fs_v3 fs_growth_child(const fs_growth *growth, uint32_t parent, fs_rng rng);
