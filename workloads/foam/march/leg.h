/* Legs: what a ray did in one visit of a tracer, and where it went from there. */
#ifndef FOAMSIM_WORKLOADS_FOAM_MARCH_LEG_H
#define FOAMSIM_WORKLOADS_FOAM_MARCH_LEG_H

#include <stdint.h>

/* The event counts of a visit and where the ray wants to go from there. Eight bytes, since a frame has
 * millions and each is read once, far from the last. A visit of many events is written as several legs, all
 * but the last of them marked FS_LEG_MORE. */
typedef struct fs_leg {
    uint16_t next; /* shard into which the ray crosses, or FS_LEG_ENDS, or FS_LEG_MORE */
    uint16_t faces;
    uint16_t front;
    uint8_t cells;
    uint8_t nearest; /* the highest bit: the depth was marked */
} fs_leg;
_Static_assert(sizeof(fs_leg) == 8, "eight legs to a cache line");

enum {
    FS_LEG_ENDS = 0xffff,
    FS_LEG_MORE = 0xfffe,
    FS_LEG_DEPTH = 0x80,
    FS_LEG_CELLS = 128, /* a visit that has come to so many events goes on in another leg */
    FS_LEG_FACES = 1 << 15,
    FS_LEG_NEAREST = 64,
    FS_LEG_CHUNK = 1 << 19, /* legs: 4 MiB, two huge pages */
    FS_LEG_STRIDE = 32,     /* from a ray's leg to its next */
};

/* The lowest bits of the members where a leg is taken for one number, which needs a little-endian host. */
enum {
    FS_LEG_FACES_AT = 16,
    FS_LEG_FRONT_AT = 32,
    FS_LEG_CELLS_AT = 48,
    FS_LEG_NEAREST_AT = 56,
    FS_LEG_DEPTH_AT = 63,
};

#endif
