/* Itineraries in recordings: column by column, since those pack well. */
#include "workloads/treelets/record/pieces.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/workload/recorded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct sizes {
    uint64_t paths, treelets, pieces;
} sizes;

static const fs_recorded_number numbers[] = {
    FS_RECORDED("paths", sizes, paths, 1, (uint64_t)1 << 40),
    FS_RECORDED("treelets", sizes, treelets, 1, FS_TREELETS_MOST),
    FS_RECORDED("pieces", sizes, pieces, 1, (uint64_t)1 << 44),
};

/* ---- columns ---- */

/* Members of a piece that are kept; units follow from them. */
typedef struct column {
    const char *name;
    size_t offset;
} column;
#define COLUMN(name, m)                                                                                      \
    { name, offsetof(fs_piece, m) }
#define COLUMN_OF(name, e)                                                                                   \
    { name, offsetof(fs_piece, event) + (e) * sizeof(uint16_t) }
static const column columns[] = {
    COLUMN("treelet", treelet),
    COLUMN("does", does),
    COLUMN("depth", depth),
    COLUMN_OF("node", FS_PIECE_NODE),
    COLUMN_OF("axis", FS_PIECE_AXIS),
    COLUMN_OF("inner", FS_PIECE_INNER),
    COLUMN_OF("edge", FS_PIECE_EDGE),
    COLUMN_OF("range", FS_PIECE_RANGE),
    COLUMN_OF("triangle", FS_PIECE_TRIANGLE),
    COLUMN_OF("normal", FS_PIECE_NORMAL),
    COLUMN_OF("sphere", FS_PIECE_SPHERE),
    COLUMN_OF("root", FS_PIECE_ROOT),
    COLUMN_OF("disc", FS_PIECE_DISC),
};
enum { COLUMNS = sizeof columns / sizeof *columns };
_Static_assert(COLUMNS == 3 + FS_PIECE_EVENTS, "every event is kept");

static uint16_t *member(fs_piece *piece, const column *c) {
    return (uint16_t *)(void *)((char *)piece + c->offset);
}

/* ---- what they hold to ---- */

static bool has(const fs_piece *piece, uint32_t bits) {
    return (piece->does & bits) != 0;
}

static bool is_piece(const fs_piece *p, uint32_t treelets) {
    const uint32_t of_a_visit = FS_PIECE_FOUND | FS_PIECE_CONTINUES,
                   of_a_hit = FS_PIECE_SPECULAR | FS_PIECE_REFRACTIVE | FS_PIECE_EMISSION |
                              FS_PIECE_ROULETTE | FS_PIECE_SHADOW;
    if (p->treelet != FS_PIECE_ANYWHERE)
        return p->treelet < treelets && (p->does & ~of_a_visit) == 0;
    if (has(p, FS_PIECE_CONTINUES))
        return p->does == FS_PIECE_CONTINUES;
    return p->does < FS_PIECE_FOUND && (has(p, FS_PIECE_HIT) || !has(p, of_a_hit)) &&
           !(has(p, FS_PIECE_SPECULAR) && has(p, FS_PIECE_REFRACTIVE));
}

/* A path sets out once, ends once, and each of its segments is shaded or escapes. */
static bool is_path(const fs_piece *piece, uint64_t count, uint32_t treelets) {
    uint64_t camera = 0, segments = 0, hits = 0, escapes = 0, ends = 0;
    for (const fs_piece *p = piece; p < piece + count; p++) {
        if (!is_piece(p, treelets))
            return false;
        camera += has(p, FS_PIECE_CAMERA);
        segments += has(p, FS_PIECE_SEGMENT);
        hits += has(p, FS_PIECE_HIT);
        escapes += has(p, FS_PIECE_ESCAPE);
        ends += has(p, FS_PIECE_END);
    }
    if (count == 0)
        return false;
    const fs_piece *last = piece + count - 1;
    while (last > piece && has(last, FS_PIECE_CONTINUES))
        last--;
    return camera == 1 && has(piece, FS_PIECE_CAMERA) && ends == 1 && has(last, FS_PIECE_END) &&
           escapes <= 1 && segments == hits + escapes && !has(piece, FS_PIECE_CONTINUES);
}

static void check(fs_recorded *f, const fs_itineraries *its) {
    uint64_t wrong = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : wrong)
    for (uint64_t p = 0; p < its->paths; p++)
        if (!is_path(its->piece + its->first[p], its->first[p + 1] - its->first[p], its->treelets))
            wrong = p < wrong ? p : wrong;
    if (wrong != UINT64_MAX)
        fs_recorded_wrong(f, "pieces of path %" PRIu64 " that are no path's", wrong);
}

/* ---- sections ---- */

static void add_pieces(fs_recorded *f, uint64_t count, fs_piece *piece, uint16_t *values) {
    for (int c = 0; c < COLUMNS; c++) {
#pragma omp parallel for schedule(static)
        for (uint64_t i = 0; i < count; i++)
            values[i] = *member(&piece[i], &columns[c]);
        fs_recorded_bytes(f, columns[c].name, values, count * sizeof *values);
    }
}

static void read_pieces(fs_recorded *f, uint64_t count, fs_piece *piece, uint16_t *values) {
    for (int c = 0; c < COLUMNS; c++) {
        fs_recorded_bytes(f, columns[c].name, values, count * sizeof *values);
        if (!fs_recorded_reads(f))
            return;
#pragma omp parallel for schedule(static)
        for (uint64_t i = 0; i < count; i++)
            *member(&piece[i], &columns[c]) = values[i];
    }
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < count; i++)
        piece[i].units = fs_piece_units(&piece[i]);
}

static void pieces(fs_recorded *f, uint64_t count, fs_piece **piece) {
    for (int c = 0; c < COLUMNS && fs_recorded_reads(f); c++) /* before memory is asked for */
        fs_recording_expect(f->recording, columns[c].name, count * sizeof(uint16_t), f->err);
    if (f->err->status != FS_OK)
        return;
    uint16_t *values = fs_malloc(count * sizeof *values);
    if (f->writer != NULL)
        add_pieces(f, count, *piece, values);
    else
        read_pieces(f, count, *piece = fs_calloc(count, sizeof **piece), values);
    free(values);
}

void fs_itineraries_sections(fs_recorded *f, fs_itineraries *its) {
    sizes s = {its->paths, its->treelets, f->writer != NULL ? its->first[its->paths] : 0};
    fs_recorded heap = {.writer = f->writer, .recording = f->recording, .err = f->err};
    fs_recorded_numbers(f, "sizes", numbers, FS_COUNT(numbers), &s);
    its->paths = s.paths;
    its->treelets = (uint32_t)s.treelets;
    fs_recorded_starts(&heap, "pieces", &its->first, s.paths, s.pieces);
    pieces(f, s.pieces, &its->piece);
    if (fs_recorded_reads(f))
        check(f, its);
}

/* ---- lists of pieces ---- */

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
