/* Itineraries: what each path does, in pieces, whatever tile does it (docs/design/treelets.md, Geometry). One
 * walk gives them, all placements use them. */
#ifndef FOAMSIM_WORKLOADS_TREELETS_RECORD_ITINERARY_H
#define FOAMSIM_WORKLOADS_TREELETS_RECORD_ITINERARY_H

#include "sim/base/error.h"
#include "sim/results/recording.h"

#include <stdint.h>

/* A piece's place: a treelet's number, or anywhere: camera, top, shading, done where the ray is. */
enum { FS_PIECE_ANYWHERE = 0xffff };

/* Events that a piece counts; others follow (paths/counts): NODE and so on in the order of the walk's table. */
typedef enum fs_piece_event {
    FS_PIECE_NODE,
    FS_PIECE_AXIS,
    FS_PIECE_INNER,
    FS_PIECE_EDGE, /* triangle tests by their ends */
    FS_PIECE_RANGE,
    FS_PIECE_TRIANGLE,
    FS_PIECE_NORMAL, /* hits that were nearer, their normal worked out */
    FS_PIECE_ROUND,  /* spheres and discs tested */
    FS_PIECE_EVENTS
} fs_piece_event;

/* What a piece ends or begins beside its nodes: bits of `does`. */
enum {
    FS_PIECE_CAMERA = 1,  /* the path sets out here */
    FS_PIECE_SEGMENT = 2, /* a segment begins */
    FS_PIECE_HIT = 4,     /* the segment before it ended with a hit: shaded here */
    FS_PIECE_ROULETTE = 8,
    FS_PIECE_ESCAPE = 16,
    FS_PIECE_END = 32,     /* the path ends */
    FS_PIECE_FOUND = 64,   /* of a visit: it found a nearer hit */
    FS_PIECE_SHADOW = 128, /* a ray towards the sun */
};

typedef struct fs_piece {
    uint16_t treelet;                /* or FS_PIECE_ANYWHERE */
    uint8_t does;                    /* bits */
    uint8_t depth;                   /* entries of the ray's stack of top nodes when it leaves this piece */
    uint32_t units;                  /* node 1, leaf 4 more, shading 8; at least 1 */
    uint16_t event[FS_PIECE_EVENTS]; /* a count above 65,535 is given to a further piece of the same place */
} fs_piece;
_Static_assert(sizeof(fs_piece) == 24, "three words");

typedef struct fs_itineraries {
    uint64_t paths;
    uint32_t treelets;
    uint64_t *first; /* [paths + 1] pieces of path p: [first[p], first[p + 1]) */
    fs_piece *piece; /* [first[paths]]; heap */
} fs_itineraries;

void fs_itineraries_free(fs_itineraries *its);

/* Sections of a recording. Reading gives heap; FS_IO when it is damaged: every number is held to its range. */
fs_status fs_itineraries_add(fs_recording_writer *writer, const fs_itineraries *its, fs_error *err);
fs_status fs_itineraries_read(const fs_recording *recording, fs_itineraries *its, fs_error *err);

#endif
