/* Lists of pieces. */
#include "workloads/treelets/record/pieces.h"

#include "sim/base/alloc.h"

#include <string.h>

static void make_room(fs_piece_list *list, uint64_t more) {
    if (list->count + more <= list->room)
        return;
    list->room = 2 * (list->count + more) + 32;
    list->piece = fs_realloc(list->piece, list->room * sizeof *list->piece);
}

uint32_t fs_piece_units(const fs_piece *p) {
    const uint16_t *n = p->event;
    const uint32_t leaves = (uint32_t)n[FS_PIECE_EDGE] + n[FS_PIECE_RANGE] + n[FS_PIECE_TRIANGLE] +
                            n[FS_PIECE_SPHERE] + n[FS_PIECE_DISC],
                   units = n[FS_PIECE_NODE] + 4 * leaves + ((p->does & FS_PIECE_HIT) != 0 ? 8 : 0);
    return units > 0 ? units : 1;
}

void fs_piece_list_add(fs_piece_list *list, uint32_t treelet, fs_open_piece *open, uint32_t depth) {
    uint32_t left = 0;
    do {
        fs_piece piece = {
            .treelet = (uint16_t)treelet, .does = (uint16_t)open->does, .depth = (uint16_t)depth};
        left = 0;
        for (int e = 0; e < FS_PIECE_EVENTS; e++) {
            piece.event[e] = open->event[e] < UINT16_MAX ? (uint16_t)open->event[e] : UINT16_MAX;
            open->event[e] -= piece.event[e];
            left |= open->event[e];
        }
        piece.units = fs_piece_units(&piece);
        make_room(list, 1);
        list->piece[list->count++] = piece;
        open->does = FS_PIECE_CONTINUES;
    } while (left != 0);
    open->does = 0;
}

void fs_piece_list_append(fs_piece_list *to, const fs_piece_list *from) {
    if (from->count == 0)
        return;
    make_room(to, from->count);
    memcpy(to->piece + to->count, from->piece, from->count * sizeof *to->piece);
    to->count += from->count;
}
