/* Frames of a path: figures, table, page. */
#include "models/ipu/tables/frames.h"

#include "sim/base/arith.h"
#include "sim/base/quantile.h"
#include "sim/results/row.h"

#include <math.h>
#include <string.h>

/* ---- figures ---- */

/* Seconds between the picture of a frame and the one before; the first's: since it began. */
static double interval_of(const fs_frame *frame, uint32_t number, double clock) {
    const uint64_t before = number == 0 ? frame[0].begun : frame[number - 1].taken;
    return (double)(frame[number].taken - before) / clock;
}

static bool is_late(const fs_run_path *p, const fs_frame *frame, uint32_t number, double clock) {
    return interval_of(frame, number, clock) > p->budget;
}

/* Share of the time until the last picture in which more than one frame was under way. Frames begin in their order: beside an
 * earlier one a frame is until it is complete, or the last of the earlier ones. */
static double overlap_of(const fs_frame *frame, uint32_t count) {
    uint64_t both = 0, until = 0, earlier = frame[0].complete;
    for (uint32_t f = 1; f < count; f++) {
        const uint64_t begin = fs_most(frame[f].begun, until), end = fs_least(frame[f].complete, earlier);
        both += end > begin ? end - begin : 0;
        until = fs_most(until, end);
        earlier = fs_most(earlier, frame[f].complete);
    }
    return (double)both / (double)(frame[count - 1].taken - frame[0].begun);
}

fs_frames_figures fs_frames_figures_of(const fs_run_path *p, const fs_frame *frame, uint32_t count,
                                       double clock) {
    fs_frames_figures f = {.per_second = NAN,
                           .interval = NAN,
                           .latency_p50 = NAN,
                           .latency_p95 = NAN,
                           .latency_max = NAN,
                           .overlap = NAN,
                           .budget = NAN};
    if (count == 0)
        return f;
    double latency[FS_FRAMES_MOST];
    for (uint32_t i = 0; i < count; i++) {
        latency[i] = (double)(frame[i].taken - frame[i].begun) / clock;
        f.over_budget += is_late(p, frame, i, clock);
    }
    f.count = count;
    f.shown = p->late == FS_LATE_DROP ? count - f.over_budget : count;
    f.budget = p->budget;
    f.latency_p50 = fs_quantile_nearest(latency, count, 0.5);
    f.latency_p95 = fs_quantile_nearest(latency, count, 0.95);
    f.latency_max = fs_quantile_nearest(latency, count, 1);
    f.overlap = overlap_of(frame, count);
    f.interval =
        count > 1 ? (double)(frame[count - 1].taken - frame[0].taken) / clock / (count - 1) : f.latency_max;
    f.per_second = (double)f.shown / (double)count / f.interval;
    return f;
}

#define FS_ROWS_OF fs_frames_figures
static const fs_stat rows[] = {
    FS_WHOLE("frames.count", count, "frames", "of a path that the host has; 0: the run has none", FS_MORE),
    FS_WHOLE("frames.shown", shown, "frames",
             "of them those that are shown: with run.path.late drop none is late"),
    FS_VALUE("frames.per_second", per_second, "frames/s",
             "pictures shown a second, from the first frame taken to the last; null without a path, as all "
             "of these",
             FS_MORE, FS_AT(105, "frames of the path a second")),
    FS_VALUE("frames.interval", interval, "s", "mean time from picture to picture", FS_LESS),
    FS_VALUE("frames.latency_p50", latency_p50, "s",
             "half of the frames take no longer from first ray to picture at the host", FS_LESS,
             FS_AT(106, "latency of a frame")),
    FS_VALUE("frames.latency_p95", latency_p95, "s", "95 % take no longer", FS_LESS),
    FS_VALUE("frames.latency_max", latency_max, "s", "and the slowest", FS_LESS),
    FS_WHOLE("frames.over_budget", over_budget, "frames", "later than run.path.budget after the one before",
             FS_LESS),
    FS_SHARE("frames.overlap", overlap, "share of the time in which more than one frame was under way"),
    FS_VALUE("frames.budget", budget, "s", "run.path.budget"),
};
const fs_stat_table fs_frames_stats = FS_STAT_TABLE("frames of a path", rows);

/* ---- table ---- */

fs_status fs_frames_write(const fs_run_path *p, const fs_frame *frame, uint32_t count, double clock,
                          fs_results *results, fs_error *err) {
    static const char columns[] =
        "frame, begun cycles, make cycles, drain cycles, host cycles, taken cycles, interval us, latency us, "
        "budget us, late, iterations iterations, after cycles";
    fs_row_table t;
    if (count == 0)
        return FS_OK;
    if (fs_row_table_begin(&t, results, "frames.csv", columns, err))
        return err->status;
    for (uint32_t i = 0; i < count; i++) {
        const fs_frame *f = &frame[i];
        FS_ROW(&t, i, f->begun, f->made - f->begun, f->complete > f->made ? f->complete - f->made : 0,
               f->taken - f->complete, f->taken, llrint(1e6 * interval_of(frame, i, clock)),
               llrint(1e6 * (double)(f->taken - f->begun) / clock), llrint(1e6 * p->budget),
               is_late(p, frame, i, clock), f->iterations, frame[count - 1].taken - f->taken);
    }
    return fs_row_table_close(&t, err);
}

/* ---- what must fall ---- */

static const char *words_of(const fs_plan_rung *said, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(said[i].name, name) == 0)
            return said[i].said;
    return name;
}

void fs_frames_find(const fs_frames_figures *f, const fs_plan_rung *said, size_t said_count,
                    const fs_rung *rungs, size_t rung_count, fs_findings *out) {
    const fs_rung *best = NULL, *all = NULL;
    if (f->count == 0 || rung_count == 0 || rungs[0].cycles == 0)
        return;
    for (size_t i = 1; i < rung_count; i++) {
        if (rungs[i].name == NULL)
            continue;
        if (strcmp(rungs[i].name, "all") == 0)
            all = &rungs[i];
        else if (best == NULL || rungs[i].cycles < best->cycles)
            best = &rungs[i];
    }
    const double scale = f->interval / (double)rungs[0].cycles,
                 left = best != NULL ? scale * (double)best->cycles : (double)NAN,
                 end = all != NULL ? scale * (double)all->cycles : (double)NAN;
    FS_FIND(out, "budget",
            "{over_budget|whole} of {count|whole} pictures come later than {budget|s} after the one before, "
            "on average after {interval|s}[; {@best} alone would leave {best|s}[@enough?, within the "
            "budget]][; all rungs of the ladder together {all|s}[@short?, which is not enough]].",
            FS_IS("over_budget", f->over_budget), FS_IS("count", f->count), FS_IS("budget", f->budget),
            FS_IS("interval", f->interval), FS_IS("best", left), FS_IS("all", end),
            FS_IS("@best", best != NULL ? words_of(said, said_count, best->name) : ""),
            FS_IS("@enough", f->interval > f->budget && left <= f->budget), FS_IS("@short", end > f->budget));
}

/* ---- page ---- */

static const fs_plan_column line[] = {
    FS_PAGE_COLUMN("frame", "frame", .form = "whole"),
    FS_PAGE_COLUMN("begun make drain host after", "before making draining host after", .form = "stack",
                   .unit = "cycles", .colour = "idle compute exchange sync idle"),
    FS_PAGE_COLUMN("latency", "latency", .unit = "ms", .scale = 1e-3, .form = "short"),
    FS_PAGE_COLUMN("interval", "after the one before", .unit = "ms", .scale = 1e-3, .form = "bar"),
    FS_PAGE_COLUMN("budget", "budget", .unit = "ms", .scale = 1e-3, .form = "short"),
};
#define OF_A_PATH "run.path.in_flight!=0"
const fs_plan_section fs_frames_section = FS_PAGE_ONE_WHEN(
    OF_A_PATH, "table", "frames", "Frames of the path", "frames.csv", NULL, "budget", line,
    .title = "{@rows} frames over the time of the run, each from its first ray to its picture at the host");

static const fs_plan_column between[] = {
    FS_PAGE_COLUMN("interval", "from picture to picture", .unit = "µs", .form = "line", .colour = "compute"),
    FS_PAGE_COLUMN("latency", "from first ray to picture", .unit = "µs", .form = "line",
                   .colour = "exchange"),
    FS_PAGE_COLUMN("budget", "budget", .unit = "µs", .form = "line", .colour = "ink"),
};
const fs_plan_section fs_frames_intervals =
    FS_PAGE_ONE_WHEN(OF_A_PATH, "series", "intervals", "Frames against the budget", "frames.csv", NULL, NULL,
                     between, .label = "{@scale}µs",
                     .title = "Time from picture to picture, and from first ray to picture", .form = "lines");
