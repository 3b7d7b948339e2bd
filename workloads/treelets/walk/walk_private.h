/* A list of paths through treelets; of this folder alone. */
#pragma once

#include "workloads/paths/walk/step.h"
#include "workloads/treelets/record/pieces.h"
#include "workloads/treelets/walk/walk.h"

/* ---- the top ---- */

/* The two children of an inner node of the top. */
typedef struct fs_top_pair {
    float box[3][4];   /* along each axis: low of the first and the second, high of both */
    uint32_t child[2]; /* a pair, or FS_TOP_TREELET + a treelet */
} fs_top_pair;
#define FS_TOP_TREELET 0x80000000u

typedef struct fs_top {
    uint32_t nodes;     /* 2 K - 1 */
    uint32_t depth;     /* of the deepest treelet's root; the tree's has 1 */
    fs_walk_node *node; /* [nodes] in the tree's order; leaf: a treelet */
    fs_top_pair *pair;  /* [K - 1] */
} fs_top;

/* Heap. */
fs_top fs_top_of(const fs_walk_scene *walk, const fs_treelet_cut *cut);
void fs_top_free(fs_top *top);

/* ---- treelets that nest ---- */

typedef struct fs_nest {
    fs_walk_scene walk; /* with nodes of its own: */
    fs_walk_node
        *node;      /* [nodes + 1] leaf of a treelet's root but the first one's: FS_NEST_ROOT + the treelet */
    uint32_t *leaf; /* [K] what it was */
    uint32_t *parent; /* [K] the treelet that it is in; the first one's: itself */
} fs_nest;
#define FS_NEST_ROOT 0x80000000u

/* Heap. */
fs_nest fs_nest_of(const fs_walk_scene *walk, const fs_treelet_cut *cut);
void fs_nest_free(fs_nest *nest);

/* ---- light ---- */

/* Leaves that give light, picked by surface times emission. Heap. */
typedef struct fs_emitters {
    uint32_t count, *leaf; /* [count] */
    double *up_to;         /* [count] sums of the weights */
} fs_emitters;
fs_emitters fs_emitters_of(const fs_walk_scene *walk);
void fs_emitters_free(fs_emitters *emitters);

/* ---- lists ---- */

typedef struct fs_itineraries_list {
    const fs_walk_scene *walk;
    const fs_treelet_cut *cut;
    const fs_top *top;
    const fs_emitters *emitters;
    fs_rng stream;       /* of random numbers for them */
    const fs_nest *nest; /* NULL: treelets are whole subtrees */
    const fs_itineraries_params *params;
    const fs_walk_lens *lens;
    const fs_walk_key *key; /* [count]; NULL: path `first` and those behind it, of params->samples a pixel */
    uint64_t first, count;
    fs_walk_path *paths;   /* [count] written */
    uint64_t *begin;       /* [count] written: of a path's pieces in `pieces` */
    uint64_t *pieces_of;   /* [count] written: how many */
    fs_piece_list *pieces; /* of all, in the order in which paths end */
} fs_itineraries_list;

/* A shadow ray: whatever it meets before `reach` keeps `lit` away. */
typedef struct fs_shadow {
    fs_walk_ray ray;
    float lit[3], reach;
} fs_shadow;

/* Of a hit by the ray `in` of a throughput; false: the hit asks for no light. */
bool fs_shadow_of(const fs_itineraries_list *list, const fs_walk_hit *hit, const fs_walk_ray *in,
                  const float throughput[3], fs_path_random *random, fs_shadow *out);

/* core.h: four paths at a time on any host; eight, on hosts with AVX2 alone. */
void fs_itineraries_list_plain(const fs_itineraries_list *list);
void fs_itineraries_list_avx2(const fs_itineraries_list *list);
