/* Private to formats: how the chips of a recorded trace are joined, and the ways of its sends over them. */
#ifndef FOAMSIM_FORMATS_FABRIC_H
#define FOAMSIM_FORMATS_FABRIC_H

#include "formats/events.h"
#include "formats/items.h"

typedef struct fs_joints fs_joints;

/* Edges of a topology's file; none at first. Freed by fs_joints_free. */
fs_joints *fs_joints_create(void);
void fs_joints_free(fs_joints *joints);
/* Reads the file that says which channel of which chip leads where. FS_INPUT with its place. */
fs_status fs_joints_read(fs_joints *joints, const char *path, fs_error *err);
bool fs_joints_known(const fs_joints *joints); /* a file was read */

/* The number of the directed edge from an ethernet core of a chip to one of another: the same pair, the same number. */
uint32_t fs_joints_edge(fs_joints *joints, fs_place from, fs_place to);

/* The way of a send, by the file: out of `chip` by a channel, over so many chips, the goal being (x, y) of the last and, of a
 * multicast, of the last `takes`. Legs go to `send`; the first begins at `from`, on network `plane`, all others on network 0.
 * What is wrong, or NULL. */
const char *fs_joints_walk(fs_joints *joints, fs_place from, uint32_t plane, int64_t channel, uint64_t hops,
                           uint64_t takes, int64_t x, int64_t y, fs_event_send *send, char words[256]);
/* Where a channel's ethernet core lies; false: the file does not say. */
bool fs_joints_core(const fs_joints *joints, int64_t channel, uint32_t *x, uint32_t *y);

#endif
