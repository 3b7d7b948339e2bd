/* Findings and ladder. */
#include "sim/base/arith.h"
#include "workloads/pathtrace/run.h"

#include <stdlib.h>

typedef fs_pathtrace_figures figures;

/* Where of the frame the slowest workers are: the batch that takes most, and the tenth of all that take most. */
static int by_walk(const void *a, const void *b) {
    return fs_by_real(b, a);
}

static void find_batches(const fs_pathtrace_run *r, fs_findings *out) {
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
    FS_FIND(out, "batches",
            "Batch {batch|.0} of {@batches|.0} takes most, {most|.2} times as long as the average one; the "
            "slowest tenth of the batches take {tenth|share} of all walks.",
            FS_IS("batch", longest), FS_IS("most", most), FS_IS("tenth", slow / sum),
            FS_IS("@batches", batches));
}

static void find_frame(const figures *f, fs_findings *out) {
    FS_FIND(out, "time",
            "[@waits?Rendering tiles wait for streaming memory in {waiting|share} of the frame; path|Path] "
            "tracing takes {walk|share} of [@waits?it|the frame][@parameters?, network and barriers "
            "{network|share}]; upload and what no batch hides of its first and last streams take "
            "{ends|share}.",
            FS_IS("walk", f->share_walk), FS_IS("network", f->share_network), FS_IS("ends", f->share_ends),
            FS_IS("waiting", f->share_waiting), FS_IS("@parameters", f->parameters),
            FS_IS("@waits", f->share_waiting >= 0.005));
    FS_FIND(out, "balance",
            "The slowest worker walks {imbalance|.2} times as long as the average one, and all others wait "
            "for it: balanced, the walks would take {balanced|share} of their time.",
            FS_IS("imbalance", f->imbalance), FS_IS("balanced", 1 / f->imbalance));
}

static void find_parts(const fs_pathtrace_setup *s, const figures *f, fs_findings *out) {
    if (f->parameters > 0)
        FS_FIND(out, "network",
                "The network of {parameters|whole} parameters takes {cycles|whole} cycles for each batch and "
                "sample; the matrix units reach {peak|share} of their peak.",
                FS_IS("parameters", f->parameters), FS_IS("cycles", f->network_cycles),
                FS_IS("peak", f->network_peak));
    FS_FIND(out, "streaming",
            "A batch of {bytes|B} is saved and loaded in {seconds|s}, which rendering hides from "
            "{hidden_from|whole} {@from|sample/samples} on[@waits?; with {@samples|.0} the rendering tiles "
            "wait {waiting|share} of the frame].",
            FS_IS("bytes", f->batch_bytes), FS_IS("seconds", f->stream_seconds),
            FS_IS("hidden_from", f->hidden_from), FS_IS("waiting", f->share_waiting),
            FS_IS("@from", (uint64_t)f->hidden_from),
            FS_IS("@waits", f->hidden_from > (double)s->params->samples),
            FS_IS("@samples", s->params->samples));
    FS_FIND(out, "sram",
            "The tree of {nodes|whole} nodes takes {bytes|B} of every rendering tile, {share|share} of its "
            "SRAM.",
            FS_IS("nodes", f->nodes), FS_IS("bytes", f->node_bytes),
            FS_IS("share", (double)f->node_bytes / (double)s->machine->memory.sram));
    if (s->machine->chips > 1)
        FS_FIND(out, "pod",
                "Of the batches that {@chips|.0} chips run, {useful|share} belong to the picture; "
                "{dummies|.0} {dummies|is/are} empty, so that every chip has as many.",
                FS_IS("useful", f->useful), FS_IS("dummies", f->dummies), FS_IS("@chips", s->machine->chips));
    if (s->params->drawn < s->params->samples)
        FS_FIND(out, "sampling",
                "[{@drawn|whole} of {@samples|whole} samples were drawn; time and rate have a 95 % interval "
                "of ± {half_interval|share}|One of {@samples|whole} samples was drawn, so the error of time "
                "and rate is unknown].",
                FS_IS("confidence", 0.95),
                FS_IS("half_interval", (f->seconds_high - f->seconds_low) / 2 / f->chip.device.seconds),
                FS_IS("@drawn", s->params->drawn), FS_IS("@samples", s->params->samples));
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
        out[i] =
            (fs_rung){.name = rung[i].name, .kind = i == 0 ? "measured" : "bound", .detail = rung[i].detail};
        fs_ladder_time(&out[i], cycles, r->frame.cycles, s->machine->clock);
    }
}

fs_status fs_pathtrace_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_pathtrace_run *r = run;
    const fs_pathtrace_setup *s = &r->setup;
    const figures *f = &r->figures;
    const fs_power_figures *power = &f->chip.power;
    fs_arena *arena = r->chip.of.run.arena;
    fs_rung *rungs = FS_NEW(arena, fs_rung, RUNGS + FS_LINKS_RUNGS);
    make_rungs(r, rungs);
    out->rung_count = RUNGS + fs_links_rungs(r->chip.of.device, s->machine, arena, rungs + RUNGS);
    fs_ladder_energy(rungs, out->rung_count, power->energy.joules, fs_power_standing(power));
    out->rungs = rungs;
    find_frame(f, out->findings);
    find_batches(r, out->findings);
    find_parts(s, f, out->findings);
    fs_device_find_turn(r->chip.of.device, s->machine, out->findings);
    fs_device_find_continued(s->machine, out->findings);
    fs_power_find(power, (fs_energy_each){"path", f->joules_per_path}, out->findings);
    fs_links_find_run(r->chip.of.device, &f->chip.network, out->findings);
    return FS_OK;
}
