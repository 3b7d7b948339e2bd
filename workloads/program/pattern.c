/* Transfers by pattern: who sends how many bytes to whom in an exchange. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_TRANSFERS = 4000000, MOST_BYTES = 1 << 30 };

/* One entry of `exchange:` as it is read; patterns add to `list`. */
typedef struct pattern {
    fs_superstep_reader *r;
    const fs_node *node;
    fs_superstep_list *list; /* of fs_superstep_send */
    int64_t bytes;
    uint32_t messages, message; /* multicasts so far; the one that is sent, 0: none */
    bool full;                  /* too many transfers, and reported */
} pattern;

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

static const fs_node *get(const pattern *p, const char *name, bool required) {
    return fs_yaml_get(p->r->yaml, p->node, name, required);
}

static bool tiles_of(const pattern *p, const char *name, fs_superstep_group *out) {
    const fs_node *node = get(p, name, true);
    return node != NULL && fs_superstep_tiles(p->r, node, out);
}

/* An integer of the entry; `def` where it does not stand. */
static bool number(const pattern *p, const char *name, fs_unit unit, int64_t least, int64_t most, int64_t def,
                   bool required, int64_t *out) {
    *out = def;
    const fs_node *node = get(p, name, required);
    if (node == NULL)
        return !required;
    return fs_yaml_int(p->r->yaml, node, unit, least, most, out);
}

static bool flag(const pattern *p, const char *name, bool *out) {
    const fs_node *node = get(p, name, false);
    return node == NULL || fs_yaml_bool(p->r->yaml, node, out);
}

/* ---- the patterns ---- */

/* Tile i of the group sends to tile i + by; with `wrap` round the end. */
static void shift(pattern *p) {
    fs_superstep_group on;
    int64_t by;
    bool wrap = true;
    if (!tiles_of(p, "on", &on) || !number(p, "by", FS_UNIT_NONE, -1000000, 1000000, 1, false, &by) ||
        !flag(p, "wrap", &wrap))
        return;
    for (int64_t i = 0, n = on.count; i < n; i++) {
        const int64_t to = i + by;
        if (wrap)
            add(p, on.tile[i], on.tile[((to % n) + n) % n], p->bytes);
        else if (to >= 0 && to < n)
            add(p, on.tile[i], on.tile[to], p->bytes);
    }
}

static void broadcast(pattern *p) {
    fs_superstep_group from, to;
    if (!tiles_of(p, "from", &from) || !tiles_of(p, "to", &to))
        return;
    for (uint32_t i = 0; i < from.count; i++)
        for (uint32_t j = 0; j < to.count; j++)
            add(p, from.tile[i], to.tile[j], p->bytes);
}

/* Each of `from` sends once, and all of `to` take it in. */
static void multicast(pattern *p) {
    fs_superstep_group from, to;
    if (!tiles_of(p, "from", &from) || !tiles_of(p, "to", &to))
        return;
    for (uint32_t i = 0; i < from.count; i++) {
        p->message = ++p->messages;
        for (uint32_t j = 0; j < to.count; j++)
            add(p, from.tile[i], to.tile[j], p->bytes);
    }
    p->message = 0;
}

static void all_to_all(pattern *p) {
    fs_superstep_group on;
    if (!tiles_of(p, "on", &on))
        return;
    for (uint32_t i = 0; i < on.count; i++)
        for (uint32_t j = 0; j < on.count; j++)
            add(p, on.tile[i], on.tile[j], p->bytes);
}

/* A side of a grid of so many tiles: a number that divides them. */
static bool side(const pattern *p, const char *name, uint32_t tiles, bool required, int64_t *out) {
    if (!number(p, name, FS_UNIT_NONE, 1, tiles, 1, required, out))
        return false;
    return tiles % *out == 0 ||
           fs_yaml_wrong(p->r->yaml, p->node, "expected %s that divide the %" PRIu32 " tiles, found %" PRId64,
                         name, tiles, *out);
}

/* The group as a grid, row by row: its number of columns. */
static bool grid(const pattern *p, fs_superstep_group *on, int64_t *columns) {
    return tiles_of(p, "on", on) && side(p, "columns", on->count, true, columns);
}

/* A grid in space, plane by plane: its sides along a row, along a column, and through the planes. */
enum { ROW, COLUMN, PLANE, SIDES };
typedef struct space {
    fs_superstep_group on;
    int64_t side[SIDES];
    int64_t *bytes[SIDES]; /* [most of the sides] to the neighbours along a side, by the place across it */
    int64_t edges, corners;
    bool wrap;
} space;

/* Bytes along a side: one number for all tiles or, in a plane, one for each place across, as tiles are uneven. Those
 * along a row stand for the others that do not stand. */
static bool side_bytes(const pattern *p, const char *name, space *g, int side) {
    const fs_node *rows = get(p, "bytes", true), *own = side == ROW ? rows : get(p, name, false),
                  *node = own != NULL ? own : rows;
    const int64_t across = side == ROW ? g->side[COLUMN] : g->side[ROW];
    int64_t *bytes = g->bytes[side] = FS_NEW(p->r->arena, int64_t, g->on.count);
    if (node == NULL || (own == NULL && g->side[side] == 1))
        return node != NULL;
    if (node->kind != FS_NODE_LIST) {
        int64_t n;
        if (!fs_yaml_int(p->r->yaml, node, FS_UNIT_BYTES, 0, MOST_BYTES, &n))
            return false;
        for (uint32_t i = 0; i < g->on.count; i++)
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
    if (!tiles_of(p, "on", &g->on) || !side(p, "planes", g->on.count, false, &planes) ||
        !side(p, "columns", g->on.count / (uint32_t)planes, true, &columns))
        return false;
    g->side[ROW] = columns;
    g->side[COLUMN] = g->on.count / (columns * planes);
    g->side[PLANE] = planes;
    const fs_node *edges = get(p, "edges", false);
    if (edges != NULL && planes == 1)
        return fs_yaml_wrong(p->r->yaml, edges,
                             "expected `corners`: edges are those of a grid of several planes");
    return side_bytes(p, "bytes", g, ROW) && side_bytes(p, "bytes_column", g, COLUMN) &&
           side_bytes(p, "bytes_plane", g, PLANE) &&
           number(p, "edges", FS_UNIT_BYTES, 0, MOST_BYTES, 0, false, &g->edges) &&
           number(p, "corners", FS_UNIT_BYTES, 0, MOST_BYTES, 0, false, &g->corners) &&
           flag(p, "wrap", &g->wrap);
}

/* What the tile at a place sends its neighbour a step away: a face, an edge of a cube, a corner. */
static int64_t halo_bytes(const space *g, const int64_t at[SIDES], const int step[SIDES]) {
    const int away = (step[ROW] != 0) + (step[COLUMN] != 0) + (step[PLANE] != 0);
    if (away == 1)
        return step[ROW] != 0 ? g->bytes[ROW][at[COLUMN]]
                              : g->bytes[step[COLUMN] != 0 ? COLUMN : PLANE][at[ROW]];
    return away == (g->side[PLANE] > 1 ? 3 : 2) ? g->corners : g->edges;
}

static void send_halo(pattern *p, const space *g, const int64_t at[SIDES], const int step[SIDES]) {
    int64_t to = 0, from = 0;
    for (int s = SIDES - 1; s >= 0; s--) {
        int64_t place = at[s] + step[s];
        if (g->wrap)
            place = (place + g->side[s]) % g->side[s];
        if (place < 0 || place >= g->side[s])
            return;
        to = to * g->side[s] + place;
        from = from * g->side[s] + at[s];
    }
    add(p, g->on.tile[from], g->on.tile[to], halo_bytes(g, at, step));
}

/* Each tile to its neighbours in the grid: those beside it, and where bytes are given those across edges and
 * corners. */
static void halo(pattern *p) {
    space g = {0};
    if (!read_space(p, &g))
        return;
    const int deep = g.side[PLANE] > 1;
    for (int64_t i = 0; i < g.on.count; i++) {
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
    fs_superstep_group on;
    int64_t columns;
    if (!grid(p, &on, &columns))
        return;
    const int64_t rows = on.count / columns;
    for (int64_t i = 0; i < on.count; i++)
        add(p, on.tile[i], on.tile[i % columns * rows + i / columns], p->bytes);
}

/* Each tile of the grid to the one `by` places on in its row, or in its column; with `wrap` round the end. */
static void along(pattern *p, bool in_row) {
    fs_superstep_group on;
    int64_t columns, by;
    bool wrap = true;
    if (!grid(p, &on, &columns) || !number(p, "by", FS_UNIT_NONE, -1000000, 1000000, 1, false, &by) ||
        !flag(p, "wrap", &wrap))
        return;
    const int64_t rows = on.count / columns, n = in_row ? columns : rows;
    for (int64_t i = 0; i < on.count; i++) {
        const int64_t place = in_row ? i % columns : i / columns,
                      to = wrap ? ((place + by) % n + n) % n : place + by;
        if (to >= 0 && to < n)
            add(p, on.tile[i], on.tile[in_row ? i - place + to : to * columns + i % columns], p->bytes);
    }
}

static void rows(pattern *p) {
    along(p, true);
}

static void columns(pattern *p) {
    along(p, false);
}

/* Each tile of the shorter list and as many neighbours of the longer one, block by block. */
static void blocks(pattern *p) {
    fs_superstep_group from, to;
    if (!tiles_of(p, "from", &from) || !tiles_of(p, "to", &to))
        return;
    const uint32_t most = from.count > to.count ? from.count : to.count;
    if (most % from.count != 0 || most % to.count != 0) {
        fs_yaml_wrong(p->r->yaml, p->node,
                      "expected one number of tiles that divides the other, found %" PRIu32 " and %" PRIu32,
                      from.count, to.count);
        return;
    }
    for (uint32_t i = 0; i < most; i++)
        add(p, from.tile[i / (most / from.count)], to.tile[i / (most / to.count)], p->bytes);
}

/* Tile i of one list to tile i of the other. */
static void pairs(pattern *p) {
    fs_superstep_group from, to;
    if (!tiles_of(p, "from", &from) || !tiles_of(p, "to", &to))
        return;
    if (from.count != to.count) {
        fs_yaml_wrong(p->r->yaml, p->node,
                      "expected as many tiles to send as to receive, found %" PRIu32 " and %" PRIu32,
                      from.count, to.count);
        return;
    }
    for (uint32_t i = 0; i < from.count; i++)
        add(p, from.tile[i], to.tile[i], p->bytes);
}

typedef struct kind {
    const char *name;
    const char *const *keys; /* that its entry may have */
    void (*make)(pattern *p);
} kind;

#define KEYS(...) ((const char *const[]){"pattern", "bytes", __VA_ARGS__, NULL})
static const char *const names[] = {"shift",     "broadcast", "gather",    "all_to_all", "halo",
                                    "rows",      "columns",   "transpose", "pairs",      "blocks",
                                    "multicast", "chips",     NULL};

static void make(pattern *p, int64_t which, fs_superstep *step) {
    const kind kinds[] = {
        {"shift", KEYS("on", "by", "wrap"), shift},
        {"broadcast", KEYS("from", "to"), broadcast},
        {"gather", KEYS("from", "to"), broadcast}, /* many send to few: the same product, the field's word */
        {"all_to_all", KEYS("on"), all_to_all},
        {"halo", KEYS("on", "columns", "planes", "bytes_column", "bytes_plane", "edges", "corners", "wrap"),
         halo},
        {"rows", KEYS("on", "columns", "by", "wrap"), rows},
        {"columns", KEYS("on", "columns", "by", "wrap"), columns},
        {"transpose", KEYS("on", "columns"), transpose},
        {"pairs", KEYS("from", "to"), pairs},
        {"blocks", KEYS("from", "to"), blocks},
        {"multicast", KEYS("from", "to"), multicast},
    };
    if (which == sizeof kinds / sizeof *kinds)
        fs_superstep_read_chips(p->r, p->node, step);
    else if (fs_yaml_mapping(p->r->yaml, p->node, kinds[which].keys) &&
             (kinds[which].make == halo || /* which has several */
              number(p, "bytes", FS_UNIT_BYTES, 0, MOST_BYTES, 0, true, &p->bytes)))
        kinds[which].make(p);
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
    pattern p = {.r = r, .list = &list};
    if (!fs_superstep_items(r, node, "patterns", 0))
        return;
    for (size_t i = 0; i < node->count; i++) {
        p.node = node->items[i];
        if (!fs_superstep_mapping(r, p.node))
            continue;
        int64_t which;
        const fs_node *name = get(&p, "pattern", true);
        if (name != NULL && fs_yaml_word(r->yaml, name, names, &which))
            make(&p, which, step);
    }
    if (!fs_superstep_give_transfers(r, step, &list))
        fs_yaml_wrong(r->yaml, node, "expected less than 4 GiB from one tile to another");
}
