/* Places of a foreign file on this machine: chips, columns and rows of its network, rectangles; and what lies on the ways
 * between them, before anything runs. */
#pragma once

#include "formats/tasks.h"
#include "workloads/packets/calls/carrier.h"

enum { FS_SPOTS_CHIPS = 64 };

/* The machine: one chip's network, of which every chip has its own. */
typedef struct fs_spots_network {
    const fs_noc_graph *const *graph; /* [planes] */
    uint32_t planes;                  /* NOC_0 ... NOC_(planes - 1) of a chip */
    uint32_t channels;                /* of a kind of messages */
    bool wraps;                       /* rectangles may go round an edge: a torus */
    uint64_t packet;                  /* data bytes of a packet */
    const bool *tile; /* [ends] end points that are tiles: others hear no multicast; NULL: all are */
} fs_spots_network;

typedef struct fs_spots fs_spots;

/* FS_INPUT: end points lie at one place, or in no grid. Memory from the arena. */
fs_spots *fs_spots_create(fs_arena *arena, const fs_spots_network *network, fs_error *err);

/* All return NULL, or what is wrong: a sentence of the arena. */
const char *fs_spot_end(fs_spots *spots, fs_place place, uint32_t *end);
/* Of a chip that is new a network of its own; *plane counts the networks of all chips. */
const char *fs_spot_plane(fs_spots *spots, uint32_t chip, uint32_t number, uint32_t *plane);
/* Tiles in a rectangle but for the sender; of the arena, the same for the same rectangle where it is asked for again soon. */
const char *fs_spot_group(fs_spots *spots, fs_place from, fs_place to, uint32_t sender,
                          const fs_group **group);

uint32_t fs_spots_chips(const fs_spots *spots);
uint32_t fs_spots_chip(const fs_spots *spots, uint32_t index); /* its number in the file */

/* ---- what is to be moved ---- */

/* Of the data's ways alone. */
typedef struct fs_spots_load {
    uint64_t transfers, packets, bytes, hops; /* hops: links, summed over transfers */
    uint64_t local;                           /* transfers on one tile */
    uint64_t port;                            /* bytes by the busiest way out to an end point */
    uint64_t busiest;                         /* bytes over the busiest link; */
    uint32_t link;                            /* its number; FS_NOC_NONE: no link is used */
    uint32_t plane;                           /* of the networks of all chips */
} fs_spots_load;

/* A transfer, as it would begin if nothing held it back. */
typedef struct fs_spots_transfer {
    uint64_t begins, bytes; /* cycle */
    uint32_t plane, from, to;
    const fs_group *group; /* of a multicast; else NULL */
} fs_spots_transfer;

/* The transfers in the order in which they were added; NULL: more than are kept. */
const fs_spots_transfer *fs_spots_transfers(const fs_spots *spots, uint32_t *count);
const fs_noc_graph *fs_spots_graph(const fs_spots *spots, uint32_t plane);
/* Adds 1 to each link of its way, [links + ends]. */
void fs_spots_way(const fs_spots *spots, const fs_spots_transfer *transfer, double *through);

/* A transfer's data. packet: bytes of a packet; 0: the machine's. */
void fs_spots_add(fs_spots *spots, uint64_t begins, uint32_t plane, uint32_t from, uint32_t to,
                  uint64_t bytes, uint64_t packet);
void fs_spots_add_group(fs_spots *spots, uint64_t begins, uint32_t plane, uint32_t from, const fs_group *to,
                        uint64_t bytes, uint64_t packet);
/* Of the networks NOC_`number` of all chips; UINT32_MAX: of all. */
fs_spots_load fs_spots_load_of(const fs_spots *spots, uint32_t number);
