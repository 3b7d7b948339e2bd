/* Transfers by pattern: who sends how many bytes to whom in an exchange. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_TRANSFERS = 4000000, MOST_BYTES = 1 << 30 };

/* One entry of `exchange:` as it is read; patterns add to `list`. */
typedef struct pattern {
    fs_superstep_reader *r;
    const fs_node *node;
    fs_superstep_list *list; /* of fs_transfer */
    int64_t bytes;
    bool full; /* too many transfers, and reported */
} pattern;

static void add(pattern *p, uint32_t src, uint32_t dst, int64_t bytes) {
    if (p->full || src == dst || bytes == 0) /* a tile has what it sends itself */
        return;
    if (p->list->count == MOST_TRANSFERS) {
        p->full = true;
        fs_yaml_wrong(p->r->yaml, p->node, "expected at most %d transfers in a step", MOST_TRANSFERS);
        return;
    }
    fs_transfer *t = fs_superstep_add(p->r->arena, p->list, sizeof *t);
    *t = (fs_transfer){.src = src, .dst = dst, .bytes = (uint32_t)((bytes + 3) / 4 * 4)};
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

static void all_to_all(pattern *p) {
    fs_superstep_group on;
    if (!tiles_of(p, "on", &on))
        return;
    for (uint32_t i = 0; i < on.count; i++)
        for (uint32_t j = 0; j < on.count; j++)
            add(p, on.tile[i], on.tile[j], p->bytes);
}

/* The group as a grid, row by row: its number of columns. */
static bool grid(const pattern *p, fs_superstep_group *on, int64_t *columns) {
    if (!tiles_of(p, "on", on) || !number(p, "columns", FS_UNIT_NONE, 1, on->count, on->count, true, columns))
        return false;
    if (on->count % *columns == 0)
        return true;
    return fs_yaml_wrong(p->r->yaml, p->node,
                         "expected columns that divide the %" PRIu32 " tiles, found %" PRId64, on->count,
                         *columns);
}

/* Each tile to its four neighbours in the grid: `bytes` along a row, `bytes_column` along a column. */
static void halo(pattern *p) {
    fs_superstep_group on;
    int64_t columns, down;
    bool wrap = false;
    if (!grid(p, &on, &columns) ||
        !number(p, "bytes_column", FS_UNIT_BYTES, 0, MOST_BYTES, p->bytes, false, &down) ||
        !flag(p, "wrap", &wrap))
        return;
    const int64_t rows = on.count / columns;
    static const int step[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (int64_t i = 0; i < on.count; i++)
        for (int s = 0; s < 4; s++) {
            int64_t row = i / columns + step[s][0], column = i % columns + step[s][1];
            if (wrap) {
                row = (row + rows) % rows;
                column = (column + columns) % columns;
            }
            if (row >= 0 && row < rows && column >= 0 && column < columns)
                add(p, on.tile[i], on.tile[row * columns + column], step[s][0] == 0 ? p->bytes : down);
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
static const char *const names[] = {"shift",   "broadcast", "gather", "all_to_all", "halo", "rows",
                                    "columns", "transpose", "pairs",  "blocks",     NULL};

static void make(pattern *p, int64_t which) {
    const kind kinds[] = {
        {"shift", KEYS("on", "by", "wrap"), shift},
        {"broadcast", KEYS("from", "to"), broadcast},
        {"gather", KEYS("from", "to"), broadcast}, /* many send to few: the same product, the field's word */
        {"all_to_all", KEYS("on"), all_to_all},
        {"halo", KEYS("on", "columns", "bytes_column", "wrap"), halo},
        {"rows", KEYS("on", "columns", "by", "wrap"), rows},
        {"columns", KEYS("on", "columns", "by", "wrap"), columns},
        {"transpose", KEYS("on", "columns"), transpose},
        {"pairs", KEYS("from", "to"), pairs},
        {"blocks", KEYS("from", "to"), blocks},
    };
    if (fs_yaml_mapping(p->r->yaml, p->node, kinds[which].keys) &&
        number(p, "bytes", FS_UNIT_BYTES, 0, MOST_BYTES, 0, true, &p->bytes))
        kinds[which].make(p);
}

/* ---- a step's exchange ---- */

static int by_pair(const void *a, const void *b) {
    const fs_transfer *x = a, *y = b;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return (x->dst > y->dst) - (x->dst < y->dst);
}

bool fs_superstep_give_transfers(fs_superstep_reader *r, fs_superstep *step, fs_superstep_list *list) {
    fs_transfer *t = list->item;
    uint32_t kept = 0;
    if (list->count == 0)
        return true;
    qsort(t, list->count, sizeof *t, by_pair);
    for (uint32_t i = 0; i < list->count; i++) {
        if (kept == 0 || by_pair(&t[kept - 1], &t[i]) != 0) {
            t[kept++] = t[i];
            continue;
        }
        if (t[kept - 1].bytes > UINT32_MAX - t[i].bytes)
            return false;
        t[kept - 1].bytes += t[i].bytes;
    }
    uint32_t *bytes = FS_NEW(r->arena, uint32_t, kept);
    for (uint32_t i = 0; i < kept; i++)
        bytes[i] = t[i].bytes;
    step->transfers = t;
    step->transfer_count = kept;
    step->bytes = bytes;
    return true;
}

void fs_superstep_read_exchange(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    fs_superstep_list list = {0};
    if (!fs_superstep_items(r, node, "patterns", 0))
        return;
    for (size_t i = 0; i < node->count; i++) {
        pattern p = {.r = r, .node = node->items[i], .list = &list};
        if (!fs_superstep_mapping(r, p.node))
            continue;
        int64_t which;
        const fs_node *name = get(&p, "pattern", true);
        if (name != NULL && fs_yaml_word(r->yaml, name, names, &which))
            make(&p, which);
    }
    if (!fs_superstep_give_transfers(r, step, &list))
        fs_yaml_wrong(r->yaml, node, "expected less than 4 GiB from one tile to another");
}
