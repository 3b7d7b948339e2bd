/* Itineraries in recordings: column by column, since those pack well. */
#include "workloads/treelets/record/pieces.h"

#include "sim/base/alloc.h"
#include "sim/workload/recorded.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct sizes {
    uint64_t paths, treelets, pieces;
} sizes;

static const fs_recorded_number numbers[] = {
    FS_RECORDED("paths", sizes, paths, 1, (uint64_t)1 << 40),
    FS_RECORDED("treelets", sizes, treelets, 1, FS_TREELETS_MOST),
    FS_RECORDED("pieces", sizes, pieces, 1, (uint64_t)1 << 44),
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

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

fs_status fs_itineraries_add(fs_recording_writer *writer, const fs_itineraries *its, fs_error *err) {
    const sizes s = {its->paths, its->treelets, its->first[its->paths]};
    uint16_t *values = fs_malloc(s.pieces * sizeof *values);
    uint32_t *pieces_of = fs_malloc(s.paths * sizeof *pieces_of);
    for (uint64_t p = 0; p < s.paths; p++)
        pieces_of[p] = (uint32_t)(its->first[p + 1] - its->first[p]);
    fs_status status = fs_recorded_add_numbers(writer, "sizes", numbers, NUMBERS, &s, err);
    if (status == FS_OK)
        status = fs_recording_add(writer, "pieces", pieces_of, s.paths * sizeof *pieces_of, err);
    for (int c = 0; c < COLUMNS && status == FS_OK; c++) {
#pragma omp parallel for schedule(static)
        for (uint64_t i = 0; i < s.pieces; i++)
            values[i] = *member(&its->piece[i], &columns[c]);
        status = fs_recording_add(writer, columns[c].name, values, s.pieces * sizeof *values, err);
    }
    free(values);
    free(pieces_of);
    return status;
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
    const fs_piece *last = piece + count - 1;
    while (last > piece && has(last, FS_PIECE_CONTINUES))
        last--;
    return camera == 1 && has(piece, FS_PIECE_CAMERA) && ends == 1 && has(last, FS_PIECE_END) &&
           escapes <= 1 && segments == hits + escapes && !has(piece, FS_PIECE_CONTINUES);
}

static fs_status check(const fs_recording *recording, const fs_itineraries *its, fs_error *err) {
    uint64_t wrong = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : wrong)
    for (uint64_t p = 0; p < its->paths; p++)
        if (!is_path(its->piece + its->first[p], its->first[p + 1] - its->first[p], its->treelets))
            wrong = p < wrong ? p : wrong;
    return wrong == UINT64_MAX
               ? FS_OK
               : fs_recording_damaged(recording, err, "pieces of path %" PRIu64 " that are no path's", wrong);
}

/* ---- reading ---- */

static fs_status read_first(const fs_recording *recording, const sizes *s, fs_itineraries *its,
                            fs_error *err) {
    uint32_t *pieces_of = NULL;
    its->first = fs_malloc((s->paths + 1) * sizeof *its->first);
    its->first[0] = 0;
    fs_status status = FS_RECORDED_TAKE(recording, "pieces", s->paths, NULL, &pieces_of, err);
    for (uint64_t p = 0; p < s->paths && status == FS_OK; p++) {
        its->first[p + 1] = its->first[p] + pieces_of[p];
        if (pieces_of[p] == 0)
            status = fs_recording_damaged(recording, err, "path %" PRIu64 " of no pieces", p);
    }
    free(pieces_of);
    if (status == FS_OK && its->first[s->paths] != s->pieces)
        status = fs_recording_damaged(recording, err, "%" PRIu64 " pieces, and paths of %" PRIu64, s->pieces,
                                      its->first[s->paths]);
    return status;
}

static fs_status read_pieces(const fs_recording *recording, uint64_t pieces, fs_piece *piece, fs_error *err) {
    fs_status status = FS_OK;
    uint16_t *values = fs_malloc(pieces * sizeof *values);
    for (int c = 0; c < COLUMNS && status == FS_OK; c++) {
        status = fs_recording_read(recording, columns[c].name, values, pieces * sizeof *values, err);
        if (status != FS_OK)
            break;
#pragma omp parallel for schedule(static)
        for (uint64_t i = 0; i < pieces; i++)
            *member(&piece[i], &columns[c]) = values[i];
    }
    free(values);
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < pieces; i++)
        piece[i].units = fs_piece_units(&piece[i]);
    return status;
}

fs_status fs_itineraries_read(const fs_recording *recording, fs_itineraries *its, fs_error *err) {
    sizes s;
    *its = (fs_itineraries){.paths = 0};
    if (fs_recorded_read_numbers(recording, "sizes", numbers, NUMBERS, &s, err))
        return err->status;
    /* a section can claim any size: held to what is there before memory is asked for */
    fs_status status = fs_recording_expect(recording, "pieces", s.paths * sizeof(uint32_t), err);
    for (int c = 0; c < COLUMNS && status == FS_OK; c++)
        status = fs_recording_expect(recording, columns[c].name, s.pieces * sizeof(uint16_t), err);
    if (status != FS_OK)
        return status;
    *its = (fs_itineraries){.paths = s.paths, .treelets = (uint32_t)s.treelets};
    status = read_first(recording, &s, its, err);
    if (status == FS_OK) {
        its->piece = fs_calloc(s.pieces, sizeof *its->piece);
        status = read_pieces(recording, s.pieces, its->piece, err);
    }
    if (status == FS_OK)
        status = check(recording, its, err);
    if (status != FS_OK)
        fs_itineraries_free(its);
    return status;
}
