/* Private to formats: how the chips of a recorded trace are joined, and the ways of its sends over them. */
#pragma once

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

/* The way of an event's send, by the file: out of its chip by a channel, over so many chips, the goal being (dx, dy) of the last
 * and, of a multicast, of the last `takes`. Legs go to event->send; the first begins at the processor, on its network, all others on
 * network 0. What is wrong, or NULL. */
const char *fs_joints_walk(fs_joints *joints, const fs_marked *event, int64_t channel, uint64_t hops,
                           uint64_t takes, char words[256]);
