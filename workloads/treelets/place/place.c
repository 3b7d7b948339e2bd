/* One copy of each by falling bytes, then further copies by load or in turn. */
#include "workloads/treelets/place/place.h"

#include "sim/base/arith.h"
#include "sim/host/progress.h"
#include "sim/host/signals.h"
#include "workloads/treelets/cut/heap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A copy that was given, in a list of its tile's. */
typedef struct given {
    uint32_t treelet, tile, before; /* before: of the same tile; NONE: the first */
} given;

typedef struct dealer {
    const fs_treelet_cut *cut;
    const double *load;
    const fs_place_params *params;
    fs_placement *out;
    given *copy;       /* [out->copies], grown */
    uint32_t *last;    /* [tiles] its last copy */
    uint32_t **has;    /* [treelets] tiles that hold it, in the order in which they were given it; heap */
    uint64_t *expect;  /* [tiles] units that its treelets bring it, in parts of a unit */
    uint32_t *held;    /* [tiles] copies */
    uint32_t *copies;  /* [treelets] */
    uint32_t *on_chip; /* [treelets * chips] */
    uint64_t *free_of; /* [chips] bytes */
    uint8_t *tried;    /* [chips] has no place for the treelet that is looked at */
} dealer;

static uint32_t tiles_of_chip(const dealer *d) {
    return d->params->tiles / d->params->chips;
}

static uint64_t room_on(const dealer *d, uint32_t tile) {
    const uint64_t room = d->params->room[tile], used = d->out->bytes[tile];
    return room > used ? room - used : 0;
}

static bool takes(const dealer *d, uint32_t tile, uint32_t treelet) {
    return room_on(d, tile) >= d->cut->of[treelet].bytes && !fs_place_has(d->out, tile, treelet) &&
           (d->params->most == 0 || d->held[tile] < d->params->most);
}

/* Parts of a unit: sums of whole numbers depend on no order, so that a copy changes what its holders expect and nothing else. */
enum { PARTS = 1 << 12 };

/* Units that a copy of a treelet brings its tile, of so many copies. */
static uint64_t share_of(const dealer *d, uint32_t treelet, uint32_t copies) {
    return copies == 0 ? 0 : (uint64_t)(d->load[treelet] * PARTS / copies);
}

/* A further copy, on that tile: all who hold one expect less. */
static void share_anew(dealer *d, uint32_t treelet, uint32_t tile) {
    const uint32_t copies = d->copies[treelet];
    const uint64_t less = share_of(d, treelet, copies) - share_of(d, treelet, copies + 1);
    d->has[treelet] = fs_grow(d->has[treelet], copies, sizeof **d->has);
    for (uint32_t i = 0; i < copies; i++)
        d->expect[d->has[treelet][i]] -= less;
    d->has[treelet][copies] = tile;
    d->expect[tile] += share_of(d, treelet, copies + 1);
    d->copies[treelet]++;
}

/* Units that the tile's treelets bring it. */
static double expected_on(const dealer *d, uint32_t tile) {
    double sum = 0;
    for (uint32_t i = d->last[tile]; i != NONE && d->copy != NULL; i = d->copy[i].before)
        sum += d->load[d->copy[i].treelet] / d->copies[d->copy[i].treelet];
    return sum;
}

/* The least loaded tile of a chip that has room and no copy; NONE: none. */
static uint32_t tile_on(const dealer *d, uint32_t treelet, uint32_t chip) {
    const uint32_t each = tiles_of_chip(d), first = chip * each;
    uint32_t best = NONE;
    for (uint32_t t = first; t < first + each; t++)
        if ((best == NONE || d->expect[t] < d->expect[best]) && takes(d, t, treelet))
            best = t;
    return best;
}

/* The chip whose turn it is; NONE: all were tried. Dealt: that has fewest of it, then most room. */
static uint32_t next_chip(const dealer *d, uint32_t treelet) {
    const uint32_t chips = d->params->chips, home = (uint32_t)((uint64_t)treelet * chips / d->cut->treelets);
    const uint32_t *has = d->on_chip + (size_t)treelet * chips;
    uint32_t best = NONE;
    for (uint32_t i = 0; i < chips; i++) {
        const uint32_t c = d->params->spread == FS_PLACE_IN_ORDER ? (home + i) % chips : i;
        if (d->tried[c])
            continue;
        if (d->params->spread == FS_PLACE_IN_ORDER)
            return c;
        if (best == NONE || has[c] < has[best] || (has[c] == has[best] && d->free_of[c] > d->free_of[best]))
            best = c;
    }
    return best;
}

/* One more copy; false: no tile takes it. */
static bool give(dealer *d, uint32_t treelet) {
    uint32_t chip, tile = NONE;
    for (uint32_t c = 0; c < d->params->chips; c++)
        d->tried[c] = 0;
    while (tile == NONE && (chip = next_chip(d, treelet)) != NONE) {
        tile = tile_on(d, treelet, chip);
        d->tried[chip] = 1;
    }
    if (tile == NONE)
        return false;
    fs_placement *p = d->out;
    d->copy = fs_grow(d->copy, p->copies, sizeof *d->copy);
    d->copy[p->copies] = (given){treelet, tile, d->last[tile]};
    d->last[tile] = p->copies++;
    share_anew(d, treelet, tile);
    d->held[tile]++;
    d->on_chip[(size_t)treelet * d->params->chips + chip]++;
    d->free_of[chip] -= d->cut->of[treelet].bytes;
    p->bytes[tile] += d->cut->of[treelet].bytes;
    p->holds[(size_t)tile * p->words + treelet / 64] |= UINT64_C(1) << treelet % 64;
    return true;
}

/* ---- one of each ---- */

typedef struct sized {
    uint64_t bytes;
    uint32_t treelet;
} sized;

static int by_falling_bytes(const void *pa, const void *pb) {
    const sized *a = pa, *b = pb;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return a->treelet < b->treelet ? -1 : a->treelet > b->treelet;
}

/* What the tiles have for treelets, and in *most what one of them has. */
static uint64_t room_of(const dealer *d, uint64_t *most) {
    uint64_t room = *most = 0;
    for (uint32_t t = 0; t < d->params->tiles; t++) {
        room += d->params->room[t];
        *most = fs_most(*most, d->params->room[t]);
    }
    return room;
}

static fs_status give_each(dealer *d, fs_error *err) {
    const uint32_t n = d->cut->treelets;
    uint64_t placed = 0, all = 0;
    uint32_t fitting = 0;
    sized *order = fs_malloc((n + 1) * sizeof *order);
    for (uint32_t k = 0; k < n; k++)
        order[k] = (sized){d->cut->of[k].bytes, k};
    qsort(order, n, sizeof *order, by_falling_bytes);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t triangles = d->cut->of[order[i].treelet].triangles;
        const bool fits = give(d, order[i].treelet);
        all += triangles;
        placed += fits ? triangles : 0;
        fitting += fits;
    }
    const uint64_t largest = n > 0 ? order[0].bytes : 0;
    free(order);
    if (fitting == n)
        return FS_OK;
    uint64_t most;
    const uint64_t room = room_of(d, &most);
    return fs_fail(
        err, FS_INPUT,
        "%" PRIu32 " treelets of %" PRIu64 " triangles take %" PRIu64 " B, the largest %" PRIu64
        " B, and %" PRIu32 " tiles have %" PRIu64 " B for them, one at most %" PRIu64 " B: %" PRIu32
        " treelets of %" PRIu64
        " triangles would fit, one copy each; expected a smaller scene, smaller treelets or more tiles",
        n, all, d->cut->bytes, largest, d->params->tiles, room, most, fitting, placed);
}

/* ---- further copies ---- */

/* Load a copy; in turn: who has fewest. A treelet that no pilot path met waits behind all others. */
static double worth_of(const dealer *d, uint32_t treelet) {
    const double copies = d->copies[treelet];
    return d->params->rule == FS_PLACE_EVEN ? 1 / copies : d->load[treelet] / copies;
}

static fs_status give_more(dealer *d, fs_error *err) {
    enum { BETWEEN_LOOKS = 1024 }; /* copies */
    fs_cut_heap wishes = {.count = 0};
    fs_progress progress;
    fs_progress_begin(&progress, "copies", 0);
    for (uint32_t k = 0; k < d->cut->treelets; k++)
        fs_cut_push(&wishes, worth_of(d, k), k);
    while (wishes.count > 0) {
        const uint32_t k = fs_cut_pop(&wishes).node;
        if (give(d, k))
            fs_cut_push(&wishes, worth_of(d, k), k);
        if (d->out->copies % BETWEEN_LOOKS != 0)
            continue;
        fs_progress_update(&progress, d->out->copies);
        if (fs_interrupted()) {
            fs_fail(err, FS_RUN, "interrupted while copies of treelets are dealt");
            break;
        }
    }
    fs_progress_end(&progress);
    free(wishes.entry);
    return err->status;
}

/* ---- all ---- */

static void index_copies(const dealer *d, fs_arena *arena) {
    fs_placement *p = d->out;
    const uint32_t chips = d->params->chips, rows = p->treelets * chips;
    p->start = FS_NEW(arena, uint32_t, (size_t)rows + 1);
    p->tile = FS_NEW(arena, uint32_t, p->copies + 1);
    for (uint32_t i = 0; i < rows; i++)
        p->start[i + 1] = p->start[i] + d->on_chip[i];
    uint32_t *fill = fs_calloc((size_t)rows + 1, sizeof *fill);
    for (uint32_t t = 0; t < p->tiles; t++) {
        p->expected[t] = expected_on(d, t);
        for (uint32_t i = d->last[t]; i != NONE && d->copy != NULL; i = d->copy[i].before) {
            const uint32_t row = d->copy[i].treelet * chips + t / tiles_of_chip(d);
            p->tile[p->start[row] + fill[row]++] = t;
        }
    }
    free(fill);
}

fs_status fs_place_make(const fs_treelet_cut *cut, const double *load, const fs_place_params *params,
                        fs_arena *arena, fs_placement *out, fs_error *err) {
    const uint32_t tiles = params->tiles, n = cut->treelets;
    FS_ASSERT(params->chips > 0 && tiles % params->chips == 0, "%u tiles on %u chips", tiles, params->chips);
    *out = (fs_placement){.treelets = n, .tiles = tiles, .chips = params->chips, .words = (n + 63) / 64};
    out->bytes = FS_NEW(arena, uint64_t, tiles);
    out->expected = FS_NEW(arena, double, tiles);
    out->holds = FS_NEW(arena, uint64_t, (size_t)tiles * out->words);
    dealer d = {.cut = cut,
                .load = load,
                .params = params,
                .out = out,
                .last = FS_NEW(arena, uint32_t, tiles),
                .has = fs_calloc(n + 1, sizeof *d.has),
                .expect = FS_NEW(arena, uint64_t, tiles),
                .held = FS_NEW(arena, uint32_t, tiles),
                .copies = FS_NEW(arena, uint32_t, n),
                .on_chip = FS_NEW(arena, uint32_t, (size_t)n * params->chips),
                .free_of = FS_NEW(arena, uint64_t, params->chips),
                .tried = FS_NEW(arena, uint8_t, params->chips)};
    for (uint32_t t = 0; t < tiles; t++) {
        d.last[t] = NONE;
        d.free_of[t / tiles_of_chip(&d)] += params->room[t];
    }
    if (give_each(&d, err) == FS_OK && params->rule != FS_PLACE_ONE)
        give_more(&d, err);
    if (err->status == FS_OK)
        index_copies(&d, arena);
    for (uint32_t k = 0; k < n; k++)
        free(d.has[k]);
    free(d.has);
    free(d.copy);
    return err->status;
}

/* ---- what a pilot expects of each treelet ---- */

uint64_t fs_place_stride(uint64_t paths) {
    uint64_t stride = (618 * paths + 999) / 1000;
    while (stride > 1 && fs_common_divisor(stride, paths) != 1)
        stride++;
    return stride > 0 ? stride : 1;
}

void fs_place_pilot(const fs_itineraries *its, uint32_t share, double *load) {
    const uint64_t stride = fs_place_stride(its->paths), count = (its->paths + share - 1) / share;
    memset(load, 0, its->treelets * sizeof *load);
    for (uint64_t i = 0, p = 0; i < count; i++, p = (p + stride) % its->paths) {
        uint32_t where = FS_PIECE_ANYWHERE;
        for (uint64_t k = its->first[p]; k < its->first[p + 1]; k++) {
            where = its->piece[k].treelet != FS_PIECE_ANYWHERE ? its->piece[k].treelet : where;
            if (where != FS_PIECE_ANYWHERE)
                load[where] += its->piece[k].units;
        }
    }
}
