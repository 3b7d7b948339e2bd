/* What is known of each figure, and how its values and differences are said. */
#include "reports/compare.h"

#include <math.h>
#include <string.h>

#define LESS    FS_BETTER_LESS
#define MORE    FS_BETTER_MORE
#define NEITHER FS_BETTER_NEITHER
#define PERCENT FS_DIFFERENCE_PERCENT
#define POINTS  FS_DIFFERENCE_POINTS
#define UNIT    FS_DIFFERENCE_UNIT

/* In the order of the main table. A frame that is never done takes for ever; the PSNR of equal pictures has
 * no bound; a period needs two frames. */
static const fs_figure_rule rules[] = {
    {"device.seconds", "time on the device", LESS, PERCENT, INFINITY},
    {"worst.device.seconds", "time of the worst view", LESS, PERCENT, INFINITY},
    {"device.frame_period_seconds", "time between frames", LESS, PERCENT, NAN},
    {"device.cycles", "cycles", LESS, PERCENT, NAN},
    {"device.iterations", "iterations", LESS, PERCENT, NAN},
    {"device.cycles_per_iteration", "cycles an iteration", LESS, PERCENT, NAN},
    {"device.cycles_compute", "compute", LESS, PERCENT, NAN},
    {"device.cycles_exchange", "exchange", LESS, PERCENT, NAN},
    {"device.cycles_sync", "sync", LESS, PERCENT, NAN},
    {"device.cycles_host", "host", LESS, PERCENT, NAN},
    {"parts.injection_cycles", "injection, cycles", LESS, PERCENT, NAN},
    {"parts.steady_cycles", "steady, cycles", LESS, PERCENT, NAN},
    {"parts.drain_cycles", "drain, cycles", LESS, PERCENT, NAN},
    {"parts.injection_iterations", "injection, iterations", LESS, PERCENT, NAN},
    {"parts.steady_iterations", "steady, iterations", LESS, PERCENT, NAN},
    {"parts.drain_iterations", "drain, iterations", LESS, PERCENT, NAN},
    {"pace.tracer", "pace set by a tracer", NEITHER, POINTS, NAN},
    {"pace.router", "pace set by a router", NEITHER, POINTS, NAN},
    {"pace.generator", "pace set by the generator", NEITHER, POINTS, NAN},
    {"pace.camera_tile", "pace set by the camera's shard", NEITHER, POINTS, NAN},
    {"rays.finished", "rays finished", MORE, PERCENT, NAN},
    {"rays.dropped", "rays dropped", LESS, PERCENT, NAN},
    {"rays.spilled", "spills", LESS, PERCENT, NAN},
    {"rays.misrouted", "misrouted visits", LESS, PERCENT, NAN},
    {"hops.tracer_mean", "tracer visits of a ray", LESS, PERCENT, NAN},
    {"hops.router_mean", "router visits of a ray", LESS, PERCENT, NAN},
    {"hops.delivery_mean", "delivery hops of a ray", LESS, PERCENT, NAN},
    {"hops.alive_mean", "iterations alive, mean", LESS, PERCENT, NAN},
    {"hops.alive_p99", "iterations alive, 99 %", LESS, PERCENT, NAN},
    {"hops.waiting_mean", "iterations waiting, mean", LESS, PERCENT, NAN},
    {"hops.waiting_max", "iterations waiting, most", LESS, PERCENT, NAN},
    {"coverage", "pixels written", MORE, POINTS, NAN},
    {"image.psnr_db", "PSNR", MORE, UNIT, INFINITY},
    {"tiles.tracers", "tracer tiles", LESS, PERCENT, NAN},
    {"tiles.routers", "router tiles", LESS, PERCENT, NAN},
    {"tiles.spare", "spare tiles", MORE, PERCENT, NAN},
    {"memory.peak_bytes", "SRAM of the fullest tile", LESS, PERCENT, NAN},
    /* Not in the main table. */
    {"device.frame_latency_seconds", NULL, LESS, PERCENT, INFINITY},
    {"device.frame_latency_iterations", NULL, LESS, PERCENT, INFINITY},
    {"device.", NULL, LESS, PERCENT, NAN},
    {"parts.", NULL, LESS, PERCENT, NAN},
    {"rays.in_flight", NULL, LESS, PERCENT, NAN},
    {"rays.crossings", NULL, LESS, PERCENT, NAN},
    {"rays.hops", NULL, LESS, PERCENT, NAN},
    {"hops.", NULL, LESS, PERCENT, NAN},
    {"image.psnr_float_db", NULL, MORE, UNIT, INFINITY},
    {"image.ssim", NULL, MORE, PERCENT, NAN},
    {"image.exact", NULL, MORE, PERCENT, NAN},
    {"complete", NULL, MORE, PERCENT, NAN},
    {"pace.camera_tile_cycles", NULL, LESS, PERCENT, NAN},
    {"pace.camera_tile_rays", NULL, LESS, PERCENT, NAN},
};
enum { RULES = sizeof rules / sizeof *rules };

const fs_figure_rule *fs_figure_rule_of(const char *name) {
    for (size_t i = 0; i < RULES; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    if (strncmp(name, "worst.", 6) == 0) /* of several views */
        return fs_figure_rule_of(name + 6);
    for (size_t i = 0; i < RULES; i++) {
        size_t n = strlen(rules[i].name);
        if (rules[i].name[n - 1] == '.' && strncmp(rules[i].name, name, n) == 0)
            return &rules[i];
    }
    return NULL;
}

const fs_figure_rule *fs_figure_rule_main(size_t i) {
    return i < RULES && rules[i].label != NULL ? &rules[i] : NULL;
}

/* ---- differences ---- */

double fs_compare_percent(const fs_figure_rule *rule, double base, double value) {
    double stand_in = rule == NULL ? NAN : rule->null_is;
    base = isnan(base) ? stand_in : base;
    value = isnan(value) ? stand_in : value;
    if (isnan(base) || isnan(value))
        return NAN;
    if (base == value)
        return 0;
    if (isinf(base)) /* from "for ever" to a number: all of it */
        return -100;
    if (base == 0 || isinf(value))
        return value > base ? INFINITY : -INFINITY;
    return 100 * (value - base) / fabs(base);
}

double fs_compare_worse(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *base = figure->values[c->base], *value = figure->values[run];
    if (base == NULL || value == NULL)
        return NAN;
    if (base->kind == FS_FIGURE_WORD || value->kind == FS_FIGURE_WORD)
        return strcmp(base->text, value->text) == 0 ? 0 : INFINITY;
    double percent = fs_compare_percent(figure->rule, base->value, value->value);
    if (isnan(percent)) /* null in one of the two only is a change */
        return isnan(base->value) == isnan(value->value) ? 0 : INFINITY;
    fs_better better = figure->rule == NULL ? FS_BETTER_NEITHER : figure->rule->better;
    double worse = better == FS_BETTER_LESS ? percent : better == FS_BETTER_MORE ? -percent : fabs(percent);
    return worse > 0 ? worse : 0;
}

/* ---- texts ---- */

/* Digits in groups of three: "1,234,567". */
static const char *grouped(fs_arena *arena, double value) {
    char digits[48], out[64];
    snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t n = strlen(digits), k = 0;
    if (value < 0 && strcmp(digits, "0") != 0)
        out[k++] = '-';
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = '\0';
    return fs_arena_strdup(arena, out);
}

const char *fs_text_count(fs_arena *arena, double value) {
    if (isnan(value))
        return "-";
    if (isinf(value))
        return value > 0 ? "infinite" : "-infinite";
    double size = fabs(value);
    if (size >= 1000 || value == floor(value))
        return grouped(arena, value);
    return fs_arena_printf(arena,
                           size >= 100  ? "%.1f"
                           : size >= 10 ? "%.2f"
                           : size >= 1  ? "%.3f"
                                        : "%.3g",
                           value);
}

const char *fs_text_seconds(fs_arena *arena, double seconds) {
    if (isnan(seconds))
        return "-";
    double size = fabs(seconds), scale = size >= 1 || size == 0 ? 1 : size >= 1e-3 ? 1e3 : 1e6;
    const char *unit = scale == 1 ? "s" : scale == 1e3 ? "ms" : "us";
    double value = seconds * scale;
    return fs_arena_printf(arena,
                           fabs(value) >= 1000  ? "%.0f %s"
                           : fabs(value) >= 100 ? "%.1f %s"
                           : fabs(value) >= 10  ? "%.2f %s"
                                                : "%.3f %s",
                           value, unit);
}

const char *fs_text_percent(fs_arena *arena, double percent) {
    double size = fabs(percent);
    if (isinf(size))
        return "infinitely many %";
    return fs_arena_printf(arena,
                           size >= 1000                ? "%.0f %%"
                           : size >= 0.95 || size == 0 ? "%.1f %%"
                                                       : "%.2g %%",
                           size);
}

const char *fs_text_change(fs_arena *arena, double percent) {
    if (percent == 0)
        return "=";
    return fs_arena_printf(arena, "%s%s", percent > 0 ? "+" : "-", fs_text_percent(arena, percent));
}

static const char *bytes(fs_arena *arena, double value) {
    double scale = value >= 1024 * 1024 ? 1024 * 1024 : value >= 1024 ? 1024 : 1;
    return fs_arena_printf(arena, scale == 1 ? "%.0f %s" : "%.1f %s", value / scale,
                           scale == 1      ? "B"
                           : scale == 1024 ? "KiB"
                                           : "MiB");
}

const char *fs_compare_value(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *f = figure->values[run];
    if (f == NULL)
        return "-";
    if (f->kind != FS_FIGURE_NUMBER)
        return f->text;
    if (isnan(f->value))
        return figure->rule != NULL && isinf(figure->rule->null_is)
                   ? (figure->rule->better == FS_BETTER_MORE ? "exact" : "never")
                   : "-";
    if (strcmp(figure->unit, "s") == 0)
        return fs_text_seconds(c->arena, f->value);
    if (strcmp(figure->unit, "B") == 0)
        return bytes(c->arena, f->value);
    if (figure->rule != NULL && figure->rule->difference == FS_DIFFERENCE_POINTS)
        return fs_arena_printf(c->arena, "%.1f %%", 100 * f->value);
    if (figure->rule != NULL && figure->rule->difference == FS_DIFFERENCE_UNIT)
        return fs_arena_printf(c->arena, "%.2f %s", f->value, figure->unit);
    return fs_text_count(c->arena, f->value);
}

const char *fs_compare_difference(const fs_compare *c, const fs_compare_figure *figure, size_t run) {
    const fs_figure *base = figure->values[c->base], *value = figure->values[run];
    if (base == NULL || value == NULL)
        return "";
    if (base->kind != FS_FIGURE_NUMBER || value->kind != FS_FIGURE_NUMBER)
        return strcmp(base->text, value->text) == 0 ? "=" : "differs";
    double percent = fs_compare_percent(figure->rule, base->value, value->value);
    if (isnan(percent))
        return isnan(base->value) && isnan(value->value) ? "=" : "";
    if (percent == 0)
        return "=";
    const char *sign = percent > 0 ? "+" : "-";
    double gap = fabs(value->value - base->value);
    if (isnan(gap)) /* one of them is null and stands for INFINITY */
        return "";
    fs_difference kind = figure->rule == NULL ? FS_DIFFERENCE_PERCENT : figure->rule->difference;
    if (kind == FS_DIFFERENCE_POINTS)
        return fs_arena_printf(c->arena, 100 * gap >= 0.05 ? "%s%.1f points" : "%s%.2g points", sign,
                               100 * gap);
    if (kind == FS_DIFFERENCE_UNIT)
        return fs_arena_printf(c->arena, "%s%.2f %s", sign, gap, figure->unit);
    if (isinf(percent))
        return fs_arena_printf(c->arena, "%s%s", sign, fs_text_count(c->arena, gap));
    return fs_text_change(c->arena, percent);
}
