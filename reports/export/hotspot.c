/* A floorplan and the power of its units over time, for HotSpot: of a chip of tiles that wrote watts.csv and
 * energy_tiles.csv.
 *
 * The die is a square of the chip's area. Raw columns of super-tiles fold about the spine, which has what no tile has
 * (machine.area.fixed); above it lies half 0, below it half 1, each row 0 next to it (models/chip/geometry.h). A tile's power
 * is the chip's, part by part, times its share of the run's energy of that part; what no tile has is the spine's. So the
 * sum of a row is the chip's power, and that of all rows times their interval energy.csv. */
#include "reports/export/export.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "sim/host/voice.h"
#include "sim/yaml/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_UNITS = 5000, /* a line of HotSpot has 65,536 letters at most */
    MOST_ROWS = 1000,  /* intervals */
    MOST_PARTS = 16,
    MOST_CHIPS = 64
};

/* A part of the energy: of watts.csv, energy_tiles.csv and energy.csv. */
typedef struct part {
    const char *name;
    double *
        watts; /* [rows] of one chip, or of all that are joined; the interval before the first iteration first */
    double joules;       /* of the same */
    const int64_t *tile; /* [tiles] nJ */
    double tiles;        /* nJ of all */
} part;

typedef struct plan {
    fs_folder *run;
    fs_arena *arena;
    part parts[MOST_PARTS];
    size_t part_count;
    /* Time. */
    size_t rows;
    double *begin, *seconds; /* [rows] */
    double whole;            /* seconds */
    /* Places. */
    size_t tiles;
    const int64_t *tile, *column, *row, *sub;
    int64_t columns, height; /* raw columns of a chip, rows of super-tiles */
    int64_t wide;            /* tiles of a super-tile */
    size_t chips, joined;    /* chips of the machine; those that the tables are of */
    int64_t block;           /* cells along either side that are one unit */
    double side, spine;      /* m: of the die, of the spine's height */
} plan;

static double setting_of(const plan *p, const char *key, double usual) {
    const char *text = fs_folder_setting(p->run, key);
    const double value = text == NULL ? 0 : strtod(text, NULL);
    return value > 0 ? value : usual;
}

/* ---- what is read ---- */

static fs_status read_places(plan *p, fs_error *err) {
    const fs_csv *t = fs_folder_table(p->run, "energy_tiles.csv", err);
    const struct {
        const int64_t **to;
        const char *name;
    } wanted[] = {{&p->tile, "tile"}, {&p->column, "column"}, {&p->row, "row"}, {&p->sub, "sub"}};
    for (size_t i = 0; t != NULL && i < FS_COUNT(wanted); i++)
        if ((*wanted[i].to = fs_csv_ints(t, wanted[i].name, err)) == NULL)
            return err->status;
    if (t == NULL)
        return err->status;
    p->tiles = fs_csv_rows(t);
    p->columns = (int64_t)setting_of(p, "machine.geometry.columns", 1);
    p->wide = (int64_t)setting_of(p, "machine.geometry.tiles_per_supertile", 1);
    p->chips = (size_t)setting_of(p, "machine.chips", 1);
    int64_t most = 0;
    for (size_t i = 0; i < p->tiles; i++) {
        if (p->column[i] < 0 || p->row[i] < 0 || p->row[i] > 4096 || p->sub[i] < 0 || p->sub[i] >= p->wide)
            return fs_fail(err, FS_INPUT, "%s/energy_tiles.csv:%zu: no place on a chip",
                           fs_folder_path(p->run), i + 2);
        most = p->column[i] > most ? p->column[i] : most;
        p->height = p->row[i] >= p->height ? p->row[i] + 1 : p->height;
    }
    p->joined = (size_t)(most / p->columns) + 1;
    return p->joined > MOST_CHIPS ? fs_fail(err, FS_INPUT, "%s: expected at most %d chips, found %zu",
                                            fs_folder_path(p->run), MOST_CHIPS, p->joined)
                                  : FS_OK;
}

/* Times of the iterations, with what came before them. */
static fs_status read_times(plan *p, fs_error *err) {
    const fs_csv *t = fs_folder_table(p->run, "watts.csv", err);
    const int64_t *start = t == NULL ? NULL : fs_csv_ints(t, "start", err),
                  *cycles = start == NULL ? NULL : fs_csv_ints(t, "cycles", err);
    const double seconds = fs_folder_number(p->run, "device.seconds"),
                 all = fs_folder_number(p->run, "device.cycles");
    if (cycles == NULL)
        return err->status;
    p->rows = fs_csv_rows(t) + 1;
    p->begin = FS_NEW(p->arena, double, p->rows);
    p->seconds = FS_NEW(p->arena, double, p->rows);
    if (p->rows < 2 || !(seconds > 0) || !(all > 0))
        return fs_fail(err, FS_INPUT, "%s: expected a run with time and power, found none",
                       fs_folder_path(p->run));
    const double cycle = seconds / all;
    p->seconds[0] = (double)start[0] * cycle;
    for (size_t i = 1; i < p->rows; i++) {
        p->begin[i] = (double)start[i - 1] * cycle;
        p->seconds[i] = (double)cycles[i - 1] * cycle;
    }
    p->whole = p->begin[p->rows - 1] + p->seconds[p->rows - 1];
    return FS_OK;
}

/* nJ of a part by energy.csv, of what the tables are of. */
static double joules_of(const plan *p, const char *name, fs_error *err) {
    const fs_csv *t = fs_folder_table(p->run, "energy.csv", err);
    const char *const *names = t == NULL ? NULL : fs_csv_words(t, "part", err);
    const int64_t *energy = names == NULL ? NULL : fs_csv_ints(t, "energy", err);
    for (size_t i = 0; energy != NULL && i < fs_csv_rows(t); i++)
        if (strcmp(names[i], name) == 0)
            return (double)energy[i] * 1e-9 * (double)p->joined / (double)p->chips;
    return 0;
}

/* Watts of a part so that they make its energy: what the iterations lack came before them; whole milliwatts round. */
static void level(const plan *p, part *a) {
    double made = 0;
    for (size_t i = 1; i < p->rows; i++)
        made += a->watts[i] * p->seconds[i];
    if (a->joules > made && p->seconds[0] > 0)
        a->watts[0] = (a->joules - made) / p->seconds[0];
    const double with = made + a->watts[0] * p->seconds[0];
    for (size_t i = 0; i < p->rows; i++)
        a->watts[i] = with > 0 ? a->watts[i] * a->joules / with : a->joules / p->whole;
}

static fs_status read_parts(plan *p, fs_error *err) {
    enum { BEFORE = 3 }; /* iteration, start, cycles */
    const fs_csv *t = fs_folder_table(p->run, "watts.csv", err),
                 *e = fs_folder_table(p->run, "energy_tiles.csv", err);
    for (size_t k = BEFORE; t != NULL && e != NULL && k < fs_csv_columns(t) && p->part_count < MOST_PARTS;
         k++) {
        part *a = &p->parts[p->part_count++];
        a->name = fs_csv_column(t, k);
        const int64_t *watts = fs_csv_ints(t, a->name, err);
        a->tile = watts == NULL ? NULL : fs_csv_ints(e, a->name, err);
        if (a->tile == NULL)
            return err->status;
        a->watts = FS_NEW(p->arena, double, p->rows);
        for (size_t i = 1; i < p->rows; i++)
            a->watts[i] = (double)watts[i - 1] * 1e-3;
        a->joules = joules_of(p, a->name, err);
        for (size_t i = 0; i < p->tiles; i++)
            a->tiles += (double)a->tile[i];
        level(p, a);
    }
    return err->status;
}

/* ---- units ---- */

/* Cells of the die: tiles along the spine, rows of both halves. */
static int64_t along_of(const plan *p) {
    return (p->columns > 1 ? p->columns / 2 : 1) * p->wide;
}

static int64_t halves_of(const plan *p) {
    return p->columns > 1 ? 2 : 1;
}

/* The cell of a tile: along from the left, deep from the top. */
static void cell_of(const plan *p, size_t i, int64_t *along, int64_t *deep) {
    const int64_t column = p->column[i] % p->columns, folds = p->columns > 1 ? p->columns / 2 : 1;
    const bool below = column >= folds;
    const int64_t fold = below ? p->columns - 1 - column : column;
    const int64_t beside = p->wide == 4 ? (p->sub[i] & 1) * 2 + (p->sub[i] >> 1) : p->sub[i];
    *along = (fold < folds ? fold : folds - 1) * p->wide + beside;
    *deep = below ? p->height + p->row[i] : p->height - 1 - p->row[i];
}

/* Units of cells: as many along, and of each half as many deep. */
static int64_t blocks(int64_t cells, int64_t block) {
    return (cells + block - 1) / block;
}

static int64_t unit_of(const plan *p, size_t i) {
    int64_t along, deep;
    cell_of(p, i, &along, &deep);
    const int64_t half = deep / p->height, within = deep % p->height;
    return (half * blocks(p->height, p->block) + within / p->block) * blocks(along_of(p), p->block) +
           along / p->block;
}

static int64_t units_of(const plan *p) {
    return halves_of(p) * blocks(p->height, p->block) * blocks(along_of(p), p->block);
}

static fs_status size_die(plan *p, fs_error *err) {
    static const double thinnest = 1e-3; /* of the side: what no tile has needs a place */
    const double chip = fs_folder_number(p->run, "area.mm2_chip");
    const char *text = fs_folder_setting(p->run, "machine.area.fixed");
    double fixed = 0;
    if (text != NULL && fs_quantity_real(text, FS_UNIT_SQUARE_MM, &fixed) != FS_QUANTITY_OK)
        fixed = 0;
    if (!(chip > 0))
        return fs_fail(err, FS_INPUT,
                       "%s: expected the area of a chip, found none: the process has no prices",
                       fs_folder_path(p->run));
    p->side = sqrt(chip) * 1e-3;
    p->spine = fixed > 0 && fixed < chip ? fixed * 1e-6 / p->side : p->side * thinnest;
    for (p->block = 1; units_of(p) + 1 > MOST_UNITS; p->block++)
        ;
    if (p->block > 1)
        fs_say("%s cells of the die are more units than HotSpot takes on a line: blocks of %" PRId64
               " x %" PRId64 " cells are a unit each",
               fs_number_grouped((double)(along_of(p) * p->height * halves_of(p))), p->block, p->block);
    return FS_OK;
}

/* Names of the units: that of their tile, else a block's; a cell without a tile is a rest. */
static const char **name_units(const plan *p, size_t chip) {
    const int64_t units = units_of(p);
    const char **name = FS_NEW(p->arena, const char *, (size_t)units + 1);
    for (int64_t u = 0; u < units; u++)
        name[u] = fs_arena_printf(p->arena, "rest_%" PRId64, u + 1);
    for (size_t i = 0; i < p->tiles; i++)
        if ((size_t)(p->column[i] / p->columns) == chip)
            name[unit_of(p, i)] = p->block == 1 ? fs_arena_printf(p->arena, "tile_%" PRId64, p->tile[i])
                                                : fs_arena_printf(p->arena, "block_%" PRId64, unit_of(p, i));
    name[units] = "rest_0";
    return name;
}

/* ---- files ---- */

static void write_unit(FILE *out, const char *name, double width, double height, double x, double y) {
    fprintf(out, "%s\t%.9f\t%.9f\t%.9f\t%.9f\n", name, width, height, x, y);
}

/* Edges of cells are worked out once for both that meet there, so that units leave no gap. */
static double edge(double from, double size, int64_t cells, int64_t at) {
    return floor((from + size * (double)at / (double)cells) * 1e9 + 0.5) * 1e-9;
}

static void write_plan(const plan *p, const char *const *name, FILE *out) {
    const int64_t along = along_of(p), wide = blocks(along, p->block), deep = blocks(p->height, p->block);
    const double half = (p->side - p->spine) / (double)halves_of(p);
    fprintf(out, "# %s: %s x %s mm, metres; rest_0 is the spine with all that no tile has\n",
            fs_folder_label(p->run), fs_number_short(p->side * 1e3, 4), fs_number_short(p->side * 1e3, 4));
    for (int64_t h = 0; h < halves_of(p); h++)
        for (int64_t d = 0; d < deep; d++)
            for (int64_t a = 0; a < wide; a++) {
                const double top = h == 0 ? p->side : half;
                const int64_t last_a = (a + 1) * p->block < along ? (a + 1) * p->block : along,
                              last_d = (d + 1) * p->block < p->height ? (d + 1) * p->block : p->height;
                const double left = edge(0, p->side, along, a * p->block),
                             right = edge(0, p->side, along, last_a),
                             above = edge(top, -half, p->height, d * p->block),
                             below = edge(top, -half, p->height, last_d);
                write_unit(out, name[(h * deep + d) * wide + a], right - left, above - below, left, below);
            }
    const double low = halves_of(p) > 1 ? edge(half, 0, 1, 0) : 0, high = edge(p->side, -half, 1, 1);
    write_unit(out, name[wide * deep * halves_of(p)], edge(0, p->side, 1, 1), high - low, 0, low);
}

/* Watts of a part in an interval: the mean over the iterations that lie in it. */
static double mean_of(const plan *p, const part *a, double from, double to) {
    double joules = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const double begin = p->begin[i] > from ? p->begin[i] : from, end = p->begin[i] + p->seconds[i];
        const double inside = (end < to ? end : to) - begin;
        joules += inside > 0 ? inside * a->watts[i] : 0;
    }
    return joules / (to - from);
}

/* shares: [parts][units + 1] of each part's energy, all chips 1. */
static void share_out(const plan *p, size_t chip, double *shares) {
    const size_t units = (size_t)units_of(p) + 1;
    for (size_t k = 0; k < p->part_count; k++) {
        const part *a = &p->parts[k];
        double *share = shares + k * units;
        for (size_t i = 0; i < p->tiles; i++)
            if ((size_t)(p->column[i] / p->columns) == chip && a->joules > 0)
                share[unit_of(p, i)] +=
                    (double)a->tile[i] * 1e-9 / (a->joules > a->tiles * 1e-9 ? a->joules : a->tiles * 1e-9);
        const double rest = a->joules > 0 ? 1 - a->tiles * 1e-9 / a->joules : 1;
        share[units - 1] = (rest > 0 ? rest : 0) / (double)p->joined;
    }
}

static void write_power(const plan *p, size_t chip, const char *const *name, double interval, size_t rows,
                        FILE *out) {
    const size_t units = (size_t)units_of(p) + 1;
    double *shares = FS_NEW(p->arena, double, p->part_count *units + 1), watts[MOST_PARTS];
    share_out(p, chip, shares);
    for (size_t u = 0; u < units; u++)
        fprintf(out, "%s%c", name[u], u + 1 < units ? '\t' : '\n');
    for (size_t r = 0; r < rows; r++) {
        for (size_t k = 0; k < p->part_count; k++)
            watts[k] = mean_of(p, &p->parts[k], (double)r * interval, (double)(r + 1) * interval);
        for (size_t u = 0; u < units; u++) {
            double sum = 0;
            for (size_t k = 0; k < p->part_count; k++)
                sum += watts[k] * shares[k * units + u];
            fprintf(out, "%.6e%c", sum, u + 1 < units ? '\t' : '\n');
        }
    }
}

static void write_chip(const plan *p, size_t chip, fs_export_files *files) {
    const char *stem = p->joined == 1
                           ? fs_folder_label(p->run)
                           : fs_arena_printf(p->arena, "%s-chip-%zu", fs_folder_label(p->run), chip);
    const size_t rows = p->rows - 1 < MOST_ROWS ? p->rows - 1 : MOST_ROWS;
    const double interval = p->whole / (double)rows;
    const char **name = name_units(p, chip);
    fs_memory memory;
    write_plan(p, name, fs_memory_open(&memory));
    fs_export_add(files, fs_arena_printf(p->arena, "%s.flp", stem), &memory);
    write_power(p, chip, name, interval, rows, fs_memory_open(&memory));
    fs_export_add(files, fs_arena_printf(p->arena, "%s.ptrace", stem), &memory);
    fprintf(fs_memory_open(&memory), "# seconds of a line of %s.ptrace\n-sampling_intvl\t%.9e\n", stem,
            interval);
    fs_export_add(files, fs_arena_printf(p->arena, "%s.config", stem), &memory);
}

fs_status fs_export_hotspot(fs_folder *const *runs, size_t count, fs_export_files *files, fs_error *err) {
    plan p = {.run = runs[0], .arena = files->arena};
    size_t settings;
    if (count > 1)
        return fs_fail(err, FS_INPUT, "--as hotspot: expected one run, found %zu", count);
    if (!fs_folder_has(p.run, "watts.csv") || !fs_folder_has(p.run, "energy_tiles.csv"))
        return fs_fail(
            err, FS_INPUT,
            "%s: expected a run of a chip of tiles, which writes watts.csv and energy_tiles.csv; found none",
            fs_folder_path(p.run));
    if (fs_folder_settings(p.run, &settings, err) == NULL || read_places(&p, err) || read_times(&p, err) ||
        read_parts(&p, err) || size_die(&p, err))
        return err->status;
    for (size_t chip = 0; chip < p.joined; chip++)
        write_chip(&p, chip, files);
    return FS_OK;
}
