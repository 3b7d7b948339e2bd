/* Where tiles stand in a map of the chip: raw columns folded about the exchange spine, chips beside each
 * other. */
#include "reports/sections/sections_private.h"
#include "sim/base/arith.h"

#include <stdlib.h>
#include <string.h>

static const double pitch = 4.3;   /* a super-tile, in tiles */
static const double gap = 1.2;     /* from the last row to the edge of the chip */
static const double spine = 1.6;   /* from the exchange spine to the middle of its first row */
static const double between = 2.4; /* chips, room for a name */

typedef fs_show_places chip;

static fs_status read_places(fs_show *s, size_t run, const char *file, chip *c, fs_error *err) {
    const struct {
        const int64_t **to;
        const char *name;
    } wanted[] = {
        {&c->tile, "tile"}, {&c->level, "level"}, {&c->column, "column"}, {&c->row, "row"}, {&c->sub, "sub"}};
    c->table = fs_show_table_of(s, run, file, err);
    for (size_t i = 0; c->table != NULL && i < FS_COUNT(wanted); i++)
        if ((*wanted[i].to = fs_csv_ints(c->table, wanted[i].name, err)) == NULL)
            return err->status;
    c->role = c->table == NULL ? NULL : fs_csv_words(c->table, "role", err);
    if (c->role == NULL)
        return err->status;
    c->tiles = fs_csv_rows(c->table);
    for (size_t i = 0; i < c->tiles; i++) {
        c->unused += strcmp(c->role[i], fs_role_unused) == 0;
        if (c->column[i] < 0 || c->column[i] > 1000 || c->row[i] < 0 || c->row[i] > 1000 || c->sub[i] < 0 ||
            c->sub[i] > 3)
            return fs_fail(err, FS_INPUT, "%s/%s:%zu: no place on a chip", fs_folder_path(s->run[run]), file,
                           i + 2);
        c->columns = c->column[i] >= c->columns ? c->column[i] + 1 : c->columns;
    }
    return FS_OK;
}

static bool is_below(const chip *c, size_t tile) {
    return c->column[tile] % c->columns >= c->folds;
}

/* Rows behind the last one that has a role in their half are left out. */
static bool is_drawn(const chip *c, size_t tile) {
    return c->row[tile] < c->shown[is_below(c, tile)];
}

/* Columns of several chips follow each other. */
static void fold_columns(fs_show *s, size_t run, chip *c) {
    const char *chips = fs_folder_setting(s->run[run], "machine.chips");
    const int64_t n = chips == NULL ? 1 : strtoll(chips, NULL, 10);
    c->chips = n > 1 && c->columns % n == 0 ? (size_t)n : 1;
    c->columns /= (int64_t)c->chips;
    c->columns = c->columns < 1 ? 1 : c->columns;
    c->folds = c->columns > 1 ? c->columns / 2 : 1;
    for (size_t i = 0; i < c->tiles; i++) {
        int64_t *shown = &c->shown[is_below(c, i)];
        if (strcmp(c->role[i], fs_role_unused) != 0 && c->row[i] >= *shown)
            *shown = c->row[i] + 1;
    }
    for (size_t i = 0; i < c->tiles; i++)
        c->beyond[is_below(c, i)] += !is_drawn(c, i);
    const double along = (double)c->folds * pitch, deep = (double)(c->shown[0] + c->shown[1]) + 2 * gap;
    c->side = deep - 2 * gap > along;
    c->breadth = c->side ? deep : along;
    c->drop = c->side ? along : deep;
    while (c->across * c->across < c->chips)
        c->across++;
    c->width = (double)c->across * (c->breadth + between) - between;
    const size_t down = (c->chips + c->across - 1) / c->across;
    c->height = (double)down * (c->drop + between) - between;
}

/* Where the chip's left upper corner is. */
static void corner_of(const chip *c, size_t at, double *x, double *y) {
    const size_t row = at / c->across;
    *x = (double)(at % c->across) * (c->breadth + between);
    *y = (double)row * (c->drop + between);
}

/* Where the middle of a tile's cell is: `along` the spine and `out` from it, first half below 0; from the
 * left upper corner. */
static void turn(const chip *c, double along, double out, double *x, double *y) {
    const double depth = (double)c->shown[0] + gap + out;
    *x = c->side ? depth : along;
    *y = c->side ? along : depth;
}

/* Raw columns fold about the exchange spine: half 0 above it, half 1 below, row 0 next to it
 * (models/chip/geometry.h). The four tiles of a super-tile stand side by side, the two of an exchange pair
 * (sub differs in bit 1) next to each other. On its side the chip has half 0 left of the spine and half 1
 * right of it. */
static void place_tiles(fs_show *s, chip *c) {
    c->x = FS_NEW(s->arena, double, c->tiles + 1);
    c->y = FS_NEW(s->arena, double, c->tiles + 1);
    c->tile_of = FS_NEW(s->arena, size_t, c->tiles + 1);
    for (size_t i = 0; i < c->tiles; i++) {
        const int64_t column = c->column[i] % c->columns;
        const bool below = is_below(c, i);
        const double fold = (double)(below ? c->columns - 1 - column : column),
                     along = fold * pitch + (double)((c->sub[i] & 1) * 2 + (c->sub[i] >> 1)) + 0.65,
                     out = (below ? 1 : -1) * ((double)c->row[i] + spine);
        double x, y, left, top;
        if (!is_drawn(c, i))
            continue;
        turn(c, along, out, &x, &y);
        corner_of(c, (size_t)(c->column[i] / c->columns), &left, &top);
        c->x[c->drawn] = x + left;
        c->y[c->drawn] = y + top;
        c->tile_of[c->drawn++] = i;
    }
}

fs_status fs_show_places_read(fs_show *s, size_t run, const char *file, fs_show_places *to, fs_error *err) {
    if (read_places(s, run, file, to, err) == FS_OK && to->role != NULL && to->tiles > 0) {
        fold_columns(s, run, to);
        place_tiles(s, to);
    }
    return err->status;
}

/* ---- what stands around them ---- */

static void mark_text(fs_show *s, fs_panel *panel, double x, double y, const char *text, int side) {
    fs_panel_mark(s->sheet, panel,
                  (fs_chart_mark){.kind = FS_MARK_TEXT, .x = x, .y = y, .text = text, .side = side});
}

/* Every how many columns or rows a number stands: those that are `size` tiles apart, where a number takes
 * `room` of them. */
static int64_t every(double size, double room) {
    return size >= room ? 1 : (int64_t)(room / size) + 1;
}

/* Numbers of columns outside the chip, of rows before the first column, of a chip that stands alone. */
static void number_places(fs_show *s, fs_panel *panel, const chip *c) {
    const double tile = 960 / c->width > 34 ? 34 : 960 / c->width; /* dots of a tile, about */
    const int64_t columns = every(pitch * tile, c->side ? 13 : 40), rows = every(tile, c->side ? 24 : 14);
    double x, y;
    for (int64_t k = 0; k < c->columns; k++) {
        const bool below = k >= c->folds;
        const int64_t along = below ? c->columns - 1 - k : k;
        if (along % columns != 0 || c->shown[below] == 0)
            continue;
        turn(c, (double)along * pitch + 2.15, (below ? 1 : -1) * ((double)c->shown[below] + gap + 0.3), &x,
             &y);
        mark_text(s, panel, x, y, fs_arena_printf(s->arena, "col %lld", (long long)k),
                  c->side ? (below ? 1 : -1) : 0);
    }
    for (int half = 0; half < 2; half++)
        for (int64_t r = 0; r < c->shown[half]; r += rows) {
            turn(c, -0.4, (half == 1 ? 1 : -1) * ((double)r + spine), &x, &y);
            mark_text(s, panel, x, y, fs_arena_printf(s->arena, "%lld", (long long)r), c->side ? 0 : -1);
        }
    turn(c, -0.4, -((double)c->shown[0] + gap + 0.3), &x, &y);
    mark_text(s, panel, x, y, "row", -1);
}

static void add_outline(fs_show *s, fs_panel *panel, const chip *c) {
    for (size_t k = 0; k < c->chips; k++) {
        double left, top, x, y, x2, y2;
        corner_of(c, k, &left, &top);
        turn(c, 0, -0.35, &x, &y);
        turn(c, (double)c->folds * pitch, 0.35, &x2, &y2);
        fs_panel_mark(
            s->sheet, panel,
            (fs_chart_mark){
                .kind = FS_MARK_GROUND, .x = left + x, .y = top + y, .x2 = left + x2, .y2 = top + y2});
        if (c->chips == 1)
            continue;
        fs_panel_mark(s->sheet, panel,
                      (fs_chart_mark){.kind = FS_MARK_BOX,
                                      .x = left - 0.3,
                                      .y = top - 0.1,
                                      .x2 = left + c->breadth + 0.3,
                                      .y2 = top + c->drop + 0.1});
        mark_text(s, panel, left, top - 1, fs_arena_printf(s->arena, "chip %zu", k), 1);
    }
}

void fs_show_frame(fs_show *s, fs_panel *panel, const fs_show_places *c, bool numbered) {
    numbered = numbered && c->chips == 1;
    const double beside = numbered ? (c->side ? 2.2 : 1.6) : 0.3,
                 above = numbered || c->chips > 1 ? 1.6 : 0.2;
    panel->x = (fs_axis){.low = -beside, .high = c->width + (c->side || !numbered ? beside : 0.3)};
    panel->y =
        (fs_axis){.low = -above, .high = c->height + (numbered && !c->side ? above : 0.2), .down = true};
    panel->flat = (panel->y.high - panel->y.low) / (panel->x.high - panel->x.low);
    panel->tall = 34 * (panel->y.high - panel->y.low); /* a tile no larger than letters in it need */
    panel->tall = panel->tall > 720 ? 720 : panel->tall;
    add_outline(s, panel, c);
    if (numbered)
        number_places(s, panel, c);
}
