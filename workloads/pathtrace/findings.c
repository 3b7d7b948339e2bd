/* Findings and ladder. */
#include "sim/base/numbers.h"
#include "workloads/pathtrace/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef fs_pathtrace_figures figures;

static void say_time(const figures *f, fs_findings *out) {
    fs_finding *at = fs_finding_begin(out, "time");
    fs_finding_say(at, "Path tracing takes %s of the frame", FS_PERCENT(f->share_walk));
    fs_finding_figure(at, "walk", f->share_walk);
    if (f->parameters > 0) {
        fs_finding_say(at, ", network and barriers %s", FS_PERCENT(f->share_network));
        fs_finding_figure(at, "network", f->share_network);
    }
    fs_finding_say(at, "; upload and unhidden streaming take %s.", FS_PERCENT(f->share_ends));
    fs_finding_figure(at, "ends", f->share_ends);
}

static void say_balance(const figures *f, fs_findings *out) {
    fs_finding *at = fs_finding_begin(out, "balance");
    fs_finding_say(
        at,
        "The slowest worker walks %.2f times as long as the average one, and all others wait for it: "
        "balanced, the walks would take %s of their time.",
        f->imbalance, FS_PERCENT(1 / f->imbalance));
    FS_FINDING_FIGURES(at, {"imbalance", f->imbalance}, {"balanced", 1 / f->imbalance});
}

/* Where of the frame the slowest workers are: the batch that takes most, and the tenth of all that take most. */
static int by_walk(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void say_batches(const fs_pathtrace_run *r, fs_findings *out) {
    const uint64_t batches = r->setup.layout.batches, tenth = batches / 10;
    if (tenth == 0)
        return;
    fs_arena *arena = fs_arena_create();
    double *walk = FS_NEW(arena, double, batches), sum = 0, slow = 0;
    uint64_t longest = 0;
    for (uint64_t b = 0; b < batches; b++) {
        walk[b] = (double)r->chip.batch[b].walk;
        sum += walk[b];
        longest = walk[b] > walk[longest] ? b : longest;
    }
    const double most = walk[longest] * (double)batches / sum;
    qsort(walk, batches, sizeof *walk, by_walk);
    for (uint64_t b = 0; b < tenth; b++)
        slow += walk[b];
    fs_arena_free(arena);
    if (!(sum > 0))
        return;
    fs_finding *at = fs_finding_begin(out, "batches");
    fs_finding_say(at,
                   "Batch %" PRIu64 " of %" PRIu64 " takes most, %.2f times as long as the average one; the "
                   "slowest tenth of the batches take %s of all walks.",
                   longest, batches, most, FS_PERCENT(slow / sum));
    FS_FINDING_FIGURES(at, {"batch", (double)longest}, {"most", most}, {"tenth", slow / sum});
}

static void say_network(const figures *f, fs_findings *out) {
    if (f->parameters == 0)
        return;
    fs_finding *at = fs_finding_begin(out, "network");
    fs_finding_say(
        at,
        "The network of %s parameters takes %s cycles for each batch and sample; the matrix units reach "
        "%s of their peak.",
        fs_number_grouped((double)f->parameters), fs_number_grouped((double)f->network_cycles),
        FS_PERCENT(f->network_peak));
    FS_FINDING_FIGURES(at, {"parameters", (double)f->parameters}, {"cycles", (double)f->network_cycles},
                       {"peak", f->network_peak});
}

static void say_streaming(const fs_pathtrace_setup *s, const figures *f, fs_findings *out) {
    fs_finding *at = fs_finding_begin(out, "streaming");
    fs_finding_say(at, "A batch of %s is saved and loaded in %s, which rendering hides from %s %s on",
                   fs_number_bytes((double)f->batch_bytes), fs_number_seconds(f->stream_seconds),
                   fs_number_grouped(f->hidden_from),
                   fs_plural((uint64_t)f->hidden_from, "sample", "samples"));
    FS_FINDING_FIGURES(at, {"bytes", (double)f->batch_bytes}, {"seconds", f->stream_seconds},
                       {"hidden_from", f->hidden_from});
    if (f->hidden_from > (double)s->params->samples) {
        fs_finding_say(at, "; with %" PRId64 " the rendering tiles wait %s of the frame", s->params->samples,
                       FS_PERCENT(f->share_waiting));
        fs_finding_figure(at, "waiting", f->share_waiting);
    }
    fs_finding_say(at, ".");
}

static void say_sram(const fs_pathtrace_setup *s, const figures *f, fs_findings *out) {
    fs_finding *at = fs_finding_begin(out, "sram");
    const double share = (double)f->node_bytes / (double)s->machine->memory.sram;
    fs_finding_say(at, "The tree of %s nodes takes %s of every rendering tile, %s of its SRAM.",
                   fs_number_grouped((double)f->nodes), fs_number_bytes((double)f->node_bytes),
                   FS_PERCENT(share));
    FS_FINDING_FIGURES(at, {"nodes", (double)f->nodes}, {"bytes", (double)f->node_bytes}, {"share", share});
}

static void say_pod(const fs_pathtrace_setup *s, const figures *f, fs_findings *out) {
    if (s->machine->chips == 1)
        return;
    fs_finding *at = fs_finding_begin(out, "pod");
    fs_finding_say(at,
                   "Of the batches that %" PRId64 " chips run, %s belong to the picture; %" PRIu64
                   " %s empty, so that every chip has as many.",
                   s->machine->chips, FS_PERCENT(f->useful), f->dummies, fs_plural(f->dummies, "is", "are"));
    FS_FINDING_FIGURES(at, {"useful", f->useful}, {"dummies", (double)f->dummies});
}

static void say_sampling(const fs_pathtrace_setup *s, const figures *f, fs_findings *out) {
    if (s->params->drawn == s->params->samples)
        return;
    const double half = (f->seconds_high - f->seconds_low) / 2 / f->chip.device.seconds;
    fs_finding *at = fs_finding_begin(out, "sampling");
    if (!isfinite(half)) {
        fs_finding_say(at, "One of %s samples was drawn, so the error of time and rate is unknown.",
                       fs_number_grouped((double)s->params->samples));
        return;
    }
    fs_finding_say(at, "%s of %s samples were drawn; time and rate have a 95 %% interval of ± %s.",
                   fs_number_grouped((double)s->params->drawn), fs_number_grouped((double)s->params->samples),
                   FS_PERCENT(half));
    FS_FINDING_FIGURES(at, {"confidence", 0.95}, {"half_interval", half});
}

/* The time of the frame with one thing for free after another. */
enum { RUNGS = 6 };
static void make_rungs(const fs_pathtrace_run *r, fs_rung out[RUNGS]) {
    static const struct {
        const char *name, *detail;
        fs_pathtrace_free is_free;
    } rung[RUNGS] = {
        {"measured", "The run as it is.", {.balance = false}},
        {"balanced", "Every worker walks as long as the average one.", {.balance = true}},
        {"free_network", "Network, its exchanges and the light take no time.", {.network = true}},
        {"free_streaming", "Streaming memory and host link take no time.", {.streaming = true}},
        {"free_exchange", "Exchanges on the chip take no time.", {.exchange = true}},
        {"all", "All of these together.", {true, true, true, true}},
    };
    const fs_pathtrace_setup *s = &r->setup;
    for (int i = 0; i < RUNGS; i++) {
        const double cycles =
            fs_pathtrace_frame_of(&s->fixed, &s->layout, r->chip.batch, rung[i].is_free).cycles;
        out[i] = (fs_rung){.name = rung[i].name,
                           .kind = i == 0 ? "measured" : "bound",
                           .cycles = (uint64_t)(cycles + 0.5),
                           .seconds = cycles / s->machine->clock,
                           .gain_percent = 100 * (r->frame.cycles - cycles) / r->frame.cycles};
        snprintf(out[i].detail, sizeof out[i].detail, "%s", rung[i].detail);
    }
}

fs_status fs_pathtrace_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_pathtrace_run *r = run;
    const fs_pathtrace_setup *s = &r->setup;
    const figures *f = &r->figures;
    const fs_power_figures *power = &f->chip.power;
    fs_rung *rungs = FS_NEW(r->chip.of.run.arena, fs_rung, RUNGS);
    make_rungs(r, rungs);
    fs_ladder_energy(rungs, RUNGS, power->energy.joules, fs_power_standing(power));
    out->rungs = rungs;
    out->rung_count = RUNGS;
    say_time(f, out->findings);
    say_balance(f, out->findings);
    say_batches(r, out->findings);
    say_network(f, out->findings);
    say_streaming(s, f, out->findings);
    say_sram(s, f, out->findings);
    say_pod(s, f, out->findings);
    say_sampling(s, f, out->findings);
    fs_device_find_turn(r->chip.of.device, s->machine, out->findings);
    fs_device_find_continued(s->machine, out->findings);
    fs_power_find(power, (fs_energy_each){"path", f->joules_per_path}, out->findings);
    return FS_OK;
}
