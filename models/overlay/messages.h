/* Messages over any overlay: "so many bytes from tracer a to tracer b, tell me when they are there". For
 * workloads whose data are no rays.
 *
 * A message travels as packets of at most `packet_bytes`. An iteration goes as everywhere: each tile takes
 * the packets that the last exchange brought, in the order (port, place in the lane); a packet that is where
 * it wants to go is done, any other joins the queue of its next lane; new messages join behind them. In the
 * exchange each lane moves the oldest packets of its queue, as many as its buffers hold. Alone, a packet
 * takes as many iterations as its way has lanes. Where a route has several choices a packet takes the one
 * that its number says (round robin by message and packet), so that packets of a message may overtake each
 * other; the message is there with its last one.
 *
 *     fs_messages *m = fs_messages_create(arena, &overlay, &(fs_messages_setup){.packet_bytes = 64, ...});
 *     fs_messages_post(m, 3, 17, 4096, 0, err);
 *     while (!fs_messages_quiet(m)) {
 *         fs_messages_compute(m);                            // arrivals are told; packets of tiles: work to
 * price const uint32_t *bytes = fs_messages_exchange(m);   // of each lane: what the device's exchange moves
 *     }
 *
 * One thread. Nothing is allocated between create and the end of the arena.
 */
#ifndef FOAMSIM_MODELS_OVERLAY_MESSAGES_H
#define FOAMSIM_MODELS_OVERLAY_MESSAGES_H

#include "models/overlay/overlay.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_messages fs_messages;

typedef struct fs_messages_setup {
    uint32_t packet_bytes; /* a multiple of 4; every lane's buffers hold at least one packet */
    uint32_t messages;     /* most that are on their way at a time */
    uint32_t packets;      /* most packets of them all */
    /* Told of each message once, in the iteration that takes its last packet; NULL: nobody is. */
    void (*arrived)(void *self, uint64_t tag, uint64_t iteration);
    void *self;
} fs_messages_setup;

/* Memory from the arena; the overlay is kept. NULL with FS_INPUT when a lane holds no packet. */
fs_messages *fs_messages_create(fs_arena *arena, const fs_overlay *overlay, const fs_messages_setup *setup,
                                fs_error *err);

/* Sends `bytes` (more than 0) from one tracer to another; they leave in the next exchange. `tag` is the
 * caller's. FS_RUN when more are on their way than was said. */
fs_status fs_messages_post(fs_messages *messages, uint32_t from, uint32_t to, uint64_t bytes, uint64_t tag,
                           fs_error *err);

/* The compute phase of an iteration: takes what came, tells arrivals. */
void fs_messages_compute(fs_messages *messages);
/* [tiles] packets that each tile handled in it: taken in, or posted since the last exchange. */
const uint32_t *fs_messages_handled(const fs_messages *messages);
/* The exchange: [lanes] bytes that each lane moves. */
const uint32_t *fs_messages_exchange(fs_messages *messages);

/* No message is on its way. */
bool fs_messages_quiet(const fs_messages *messages);
uint64_t fs_messages_iteration(const fs_messages *messages); /* exchanges so far */

#endif
