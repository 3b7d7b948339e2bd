/* Rays through a hierarchy as the engine's units walk it (fpga_engine.md 1, FHR): which nodes and leaves each
 * asks for, one after the other, and what it hits. When it asks is the machine's matter: a unit keeps a ray
 * to its end and reads only what never changes, so the list does not depend on time.
 *
 *     the root is put into the unit's queue (queue.h); then, until the queue is empty:
 *     the nearest entry is taken out and asked for;
 *     of a node each child whose box is hit is put in, in the order of the node, by the distance of its box;
 *     of a leaf all triangles are tested. Rule `first`: a hit ends the ray, the nearest of the leaf if there
 *     are several. Rule `nearest`: the ray goes on while the next entry is not behind the nearest hit, and
 *     boxes behind it are not put in.
 *
 * A box is hit where the farthest entry into its three slabs, at least 0, is not behind the nearest exit; the
 * distance is that entry. Triangles are those of the paper's equations 1 to 3, ahead of the origin. With `behind` neither asks where
 * the ray begins, as the paper's equations do not (fpga_engine.md 5). Of equal distances the triangle of the lower number counts. Distances are compared with a margin of 2^-16, so that
 * rounding never loses a box: a flat box is hit like any other. In a kd-tree a hit behind the leaf's cell is
 * none: it belongs to the cell in which it lies.
 *
 * With AVX2 and without the bits are the same; the host decides.
 */
#pragma once

#include "sim/host/progress.h"
#include "workloads/hierarchy/tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_unit_walk_ray {
    float origin[3], direction[3];
} fs_unit_walk_ray;

typedef enum fs_unit_walk_stop { FS_UNIT_WALK_FIRST, FS_UNIT_WALK_NEAREST } fs_unit_walk_stop;
extern const char *const fs_unit_walk_stops[]; /* "first", "nearest", NULL */

typedef struct fs_unit_walk_rules {
    uint32_t queue; /* entries of a unit's queue; 0: no bound */
    fs_unit_walk_stop stop;
    bool behind; /* boxes and triangles behind the origin are hit as well, at distances below 0 */
    bool plain;  /* without AVX2 */
    /* What a caller bears, 0: any. A walk that needs more ends early. */
    uint64_t most_requests; /* of all rays */
    uint32_t most_held;     /* entries in a queue at one time; to some thousand */
    fs_progress *progress;  /* of rays; NULL: nobody looks */
} fs_unit_walk_rules;

/* What a unit asked for, and what came of it. */
typedef struct fs_unit_walk_request {
    uint32_t reference;     /* tree.h */
    uint8_t inserted, lost; /* children put into the queue; entries that this pushed out */
    uint16_t held;          /* entries in the queue afterwards; 65,535: as many or more */
} fs_unit_walk_request;

#define FS_UNIT_WALK_MISS UINT32_MAX
typedef struct fs_unit_walk_hit {
    float distance, u, v; /* 0 of a miss */
    uint32_t triangle;    /* its number in the scene, or FS_UNIT_WALK_MISS */
} fs_unit_walk_hit;

/* Identity of each ray: 1 (the root) + inserted = requests + lost + left. */
typedef struct fs_unit_walk_end {
    fs_unit_walk_hit hit;
    uint32_t lost, left, most; /* entries pushed out; in the queue at the end; in it at one time */
} fs_unit_walk_end;

typedef struct fs_unit_walks {
    uint32_t rays;
    uint64_t *first;               /* [rays + 1] requests of ray r are [first[r], first[r + 1]) */
    fs_unit_walk_request *request; /* [first[rays]] */
    fs_unit_walk_end *end;         /* [rays] */
} fs_unit_walks;

/* Walks all rays, OpenMP threads sharing them; the result is the same for any number of threads. Memory:
 * heap, fs_unit_walks_free. False: interrupted, or more than the rules bear; then `out` holds nothing. */
bool fs_unit_walk_all(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t rays,
                      const fs_unit_walk_rules *rules, fs_unit_walks *out);
void fs_unit_walks_free(fs_unit_walks *walks);

/* ---- the nearest hit, and what finding it costs a processor ---- */

/* What a processor visits that goes down depth first and tests no box again (fpga_engine.md 2, LUX: children
 * are pushed as they stand, boxes behind the nearest hit so far are left out). */
typedef struct fs_unit_walk_visits {
    uint64_t nodes, leaves;
} fs_unit_walk_visits;

/* The nearest hits of all rays, found depth first: hit [rays], and the visits of all of them. Once
 * interrupted, the rays that are left keep what they had; so below. */
void fs_unit_walk_depth_first(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t rays,
                              bool plain, fs_unit_walk_hit *hit, fs_unit_walk_visits *visits);
/* The same hits by testing every triangle. */
void fs_unit_walk_brute(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t rays, bool plain,
                        fs_unit_walk_hit *hit);
