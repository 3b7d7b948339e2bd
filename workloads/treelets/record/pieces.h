/* Lists of pieces, as a walk makes them. */
#pragma once

#include "workloads/treelets/record/itinerary.h"

typedef struct fs_piece_list {
    fs_piece *piece; /* [count], heap */
    uint64_t count, room;
} fs_piece_list;

/* Counts that may be wider than a piece's. */
typedef struct fs_open_piece {
    uint32_t event[FS_PIECE_EVENTS], does;
} fs_open_piece;

/* What a piece costs, from its counts. */
uint32_t fs_piece_units(const fs_piece *piece);
/* Adds a piece, or as many as its counts need, and empties it. */
void fs_piece_list_add(fs_piece_list *list, uint32_t treelet, fs_open_piece *open, uint32_t depth);
void fs_piece_list_append(fs_piece_list *to, const fs_piece_list *from);
