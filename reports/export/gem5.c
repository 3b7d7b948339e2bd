/* stats.txt: a line a figure, `system.` before its name; a distribution as its parts behind two colons. */
#include "reports/export/export.h"
#include "sim/base/arith.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BUCKETS = 16 };

/* Units as gem5 writes them. */
static const char *unit_of(const char *unit) {
    static const char *const names[][2] = {{"cycles", "Cycle"},
                                           {"s", "Second"},
                                           {"B", "Byte"},
                                           {"J", "Joule"},
                                           {"W", "Watt"},
                                           {"Hz", "Hertz"},
                                           {"B/s", "(Byte/Second)"},
                                           {"B/cycle", "(Byte/Cycle)"},
                                           {"flits/cycle", "(Count/Cycle)"},
                                           {"%", "Ratio"}};
    for (size_t i = 0; i < FS_COUNT(names); i++)
        if (strcmp(unit, names[i][0]) == 0)
            return names[i][1];
    return unit[0] == '\0' ? "Unspecified" : "Count";
}

static void put(FILE *out, const char *name, const char *value, const char *share, const char *sum,
                const char *about, const char *unit) {
    fprintf(out, "%-40s %12s %10s %10s # %s (%s)\n", name, value, share, sum, about, unit);
}

/* Whole numbers without a point, others with six decimals. */
static const char *number(fs_arena *arena, double value, bool whole) {
    return isnan(value) ? "nan" : fs_arena_printf(arena, whole ? "%.0f" : "%.6f", value);
}

static void put_time(FILE *out, fs_arena *arena, const fs_folder *run) {
    const double seconds = fs_folder_number(run, "device.seconds");
    const char *ticks = number(arena, floor(seconds * 1e12 + 0.5), true);
    put(out, "simSeconds", number(arena, seconds, false), "", "", "Number of seconds simulated", "Second");
    put(out, "simTicks", ticks, "", "", "Number of ticks simulated", "Tick");
    put(out, "finalTick", ticks, "", "", "Number of ticks from beginning of simulation", "Tick");
    put(out, "simFreq", "1000000000000", "", "", "The number of ticks per simulated second", "(Tick/Second)");
}

/* ---- distributions ---- */

/* The rows of one name, ascending. */
typedef struct spread {
    const char *name;
    const int64_t *value, *count;
    size_t rows;
} spread;

static void put_spread(FILE *out, fs_arena *arena, const spread *s) {
    double samples = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < s->rows; i++) {
        samples += (double)s->count[i];
        sum += (double)s->count[i] * (double)s->value[i];
    }
    const double mean = sum / samples;
    for (size_t i = 0; i < s->rows; i++)
        squares += (double)s->count[i] * ((double)s->value[i] - mean) * ((double)s->value[i] - mean);
    const char *name = fs_arena_printf(arena, "system.%s", s->name), *about = "distribution of the run";
    put(out, fs_arena_printf(arena, "%s::samples", name), number(arena, samples, true), "", "", about,
        "Count");
    put(out, fs_arena_printf(arena, "%s::mean", name), number(arena, mean, false), "", "", about,
        "Unspecified");
    put(out, fs_arena_printf(arena, "%s::stdev", name),
        number(arena, samples > 1 ? sqrt(squares / (samples - 1)) : (double)NAN, false), "", "", about,
        "Unspecified");
    int64_t width = 1;
    while (s->value[s->rows - 1] / width >= BUCKETS)
        width *= 2;
    double before = 0;
    size_t i = 0;
    for (int64_t from = 0; i < s->rows && samples > 0; from += width) {
        double inside = 0;
        for (; i < s->rows && s->value[i] < from + width; i++)
            inside += (double)s->count[i];
        before += inside;
        put(out,
            width == 1 ? fs_arena_printf(arena, "%s::%" PRId64, name, from)
                       : fs_arena_printf(arena, "%s::%" PRId64 "-%" PRId64, name, from, from + width - 1),
            number(arena, inside, true), fs_arena_printf(arena, "%.2f%%", 100 * inside / samples),
            fs_arena_printf(arena, "%.2f%%", 100 * before / samples), about, "Count");
    }
    put(out, fs_arena_printf(arena, "%s::total", name), number(arena, samples, true), "", "", about, "Count");
}

static fs_status put_spreads(FILE *out, fs_arena *arena, fs_folder *run, fs_error *err) {
    if (!fs_folder_has(run, "distributions.csv"))
        return FS_OK;
    const fs_csv *t = fs_folder_table(run, "distributions.csv", err);
    const char *const *names = t == NULL ? NULL : fs_csv_words(t, "name", err);
    const int64_t *value = names == NULL ? NULL : fs_csv_ints(t, "value", err);
    const int64_t *count = value == NULL ? NULL : fs_csv_ints(t, "count", err);
    if (count == NULL)
        return err->status;
    const size_t rows = fs_csv_rows(t);
    for (size_t i = 0, end; i < rows; i = end) {
        for (end = i + 1; end < rows && strcmp(names[end], names[i]) == 0; end++)
            ;
        if (value[i] >= 0)
            put_spread(out, arena, &(spread){names[i], value + i, count + i, end - i});
    }
    return FS_OK;
}

fs_status fs_export_gem5(fs_folder *const *runs, size_t count, fs_export_files *files, fs_error *err) {
    if (count > 1)
        return fs_fail(err, FS_INPUT, "--as gem5: expected one run, found %zu", count);
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    size_t figures;
    const fs_figure *f = fs_folder_figures(runs[0], &figures);
    fputs("\n---------- Begin Simulation Statistics ----------\n", out);
    put_time(out, files->arena, runs[0]);
    for (size_t i = 0; i < figures; i++)
        if (f[i].kind != FS_FIGURE_WORD)
            put(out, fs_arena_printf(files->arena, "system.%s", f[i].name),
                number(files->arena, f[i].value, f[i].whole || f[i].kind == FS_FIGURE_FLAG), "", "",
                f[i].description[0] == '\0' ? f[i].name : f[i].description, unit_of(f[i].unit));
    put_spreads(out, files->arena, runs[0], err);
    fputs("\n---------- End Simulation Statistics   ----------\n", out);
    fs_export_add(files, "stats.txt", &memory);
    return err->status;
}
