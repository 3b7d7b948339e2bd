/* Transfers by pattern: who sends how many bytes to whom in an exchange. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_TRANSFERS = 4000000, MOST_BYTES = 1 << 30 };

/* Kinds of patterns, in the order of their names. */
enum {
    SHIFT,
    BROADCAST,
    GATHER, /* many send to few: the same product as a broadcast, the field's word */
    ALL_TO_ALL,
    HALO,
    ROWS,
    COLUMNS,
    TRANSPOSE,
    PAIRS,
    BLOCKS,
    MULTICAST,
    CHIPS
};
static const char *const names[] = {"shift",     "broadcast", "gather",    "all_to_all", "halo",
                                    "rows",      "columns",   "transpose", "pairs",      "blocks",
                                    "multicast", "chips",     NULL};

enum { ROW, COLUMN, PLANE, SIDES };

/* One entry of `exchange:` as it is read; patterns add to `list`. */
typedef struct pattern {
    fs_superstep_reader *r;
    const fs_node *node;
    fs_superstep_list *list;    /* of fs_superstep_send */
    uint32_t messages, message; /* multicasts so far; the one that is sent, 0: none */
    bool full;                  /* too many transfers, and reported */
    int64_t kind, bytes, by, edges, corners;
    fs_superstep_group on, from, to;
    const fs_node *columns, *planes, *along[SIDES]; /* along: bytes of a grid's sides */
    bool wrap;
} pattern;

#define OF(kind)  (UINT32_C(1) << (kind))
#define IN_A_GRID (OF(HALO) | OF(ROWS) | OF(COLUMNS) | OF(TRANSPOSE))
#define ON_TILES  (IN_A_GRID | OF(SHIFT) | OF(ALL_TO_ALL))
#define BY_PLACE  (OF(SHIFT) | OF(ROWS) | OF(COLUMNS))

#define FS_ROWS_OF pattern
static const fs_yaml_row rows_of[] = {
    FS_YAML_WORD("pattern", kind, names, NULL),
    FS_YAML_INT("bytes", bytes, BYTES, 0, MOST_BYTES, NULL, .of = ~OF(HALO)),
    FS_YAML_NODE("bytes", along[ROW], NULL, .of = OF(HALO)),
    FS_YAML_READ("on", on, fs_superstep_read_tiles, NULL, .of = ON_TILES),
    FS_YAML_READ("from", from, fs_superstep_read_tiles, NULL, .of = ~ON_TILES),
    FS_YAML_READ("to", to, fs_superstep_read_tiles, NULL, .of = ~ON_TILES),
    FS_YAML_NODE("columns", columns, NULL, .of = IN_A_GRID),
    FS_YAML_NODE("planes", planes, FS_YAML_MAY, .of = OF(HALO)),
    FS_YAML_NODE("bytes_column", along[COLUMN], FS_YAML_MAY, .of = OF(HALO)),
    FS_YAML_NODE("bytes_plane", along[PLANE], FS_YAML_MAY, .of = OF(HALO)),
    FS_YAML_INT("edges", edges, BYTES, 0, MOST_BYTES, "0 B", .of = OF(HALO)),
    FS_YAML_INT("corners", corners, BYTES, 0, MOST_BYTES, "0 B", .of = OF(HALO)),
    FS_YAML_INT("by", by, NONE, -1000000, 1000000, "1", .of = BY_PLACE),
    FS_YAML_BOOL("wrap", wrap, "true", .of = BY_PLACE),
    FS_YAML_BOOL("wrap", wrap, "false", .of = OF(HALO)),
};
static const fs_yaml_shape shape = FS_YAML_SHAPE(rows_of, sizeof(pattern));
#undef FS_ROWS_OF

static void add(pattern *p, uint32_t src, uint32_t dst, int64_t bytes) {
    if (p->full || src == dst || bytes == 0) /* a tile has what it sends itself */
        return;
    if (p->list->count == MOST_TRANSFERS) {
        p->full = true;
        fs_yaml_wrong(p->r->yaml, p->node, "expected at most %d transfers in a step", MOST_TRANSFERS);
        return;
    }
    fs_superstep_send *t = fs_superstep_add(p->r->arena, p->list, sizeof *t);
    *t = (fs_superstep_send){.of = {src, dst, (uint32_t)((bytes + 3) / 4 * 4)}, .message = p->message};
}

/* ---- the patterns ---- */

/* Tile i of the group sends to tile i + by; with `wrap` round the end. */
static void shift(pattern *p) {
    for (int64_t i = 0, n = p->on.count; i < n; i++) {
        const int64_t to = i + p->by;
        if (p->wrap)
            add(p, p->on.tile[i], p->on.tile[((to % n) + n) % n], p->bytes);
        else if (to >= 0 && to < n)
            add(p, p->on.tile[i], p->on.tile[to], p->bytes);
    }
}

static void broadcast(pattern *p) {
    for (uint32_t i = 0; i < p->from.count; i++)
        for (uint32_t j = 0; j < p->to.count; j++)
            add(p, p->from.tile[i], p->to.tile[j], p->bytes);
}

/* Each of `from` sends once, and all of `to` take it in. */
static void multicast(pattern *p) {
    for (uint32_t i = 0; i < p->from.count; i++) {
        p->message = ++p->messages;
        for (uint32_t j = 0; j < p->to.count; j++)
            add(p, p->from.tile[i], p->to.tile[j], p->bytes);
    }
    p->message = 0;
}

static void all_to_all(pattern *p) {
    p->from = p->to = p->on;
    broadcast(p);
}

/* A side of a grid of so many tiles: a number that divides them; 1 where none is given. */
static bool side(const pattern *p, const fs_node *node, const char *name, uint32_t tiles, int64_t *out) {
    *out = 1;
    if (node != NULL && !fs_yaml_int(p->r->yaml, node, FS_UNIT_NONE, 1, tiles, out))
        return false;
    return tiles % *out == 0 ||
           fs_yaml_wrong(p->r->yaml, p->node, "expected %s that divide the %" PRIu32 " tiles, found %" PRId64,
                         name, tiles, *out);
}

/* A grid in space, plane by plane: its sides along a row, along a column, and through the planes. */
typedef struct space {
    const pattern *p;
    int64_t side[SIDES];
    int64_t *bytes[SIDES]; /* [most of the sides] to the neighbours along a side, by the place across it */
} space;

/* Bytes along a side: one number for all tiles or, in a plane, one for each place across, as tiles are uneven. Those
 * along a row stand for the others that do not stand. */
static bool side_bytes(const pattern *p, space *g, int side) {
    const fs_node *own = p->along[side], *node = own != NULL ? own : p->along[ROW];
    const int64_t across = side == ROW ? g->side[COLUMN] : g->side[ROW];
    int64_t *bytes = g->bytes[side] = FS_NEW(p->r->arena, int64_t, p->on.count);
    FS_ASSERT(node != NULL, "a halo of no bytes");
    if (own == NULL && g->side[side] == 1)
        return true;
    if (node->kind != FS_NODE_LIST) {
        int64_t n;
        if (!fs_yaml_int(p->r->yaml, node, FS_UNIT_BYTES, 0, MOST_BYTES, &n))
            return false;
        for (uint32_t i = 0; i < p->on.count; i++)
            bytes[i] = n;
        return true;
    }
    if (g->side[PLANE] > 1 || side == PLANE || node->count != (size_t)across)
        return fs_yaml_wrong(p->r->yaml, node,
                             "expected bytes or, in a grid of one plane, a list for its %" PRId64
                             " %s, found %s",
                             across, side == ROW ? "rows" : "columns", fs_yaml_found(p->r->yaml, node));
    for (size_t i = 0; i < node->count; i++)
        if (!fs_yaml_int(p->r->yaml, node->items[i], FS_UNIT_BYTES, 0, MOST_BYTES, &bytes[i]))
            return false;
    return true;
}

static bool read_space(const pattern *p, space *g) {
    int64_t planes, columns;
    if (!side(p, p->planes, "planes", p->on.count, &planes) ||
        !side(p, p->columns, "columns", p->on.count / (uint32_t)planes, &columns))
        return false;
    *g = (space){.p = p, .side = {columns, p->on.count / (columns * planes), planes}};
    const fs_node *edges = fs_tree_get(p->node, "edges");
    if (edges != NULL && planes == 1)
        return fs_yaml_wrong(p->r->yaml, edges,
                             "expected `corners`: edges are those of a grid of several planes");
    return side_bytes(p, g, ROW) && side_bytes(p, g, COLUMN) && side_bytes(p, g, PLANE);
}

/* What the tile at a place sends its neighbour a step away: a face, an edge of a cube, a corner. */
static int64_t halo_bytes(const space *g, const int64_t at[SIDES], const int step[SIDES]) {
    const int away = (step[ROW] != 0) + (step[COLUMN] != 0) + (step[PLANE] != 0);
    FS_ASSERT(g->bytes[ROW] != NULL && g->bytes[COLUMN] != NULL && g->bytes[PLANE] != NULL,
              "a halo of no bytes");
    if (away == 1)
        return step[ROW] != 0 ? g->bytes[ROW][at[COLUMN]]
                              : g->bytes[step[COLUMN] != 0 ? COLUMN : PLANE][at[ROW]];
    return away == (g->side[PLANE] > 1 ? 3 : 2) ? g->p->corners : g->p->edges;
}

static void send_halo(pattern *p, const space *g, const int64_t at[SIDES], const int step[SIDES]) {
    int64_t to = 0, from = 0;
    for (int s = SIDES - 1; s >= 0; s--) {
        int64_t place = at[s] + step[s];
        if (p->wrap)
            place = (place + g->side[s]) % g->side[s];
        if (place < 0 || place >= g->side[s])
            return;
        to = to * g->side[s] + place;
        from = from * g->side[s] + at[s];
    }
    add(p, p->on.tile[from], p->on.tile[to], halo_bytes(g, at, step));
}

/* Each tile to its neighbours in the grid: those beside it, and where bytes are given those across edges and
 * corners. */
static void halo(pattern *p) {
    space g;
    if (!read_space(p, &g))
        return;
    const int deep = g.side[PLANE] > 1;
    for (int64_t i = 0; i < p->on.count; i++) {
        const int64_t at[SIDES] = {i % g.side[ROW], i / g.side[ROW] % g.side[COLUMN],
                                   i / (g.side[ROW] * g.side[COLUMN])};
        for (int z = -deep; z <= deep; z++)
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    if (x != 0 || y != 0 || z != 0)
                        send_halo(p, &g, at, (const int[SIDES]){x, y, z});
    }
}

/* Tile (row, column) of the grid sends to the tile that holds (column, row) of the transposed one. */
static void transpose(pattern *p) {
    int64_t columns;
    if (!side(p, p->columns, "columns", p->on.count, &columns))
        return;
    const int64_t rows = p->on.count / columns;
    for (int64_t i = 0; i < p->on.count; i++)
        add(p, p->on.tile[i], p->on.tile[i % columns * rows + i / columns], p->bytes);
}

/* Each tile of the grid to the one `by` places on in its row, or in its column; with `wrap` round the end. */
static void along(pattern *p) {
    const fs_superstep_group *on = &p->on;
    int64_t columns;
    if (!side(p, p->columns, "columns", on->count, &columns))
        return;
    const bool in_row = p->kind == ROWS;
    const int64_t n = in_row ? columns : on->count / columns;
    for (int64_t i = 0; i < on->count; i++) {
        const int64_t place = in_row ? i % columns : i / columns,
                      to = p->wrap ? ((place + p->by) % n + n) % n : place + p->by;
        if (to >= 0 && to < n)
            add(p, on->tile[i], on->tile[in_row ? i - place + to : to * columns + i % columns], p->bytes);
    }
}

/* Each tile of the shorter list and as many neighbours of the longer one, block by block. */
static void blocks(pattern *p) {
    const uint32_t from = p->from.count, to = p->to.count, most = from > to ? from : to;
    if (most % from != 0 || most % to != 0) {
        fs_yaml_wrong(p->r->yaml, p->node,
                      "expected one number of tiles that divides the other, found %" PRIu32 " and %" PRIu32,
                      from, to);
        return;
    }
    for (uint32_t i = 0; i < most; i++)
        add(p, p->from.tile[i / (most / from)], p->to.tile[i / (most / to)], p->bytes);
}

/* Tile i of one list to tile i of the other. */
static void pairs(pattern *p) {
    if (p->from.count == p->to.count)
        blocks(p);
    else
        fs_yaml_wrong(p->r->yaml, p->node,
                      "expected as many tiles to send as to receive, found %" PRIu32 " and %" PRIu32,
                      p->from.count, p->to.count);
}

static void make(pattern *p, fs_superstep *step) {
    static void (*const makers[])(pattern *) = {
        [SHIFT] = shift, [BROADCAST] = broadcast, [GATHER] = broadcast,   [ALL_TO_ALL] = all_to_all,
        [HALO] = halo,   [ROWS] = along,          [COLUMNS] = along,      [TRANSPOSE] = transpose,
        [PAIRS] = pairs, [BLOCKS] = blocks,       [MULTICAST] = multicast};
    if (p->kind == CHIPS)
        fs_superstep_read_chips(p->r, p->node, step);
    else if (fs_yaml_fill_as(p->r->yaml, p->node, &shape, OF(p->kind), p->r, p))
        makers[p->kind](p);
}

/* ---- a step's exchange ---- */

static int by_pair(const void *a, const void *b) {
    const fs_superstep_send *x = a, *y = b;
    if (x->of.src != y->of.src)
        return x->of.src < y->of.src ? -1 : 1;
    if (x->of.dst != y->of.dst)
        return x->of.dst < y->of.dst ? -1 : 1;
    return (x->message > y->message) - (x->message < y->message);
}

/* The first transfer of each message, by its number. */
static const uint32_t *leads(fs_superstep_reader *r, const fs_superstep_send *t, uint32_t count) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = t[i].message > most ? t[i].message : most;
    if (most == 0)
        return NULL;
    uint32_t *of = FS_NEW(r->arena, uint32_t, count), *first = FS_NEW(r->arena, uint32_t, most + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (t[i].message > 0 && first[t[i].message] == 0)
            first[t[i].message] = i + 1;
        of[i] = t[i].message > 0 ? first[t[i].message] - 1 : i;
    }
    return of;
}

bool fs_superstep_give_transfers(fs_superstep_reader *r, fs_superstep *step, fs_superstep_list *list) {
    fs_superstep_send *t = list->item;
    uint32_t kept = 0;
    if (list->count == 0)
        return true;
    qsort(t, list->count, sizeof *t, by_pair);
    for (uint32_t i = 0; i < list->count; i++) {
        if (kept == 0 || t[i].message > 0 || by_pair(&t[kept - 1], &t[i]) != 0) {
            t[kept++] = t[i];
            continue;
        }
        if (t[kept - 1].of.bytes > UINT32_MAX - t[i].of.bytes)
            return false;
        t[kept - 1].of.bytes += t[i].of.bytes;
    }
    fs_transfer *transfers = FS_NEW(r->arena, fs_transfer, kept);
    uint32_t *bytes = FS_NEW(r->arena, uint32_t, kept);
    for (uint32_t i = 0; i < kept; i++) {
        transfers[i] = t[i].of;
        bytes[i] = t[i].of.bytes;
    }
    step->transfers = transfers;
    step->transfer_count = kept;
    step->bytes = bytes;
    step->sent_with = leads(r, t, kept);
    return true;
}

void fs_superstep_read_exchange(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    fs_superstep_list list = {0};
    pattern last = {0};
    if (!fs_superstep_items(r, node, "patterns", 0))
        return;
    for (size_t i = 0; i < node->count; i++) {
        pattern p = {
            .r = r, .list = &list, .node = node->items[i], .messages = last.messages, .full = last.full};
        if (fs_superstep_mapping(r, p.node) &&
            fs_yaml_word(r->yaml, fs_yaml_get(r->yaml, p.node, "pattern", true), names, &p.kind))
            make(&p, step);
        last = p;
    }
    if (!fs_superstep_give_transfers(r, step, &list))
        fs_yaml_wrong(r->yaml, node, "expected less than 4 GiB from one tile to another");
}
