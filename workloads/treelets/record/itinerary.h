/* Itineraries: what each path does, in pieces, whatever tile does it (docs/design/treelets.md, Geometry). One
 * walk gives them, all placements use them.
 *
 *     FS_TRY(fs_itineraries_walk(&walk, &cut, &params, &its, paths, err)); // walk.h
 *     for (uint64_t i = its.first[p]; i < its.first[p + 1]; i++)
 *         use(&its.piece[i]);
 *     fs_itineraries_free(&its);
 */
#pragma once

#include "sim/workload/recorded.h"
#include "workloads/paths/walk/walk.h"
#include "workloads/treelets/cut/cut.h"

#include <stdbool.h>
#include <stdint.h>

/* A piece's place: a treelet's number, or anywhere: camera, top, shading, done where the ray is. */
enum { FS_PIECE_ANYWHERE = 0xffff };

/* Events that a piece counts, those of the same names of the walk (workloads/paths/walk/walk.h). */
typedef enum fs_piece_event {
    FS_PIECE_NODE,
    FS_PIECE_AXIS,
    FS_PIECE_INNER,
    FS_PIECE_EDGE, /* triangle tests by their ends */
    FS_PIECE_RANGE,
    FS_PIECE_TRIANGLE,
    FS_PIECE_NORMAL, /* or SMOOTH, as the mesh has it */
    FS_PIECE_SPHERE,
    FS_PIECE_ROOT, /* SPHERE_ROOT */
    FS_PIECE_DISC,
    FS_PIECE_EVENTS
} fs_piece_event;

/* What a piece does beside its nodes, in this order: bits of `does`. */
enum {
    FS_PIECE_CAMERA = 1,     /* the path sets out here */
    FS_PIECE_HIT = 2,        /* the segment before it ended with a hit: shaded here, by a diffuse material */
    FS_PIECE_SPECULAR = 4,   /* no: by a mirror */
    FS_PIECE_REFRACTIVE = 8, /* no: by glass */
    FS_PIECE_EMISSION = 16,  /* the material gives light */
    FS_PIECE_ROULETTE = 32,  /* drawn */
    FS_PIECE_SHADOW = 64,    /* anywhere: a shadow ray begins; of a visit: it is one's */
    FS_PIECE_SEGMENT = 128,  /* a segment begins */
    FS_PIECE_ESCAPE = 256,   /* the last segment hit nothing */
    FS_PIECE_END = 512,      /* the path ends */
    FS_PIECE_FOUND = 1024,   /* of a visit: it found a nearer hit */
    FS_PIECE_CONTINUES = 2048, /* more counts of the piece before it: no visit of its own */
};

typedef struct fs_piece {
    uint16_t treelet;                /* or FS_PIECE_ANYWHERE */
    uint16_t does;                   /* bits */
    uint32_t units;                  /* node 1, leaf 4 more, shading of a hit 8; at least 1 */
    uint16_t event[FS_PIECE_EVENTS]; /* a count above 65,535 is given to a further piece (CONTINUES) */
    uint16_t depth;                  /* entries of the ray's stack of top nodes when it leaves this piece */
    uint16_t spare;                  /* 0 */
} fs_piece;
_Static_assert(sizeof(fs_piece) == 32, "half a cache line");

typedef struct fs_itineraries {
    uint64_t paths; /* path = pixel * samples + sample */
    uint32_t treelets;
    uint64_t *first; /* [paths + 1] pieces of path p: [first[p], first[p + 1]) */
    fs_piece *piece; /* [first[paths]]; heap */
} fs_itineraries;

void fs_itineraries_free(fs_itineraries *its);

/* Adds what a piece counts to the walk's events, which fs_walk_program prices. smooth: the mesh has normals. */
void fs_piece_count(const fs_piece *piece, bool smooth, uint64_t counts[FS_WALK_EVENTS]);

/* Of a walk with shadow rays to the sun: the path's last hit asked the sun by a shadow ray, so the sun's disc is no light of the
 * direction in which it left. */
bool fs_itineraries_asked_sun(const fs_itineraries *its, uint64_t path);

/* Sections of a recording. Reading gives heap in either outcome, into zeros; every number is held to its range. */
void fs_itineraries_sections(fs_recorded *file, fs_itineraries *its);
