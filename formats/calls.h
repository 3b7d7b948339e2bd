/* Calls of processors, as a recorded trace has them: reads, writes, waits and sends to other chips, each with the time that
 * lies before it. A reader hands them over one by one, in the order of the file; those of one processor keep their order. */
#pragma once

#include "formats/tasks.h"

typedef enum fs_recorded_kind {
    FS_RECORDED_WRITE,
    FS_RECORDED_READ,
    FS_RECORDED_CAST, /* a write to all of the rectangle from `to` to `corner` */
    FS_RECORDED_INC,  /* a semaphore's: a write of 4 B that counts as no transfer */
    FS_RECORDED_SEND, /* a write to the chip's edge, which goes on to other chips */
    FS_RECORDED_WAIT, /* for transfers of the processor: reads, writes or both */
    FS_RECORDED_MARK, /* the processor's first event, where it is nothing else: its time alone */
} fs_recorded_kind;

enum { FS_WAITS_READS = 1, FS_WAITS_WRITES = 2 };
#define FS_NO_EDGE UINT32_MAX

/* A way on a chip, and the edge by which it leaves the chip. */
typedef struct fs_recorded_leg {
    fs_place from, to; /* of one chip */
    uint32_t plane;
    uint32_t edge;   /* number of the directed edge behind it; FS_NO_EDGE: it ends here */
    uint32_t parent; /* the leg before it, whose edge leads here; of the first its own number, 0 */
} fs_recorded_leg;

typedef struct fs_called {
    fs_recorded_kind kind;
    uint32_t processor; /* from 0, as they come */
    const char *name;   /* of it, "BRISC" */
    fs_place place;     /* where it is */
    uint32_t plane;
    fs_place to, corner; /* of a read, write, cast, inc and send */
    uint64_t bytes;
    uint32_t waits; /* FS_WAITS_READS | FS_WAITS_WRITES */
    bool whole;     /* of a wait: its end is not in the file, and lies in the time to the next call */
    uint64_t
        gap; /* cycles since the call before, or since the end of the wait before; of the first its stamp */
    uint64_t stamp; /* when it was made, as it stands in the file */
    bool lost; /* something that is not in the file was waited for before it: it has no time to be held to */
    uint64_t edge_bytes;        /* of a send: over each edge */
    uint32_t legs;              /* of it */
    const fs_recorded_leg *leg; /* [legs] until the next call */
    uint64_t line, column;      /* where it stands */
} fs_called;

/* What a file spans. */
typedef struct fs_recorded_span {
    uint64_t events, least, last; /* least, last: stamps of all events */
    uint64_t
        step; /* the least time between two stamps of a processor: what one costs it at most; UINT64_MAX: it has one */
    bool apart; /* each processor's stamps count from its own beginning: they have no common time */
} fs_recorded_span;

/* Who takes them. */
typedef struct fs_calls_taker {
    void *self;
    bool (*take)(void *self, const fs_called *call, fs_error *err); /* false with *err: the reading ends */
    /* A wait of a processor ended, so many cycles after the call that it is; NULL: nobody asks. */
    void (*ended)(void *self, uint32_t processor, uint64_t cycles);
} fs_calls_taker;
