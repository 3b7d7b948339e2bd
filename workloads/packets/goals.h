/* Where a node of a network sends: patterns over the nodes' places. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_GOALS_H
#define FOAMSIM_WORKLOADS_PACKETS_GOALS_H

#include "models/noc/noc.h"
#include "sim/base/rng.h"

/* A node's number in digits: its place in each dimension of a grid, its branch at each level of a tree. */
typedef enum fs_goal_kind {
    FS_GOAL_UNIFORM,        /* every node alike, itself too */
    FS_GOAL_HOTSPOT,        /* a share to the hotspots, the rest uniform */
    FS_GOAL_NEIGHBOUR,      /* the next one in each digit */
    FS_GOAL_TORNADO,        /* nearly half way round in each digit */
    FS_GOAL_BIT_COMPLEMENT, /* node N - 1 - i */
    FS_GOAL_BIT_REVERSAL,   /* the bits of the number backwards */
    FS_GOAL_TRANSPOSE,      /* row and column exchanged */
    FS_GOAL_PERMUTATION,    /* as a file says */
    FS_GOAL_ALL_TO_ALL,     /* to all others in turn, beginning with the next one */
    FS_GOAL_TABLE,          /* as often as a file says, a node to as many as it names */
} fs_goal_kind;
extern const char *const fs_goal_names[]; /* NULL-terminated */

typedef struct fs_goals {
    fs_goal_kind kind;
    uint32_t nodes, hots;
    const uint32_t *hot;  /* [hots] */
    double share;         /* of the hotspots, 0 ... 1 */
    const uint32_t *goal; /* [nodes] of a pattern that leaves nothing to chance; NULL: of the others */
    /* Of a table: lines of a node stand together, as wanted by the node's packets: */
    const uint32_t *first, *to; /* [nodes + 1], [lines] */
    const double *part;         /* [lines] of the node's packets, 0 ... 1 */
    const double *weight;       /* [nodes] what a node offers, against the mean of all; NULL: all alike */
    double most_weight;         /* the greatest of them; 1 where all are alike */
} fs_goals;

/* The files of patterns permutation and table; "" where there is none. */
typedef struct fs_goal_files {
    const char *permutation; /* a line "node,goal" for each node */
    const char *table; /* lines "node,goal" or "node,goal,rate": any number of a node; rates are relative to
                                each other, 1 where none stands */
} fs_goal_files;

/* digits: [digit_count] sizes, the lowest first; their product is `nodes`. FS_INPUT, beginning with the key or the
 * place in the file: a pattern that does not go with the number of nodes, a hotspot that is no node, a file that is
 * no permutation or no table. */
fs_status fs_goals_make(fs_arena *arena, fs_goal_kind kind, fs_noc_sizes digits, const fs_int_list *hot,
                        double share, fs_goal_files files, fs_goals *out, fs_error *err);
/* Of the nth packet of a node, from 0. */
uint32_t fs_goal_draw(const fs_goals *goals, uint32_t node, uint64_t nth, fs_rng *rng);
/* What a node offers, against the mean of all nodes. */
double fs_goal_weight(const fs_goals *goals, uint32_t node);
/* The part of a node's packets that goes to another as to every node alike, 0 ... 1; the rest goes to the hotspots. Of
 * patterns without lists. */
double fs_goal_even(const fs_goals *goals, uint32_t node, uint32_t to);
/* A node's packets may go to any node, and no list says to which. */
bool fs_goals_anywhere(const fs_goals *goals);

#endif
