/* Steps as lists; a worker's row as the bits of the events that occurred and their counts, seven bits a byte. */
#include "workloads/treelets/traffic/travelled.h"

#include "sim/workload/recorded.h"

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

#define NUMBER(n, m) FS_RECORDED(n, fs_travelled, m, 0, 0)
static const fs_recorded_number numbers[] = {NUMBER("steps", steps), NUMBER("tiles in steps", active),
                                             NUMBER("moves", moves), NUMBER("bytes of rows", bytes)};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

fs_status fs_travelled_write(fs_recording_writer *w, const fs_travelled *a, fs_error *err) {
    const fs_recorded_section rows[] = {{"steps", a->step, (a->steps + 1) * sizeof *a->step},
                                        {"active", a->tile, a->active * sizeof *a->tile},
                                        {"places", a->at, (a->active + 1) * sizeof *a->at},
                                        {"rows", a->row, a->bytes},
                                        {"moves", a->move, a->moves * sizeof *a->move}};
    return fs_recorded_add_numbers(w, "activity", numbers, NUMBERS, a, err) ||
                   fs_recorded_add(w, rows, sizeof rows / sizeof *rows, err)
               ? err->status
               : FS_OK;
}

/* The tiles of a step ascend, and so do the pairs of its moves. */
static fs_status check_step(const fs_recording *rec, const fs_travelled *a, uint64_t s, fs_error *err) {
    const fs_travelled_step *step = &a->step[s];
    for (uint64_t k = step->first_tile; k < step[1].first_tile; k++)
        if (a->tile[k] >= a->tiles || (k > step->first_tile && a->tile[k] <= a->tile[k - 1]))
            return fs_recording_damaged(rec, err, "step %" PRIu64 ": tile %" PRIu32 " of %" PRIu32, s,
                                        a->tile[k], a->tiles);
    for (uint64_t k = step->first_move; k < step[1].first_move; k++) {
        const fs_travel_move *m = &a->move[k];
        const bool follows =
            k == step->first_move || m[-1].src < m->src || (m[-1].src == m->src && m[-1].dst < m->dst);
        if (m->src >= a->tiles || m->dst >= a->tiles || m->src == m->dst || m->rays == 0 ||
            m->rays > UINT16_MAX || !follows)
            return fs_recording_damaged(
                rec, err, "step %" PRIu64 ": %" PRIu32 " rays from tile %" PRIu32 " to %" PRIu32, s, m->rays,
                m->src, m->dst);
    }
    return FS_OK;
}

static fs_status check(const fs_recording *rec, const fs_travelled *a, fs_error *err) {
    uint32_t rows[FS_TRAVEL_WORKERS][FS_TRAVEL_EVENTS];
    const fs_travelled_step *end = &a->step[a->steps];
    if (a->step[0].first_tile != 0 || a->step[0].first_move != 0 || end->first_tile != a->active ||
        end->first_move != a->moves || a->at[0] != 0 || a->at[a->active] != a->bytes)
        return fs_recording_damaged(rec, err, "lists of steps that do not end where they should");
    for (uint64_t s = 0; s < a->steps; s++)
        if (a->step[s].first_tile > a->step[s + 1].first_tile ||
            a->step[s].first_move > a->step[s + 1].first_move ||
            end->first_tile < a->step[s + 1].first_tile || end->first_move < a->step[s + 1].first_move)
            return fs_recording_damaged(rec, err, "step %" PRIu64 " ends before it begins", s);
    for (uint64_t s = 0; s < a->steps; s++)
        if (check_step(rec, a, s, err))
            return err->status;
    for (uint64_t k = 0; k < a->active; k++)
        if (a->at[k] > a->at[k + 1] || a->at[k + 1] > a->bytes || !fs_travelled_rows(a, k, rows))
            return fs_recording_damaged(rec, err, "counts of tile %" PRIu32 " are none", a->tile[k]);
    return FS_OK;
}

fs_status fs_travelled_read(const fs_recording *rec, fs_travelled *a, fs_error *err) {
    fs_travelled n = {.tiles = a->tiles, .workers = a->workers};
    fs_travelled_free(a);
    *a = n;
    if (fs_recorded_read_numbers(rec, "activity", numbers, NUMBERS, a, err))
        return err->status;
    if (a->steps >= SIZE_MAX / sizeof *a->step || a->active >= SIZE_MAX / sizeof *a->at)
        return fs_recording_damaged(rec, err, "%" PRIu64 " steps of %" PRIu64 " tiles", a->steps, a->active);
    if (FS_RECORDED_TAKE(rec, "steps", a->steps + 1, NULL, &a->step, err) ||
        FS_RECORDED_TAKE(rec, "active", a->active, NULL, &a->tile, err) ||
        FS_RECORDED_TAKE(rec, "places", a->active + 1, NULL, &a->at, err) ||
        FS_RECORDED_TAKE(rec, "rows", a->bytes, NULL, &a->row, err) ||
        FS_RECORDED_TAKE(rec, "moves", a->moves, NULL, &a->move, err))
        return err->status;
    return check(rec, a, err);
}
