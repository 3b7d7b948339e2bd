/* Calls of processors, as a recorded trace has them: reads, writes, waits and sends to other chips, each with the time that
 * lies before it. A reader hands them over one by one, in the order of the file; those of one processor keep their order. */
#ifndef FOAMSIM_FORMATS_CALLS_H
#define FOAMSIM_FORMATS_CALLS_H

#include "formats/tasks.h"

typedef enum fs_recorded_kind {
    FS_RECORDED_WRITE,
    FS_RECORDED_READ,
    FS_RECORDED_CAST, /* a write to all of the rectangle from `to` to `corner` */
    FS_RECORDED_INC,  /* a semaphore's: a write of 4 B that counts as no transfer */
    FS_RECORDED_SEND, /* a write to the chip's edge, which goes on to other chips */
    FS_RECORDED_WAIT, /* for transfers of the processor: reads, writes or both */
    FS_RECORDED_LEFT, /* until its writes have left */
    FS_RECORDED_MARK, /* nothing but a time */
} fs_recorded_kind;

enum { FS_WAITS_READS = 1, FS_WAITS_WRITES = 2 };

/* A way on a chip, and the edge by which the next one is come to. */
typedef struct fs_recorded_leg {
    fs_place from, to; /* of one chip */
    uint32_t plane;
    uint32_t edge; /* number of the directed edge behind it; UINT32_MAX: it is the last */
} fs_recorded_leg;

typedef struct fs_recorded {
    fs_recorded_kind kind;
    uint32_t processor; /* from 0, as they come */
    fs_place place;     /* of it */
    const char *name;   /* "BRISC"; the reader's, for good */
    uint32_t plane;
    fs_place to, corner; /* of a read, write, cast, inc and send */
    uint64_t bytes;
    uint32_t waits;      /* FS_WAITS_READS | FS_WAITS_WRITES */
    uint64_t gap;        /* cycles since the call before was made, or since the wait before ended */
    uint64_t stamp;      /* cycles since the processor's or the file's beginning */
    uint64_t ended;      /* of a wait that has an end: its stamp; else 0 */
    bool unknown;        /* a wait for something that is not in the file: what follows was not measured */
    uint64_t edge_bytes; /* of a send: over each edge */
    uint32_t hops;       /* of it: edges */
    const fs_recorded_leg *leg; /* [hops + 1] the first from the processor to the edge; until the next call */
} fs_recorded;

/* Who takes them. */
typedef struct fs_calls_taker {
    void *self;
    bool (*take)(void *self, const fs_recorded *call, fs_error *err); /* false with *err: the reading ends */
} fs_calls_taker;

#endif
