/* A FIFO of numbers with room for so many: a ring. Offering to a full one and taking from an empty one are
 * defects of the caller, who asks first. */
#ifndef FOAMSIM_MODELS_PART_FIFO_H
#define FOAMSIM_MODELS_PART_FIFO_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_fifo {
    uint64_t *item; /* [room] */
    uint32_t room, count, head;
} fs_fifo;

static inline void fs_fifo_init(fs_fifo *fifo, fs_arena *arena, uint32_t room) {
    *fifo = (fs_fifo){.item = FS_NEW(arena, uint64_t, room), .room = room};
}
static inline bool fs_fifo_full(const fs_fifo *fifo) {
    return fifo->count == fifo->room;
}
static inline void fs_fifo_put(fs_fifo *fifo, uint64_t item) {
    FS_ASSERT(!fs_fifo_full(fifo), "a FIFO of %u is full", fifo->room);
    const uint32_t at = fifo->head + fifo->count;
    fifo->item[at < fifo->room ? at : at - fifo->room] = item;
    fifo->count++;
}
/* The oldest; there must be one. */
static inline uint64_t fs_fifo_front(const fs_fifo *fifo) {
    FS_ASSERT(fifo->count > 0, "an empty FIFO has no front");
    return fifo->item[fifo->head];
}
static inline uint64_t fs_fifo_take(fs_fifo *fifo) {
    const uint64_t item = fs_fifo_front(fifo);
    fifo->head = fifo->head + 1 == fifo->room ? 0 : fifo->head + 1;
    fifo->count--;
    return item;
}

#endif
