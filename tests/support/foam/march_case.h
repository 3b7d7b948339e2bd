/* Cut scenes and rays through them, for tests of the march. */
#pragma once

#include "sim/base/rng.h"
#include "workloads/foam/march/march.h"

typedef struct world {
    fs_foam foam;
    fs_arena *arena;
    fs_partition partition;
    fs_march_scene scene;
    float size; /* half the edge of the sites' cube */
} world;

typedef struct beam {
    float origin[3], direction[3];
} beam;

/* Random sites (a share of them empty) at a random scale, in up to 64 shards. */
void random_world(world *w, fs_rng *rng, uint32_t sites, double empty);
/* A cubic lattice of EDGE^3 sites, each of which sees its neighbours up to `reach` steps away: 1: 6, 2: 18,
 * 3: 26. */
enum { EDGE = 6 };
void lattice_world(world *w, int reach);
/* Cuts w->foam, which the caller has made, into shards. */
void cut_world(world *w, uint32_t shards);
void end_world(world *w);

/* A ray from among the sites, or mostly from outside, in any direction. */
beam random_beam(const world *w, fs_rng *rng);

float coordinate(const fs_foam *foam, uint32_t site, int axis);
