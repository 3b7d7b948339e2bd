/* Paths on their way side by side, what core.h and nested.h work on. */
#ifndef FOAMSIM_WORKLOADS_TREELETS_WALK_PARTY_H
#define FOAMSIM_WORKLOADS_TREELETS_WALK_PARTY_H

#include "workloads/paths/walk/search.h"
#include "workloads/treelets/walk/walk_private.h"

/* A part of the top that waits: a pair, or FS_TOP_TREELET + a treelet; of treelets that nest: a treelet. */
typedef struct way {
    uint32_t to;
    float entry;
} way;

/* What a path is about, beside its ray. */
typedef struct traveller {
    fs_walk_state state;
    fs_shadow shadow;             /* the ray to the light, if it is on its way */
    fs_path_random random;        /* of the lights */
    uint32_t row[FS_WALK_EVENTS]; /* of a shading; of a visit's spheres and discs */
    fs_open_piece open;           /* what is done anywhere */
    fs_piece_list pieces;         /* of the path so far */
    way *ways; /* near: a stack; sorted: treelets met, in their order; nesting: the least on top */
    uint32_t waiting, taken;      /* of `ways`; sorted: of these are visited. fixed: taken: the next node */
    uint32_t treelet, hit_before; /* of the visit */
    /* Of a visit of treelets that nest: ways that waited before it; its root, which no lane tests: */
    uint32_t fresh, root_tests, root_axes, root_inner;
    uint64_t path;          /* in the list */
    bool asked;             /* the last hit asked emitters: what the next one gives is known */
    bool in_shadow, at_end; /* at_end: of the path, behind its shadow ray */
} traveller;

typedef struct party {
    search s;
    traveller of[PATHS];
    const fs_itineraries_list *list;
    uint64_t next;
    uint32_t shadows; /* bits: in_shadow */
} party;

#endif
