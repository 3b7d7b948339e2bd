/* Private to models/noc: all ways that packets to one end point may take, however their rule's tosses end. Loads of
 * links, arrows of the check for deadlock and the check of routes are read off it. */
#pragma once

#include "models/noc/graph.h"

/* A hop that packets at a stop may take. */
typedef struct fs_noc_leg {
    uint32_t link;        /* from graph->links on the way out to an end point */
    uint32_t to;          /* stop at its end; FS_NOC_NONE: it leaves the network */
    uint8_t first, count; /* channels */
} fs_noc_leg;

/* A router and a state of the header with which packets come there; each of its legs is as likely as the others. */
typedef struct fs_noc_stop {
    uint32_t node; /* router x states + state */
    uint32_t first, legs;
} fs_noc_stop;

typedef struct fs_noc_tour {
    const fs_noc_graph *graph;
    uint32_t channels, dst;
    fs_noc_stop *stop;
    fs_noc_leg *leg;
    uint32_t stops, legs;
    uint32_t *order; /* [stops] each behind those that its legs lead to */
    uint32_t ordered;
    /* private */
    uint32_t *stop_of; /* [routers x states] FS_NOC_NONE: nobody comes there */
    uint32_t *way;     /* stops under way, and the next leg of each */
    uint8_t *done;     /* [stops] it is in the order */
    uint32_t room, leg_room, src;
} fs_noc_tour;

/* channels: of each link. Freed by fs_noc_tour_free. */
fs_noc_tour *fs_noc_tour_create(const fs_noc_graph *graph, uint32_t channels);
void fs_noc_tour_free(fs_noc_tour *tour);
/* From now on the ways to dst, of the sources that are added. */
void fs_noc_tour_to(fs_noc_tour *tour, uint32_t dst);
/* FS_INPUT: packets come to a router that has no way for them, leave at another end point, or go in circles; the
 * routers are named. */
fs_status fs_noc_tour_add(fs_noc_tour *tour, uint32_t src, fs_error *err);
/* The stop at which packets from src begin, once added. */
uint32_t fs_noc_tour_from(const fs_noc_tour *tour, uint32_t src);
