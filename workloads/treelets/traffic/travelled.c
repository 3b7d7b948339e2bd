/* Steps as lists; a worker's row as the bits of the events that occurred and their counts, seven bits a byte. */
#include "workloads/treelets/traffic/travelled.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A count takes at most 5 bytes, and so does the word of bits. */
enum { MOST_ROW = 5 * (FS_TRAVEL_EVENTS + 1) };
_Static_assert(FS_TRAVEL_EVENTS < 32, "a bit for each event");

/* Room for `more` behind `count` items. */
static void *grown(void *items, size_t *room, size_t count, size_t more, size_t size) {
    if (count + more <= *room)
        return items;
    *room = 2 * (count + more) + 64;
    return fs_realloc(items, *room * size);
}

void fs_travelled_begin(fs_travelled *a, uint32_t tiles, uint32_t workers) {
    *a = (fs_travelled){.tiles = tiles, .workers = workers};
    a->step = grown(NULL, &a->room.step, 0, 1, sizeof *a->step);
    a->at = fs_calloc(64 + 1, sizeof *a->at);
    a->tile = fs_malloc(64 * sizeof *a->tile);
    a->room.tile = 64;
    a->step[0] = (fs_travelled_step){.first_tile = 0};
}

void fs_travelled_free(fs_travelled *a) {
    free(a->step);
    free(a->tile);
    free(a->at);
    free(a->row);
    free(a->move);
    *a = (fs_travelled){.tiles = 0};
}

static uint8_t *put(uint8_t *to, uint32_t n) {
    for (; n >= 0x80; n >>= 7)
        *to++ = (uint8_t)(n | 0x80);
    *to++ = (uint8_t)n;
    return to;
}

static uint8_t *put_row(uint8_t *to, const uint32_t *row) {
    uint32_t bits = 0;
    for (uint32_t e = 0; e < FS_TRAVEL_EVENTS; e++)
        bits |= (uint32_t)(row[e] > 0) << e;
    to = put(to, bits);
    for (uint32_t left = bits; left != 0; left &= left - 1)
        to = put(to, row[__builtin_ctz(left)]);
    return to;
}

static void add_tile(fs_travelled *a, const fs_travel_step *step, uint32_t tile) {
    if (a->active == a->room.tile) {
        a->room.tile *= 2;
        a->tile = fs_realloc(a->tile, a->room.tile * sizeof *a->tile);
        a->at = fs_realloc(a->at, (a->room.tile + 1) * sizeof *a->at);
    }
    a->row = grown(a->row, &a->room.row, a->bytes, (size_t)a->workers * MOST_ROW, 1);
    uint8_t *to = a->row + a->bytes;
    for (uint32_t w = 0; w < a->workers; w++)
        to = put_row(to, step->rows[(size_t)tile * a->workers + w]);
    a->tile[a->active++] = tile;
    a->bytes = (uint64_t)(to - a->row);
    a->at[a->active] = a->bytes;
}

void fs_travelled_add(fs_travelled *a, const fs_travel_step *step) {
    a->step = grown(a->step, &a->room.step, a->steps, 2, sizeof *a->step);
    fs_travelled_step *s = &a->step[a->steps++];
    *s = (fs_travelled_step){.first_tile = a->active,
                             .first_move = a->moves,
                             .ended = step->ended,
                             .in_flight = step->in_flight,
                             .waiting = step->waiting,
                             .deepest = step->deepest};
    for (uint32_t i = 0; i < step->active_count; i++)
        add_tile(a, step, step->active[i]);
    a->move = grown(a->move, &a->room.move, a->moves, step->move_count, sizeof *a->move);
    if (step->move_count > 0)
        memcpy(a->move + a->moves, step->moves, step->move_count * sizeof *a->move);
    a->moves += step->move_count;
    a->step[a->steps] = (fs_travelled_step){.first_tile = a->active, .first_move = a->moves};
}

/* ---- back ---- */

/* NULL: the bytes end, or the number is none. */
static const uint8_t *get(const uint8_t *from, const uint8_t *end, uint32_t *n) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 35 && from < end; shift += 7) {
        value |= (uint64_t)(*from & 0x7f) << shift;
        if ((*from++ & 0x80) == 0) {
            *n = (uint32_t)value;
            return value <= UINT32_MAX ? from : NULL;
        }
    }
    return NULL;
}

bool fs_travelled_rows(const fs_travelled *a, uint64_t k, uint32_t (*rows)[FS_TRAVEL_EVENTS]) {
    const uint8_t *from = a->row + a->at[k], *end = a->row + a->at[k + 1];
    memset(rows, 0, a->workers * sizeof *rows);
    for (uint32_t w = 0; w < a->workers; w++) {
        uint32_t bits;
        if ((from = get(from, end, &bits)) == NULL || bits >> FS_TRAVEL_EVENTS != 0)
            return false;
        for (; bits != 0; bits &= bits - 1)
            if ((from = get(from, end, &rows[w][__builtin_ctz(bits)])) == NULL)
                return false;
    }
    return from == end;
}

/* ---- recordings ---- */

#define MOST         ((uint64_t)1 << 44)
#define NUMBER(n, m) FS_RECORDED(n, fs_travelled, m, 0, MOST)
static const fs_recorded_number numbers[] = {NUMBER("steps", steps), NUMBER("tiles in steps", active),
                                             NUMBER("moves", moves), NUMBER("bytes of rows", bytes)};

/* The tiles of a step ascend, and so do the pairs of its moves. */
static void check_step(fs_recorded *f, const fs_travelled *a, uint64_t s) {
    const fs_travelled_step *step = &a->step[s];
    FS_RECORDED_HOLD(f, "active", a->tile + step->first_tile, step[1].first_tile - step->first_tile,
                     FS_RECORDED_ITEM("tile", uint32_t, 0, a->tiles - 1, FS_ORDER_CLIMBS));
    for (uint64_t k = step->first_move; k < step[1].first_move; k++) {
        const fs_travel_move *m = &a->move[k];
        const bool follows =
            k == step->first_move || m[-1].src < m->src || (m[-1].src == m->src && m[-1].dst < m->dst);
        if (m->src >= a->tiles || m->dst >= a->tiles || m->src == m->dst || m->rays == 0 ||
            m->rays > UINT16_MAX || !follows)
            fs_recorded_wrong(f, "step %" PRIu64 ": %" PRIu32 " rays from tile %" PRIu32 " to %" PRIu32, s,
                              m->rays, m->src, m->dst);
    }
}

void fs_travelled_sections(fs_recorded *f, fs_travelled *a) {
    uint32_t rows[FS_TRAVEL_WORKERS][FS_TRAVEL_EVENTS];
    fs_recorded_numbers(f, "activity", numbers, FS_COUNT(numbers), a);
    FS_RECORDED_LIST(f, "steps", &a->step, a->steps + 1);
    FS_RECORDED_LIST(f, "active", &a->tile, a->active);
    FS_RECORDED_LIST(f, "places", &a->at, a->active + 1);
    FS_RECORDED_LIST(f, "rows", &a->row, a->bytes);
    FS_RECORDED_LIST(f, "moves", &a->move, a->moves);
    FS_RECORDED_HOLD(f, "steps", a->step, a->steps + 1,
                     FS_RECORDED_STARTS("first tile", fs_travelled_step, first_tile, a->active));
    FS_RECORDED_HOLD(f, "steps", a->step, a->steps + 1,
                     FS_RECORDED_STARTS("first move", fs_travelled_step, first_move, a->moves));
    FS_RECORDED_HOLD(f, "places", a->at, a->active + 1,
                     FS_RECORDED_ITEM("byte", uint64_t, 0, a->bytes, FS_ORDER_STARTS));
    for (uint64_t s = 0; s < a->steps && fs_recorded_reads(f); s++)
        check_step(f, a, s);
    for (uint64_t k = 0; k < a->active && fs_recorded_reads(f); k++)
        if (!fs_travelled_rows(a, k, rows))
            fs_recorded_wrong(f, "counts of tile %" PRIu32 " cannot be read", a->tile[k]);
}
