/* What follows from itineraries alone, whatever tile holds which treelet.
 *
 *     fs_itineraries_statistics s;
 *     fs_itineraries_measure(&its, arena, &s);
 */
#pragma once

#include "workloads/treelets/record/itinerary.h"

enum { FS_ITINERARIES_BOUNCES = 16 }; /* the last one: that and all behind it */

/* Visits of rays' treelets. */
typedef struct fs_itineraries_visits {
    uint64_t rays, visits;
    uint64_t none;                          /* rays that visit no treelet */
    uint64_t half, most_of_20, most_of_100; /* visits of a ray that 50, 95, 99 % do not exceed */
} fs_itineraries_visits;

typedef struct fs_itineraries_statistics {
    uint64_t paths, segments, hits, shadows;
    uint64_t blocked;   /* shadow rays that met something */
    uint64_t units;     /* of all pieces */
    uint64_t top_nodes; /* nodes of the top tested */
    uint64_t nodes;     /* all nodes tested */
    uint64_t found;     /* visits, but shadow rays', that found a nearer hit */
    uint64_t moves;   /* where each treelet is on the tile of its number, and path p begins on tile p mod K */
    uint32_t deepest; /* entries of a ray's stack */
    fs_itineraries_visits all, shadow;                    /* of segments; of shadow rays */
    fs_itineraries_visits bounce[FS_ITINERARIES_BOUNCES]; /* of segments by their number */
    uint32_t treelets;
    uint64_t *visits_of, *units_of; /* [treelets] */
    double imbalance;               /* units of the busiest treelet over the mean */
    double gini;                    /* of units over treelets (models/overlay/load_tables.h) */
} fs_itineraries_statistics;

/* Arrays from the arena. */
void fs_itineraries_measure(const fs_itineraries *its, fs_arena *arena, fs_itineraries_statistics *out);

/* Of each pixel: the treelet that holds what its first sample's camera ray hits (FS_PIECE_ANYWHERE: nothing), and visits of
 * all its samples. Arrays of [paths / samples]; NULL: not wanted. */
void fs_itineraries_maps(const fs_itineraries *its, uint32_t samples, uint16_t *treelet, uint32_t *visits);
