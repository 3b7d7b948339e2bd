/* Figures from the frame in closed form and the books of paths. */
#include "workloads/pathtrace/figures.h"

#include "sim/base/arith.h"

#include <math.h>

#define F          fs_pathtrace_figures
#define COUNT(...) FS_STAT_COUNT(__VA_ARGS__)
#define VALUE(...) FS_STAT_VALUE(__VA_ARGS__)
#define LESS       .better = FS_BETTER_LESS
#define MORE       .better = FS_BETTER_MORE

static const fs_stat rows[] = {
    VALUE("device.seconds_low", F, seconds_low, .unit = "s", .doc = "where its interval of 95 % begins"),
    VALUE("device.seconds_high", F, seconds_high, .unit = "s",
          .doc = "where it ends; the interval speaks of the samples that were not drawn"),
    VALUE("device.seconds_per_path", F, seconds_per_path, .unit = "s", LESS, .label = "time of a path",
          .place = 1, .doc = "time of the frame over its paths"),
    VALUE("device.paths_per_second", F, rate, .unit = "paths/s", MORE, .label = "paths a second", .place = 2,
          .doc = "pixels x samples over the time of the frame; what fills up batches does not count"),
    VALUE("device.frames_per_second", F, frames_per_second, .unit = "frames/s", MORE,
          .label = "frames a second", .place = 101, .doc = "one over the time of the frame"),
    VALUE("device.paths_per_second_low", F, rate_low, .unit = "paths/s",
          .doc = "where its interval of 95 % begins"),
    VALUE("device.paths_per_second_high", F, rate_high, .unit = "paths/s", .doc = "where it ends"),
    VALUE("device.cycles_per_batch_sample", F, batch_sample, .unit = "cycles", LESS,
          .label = "cycles of a batch and sample", .place = 3,
          .doc = "rendering of a batch over its samples: mean over the batches"),
    VALUE("device.walk_mean", F, mean, .unit = "cycles",
          .doc = "walks of a batch and sample: a worker's on average"),
    VALUE("device.imbalance", F, imbalance, LESS, .label = "slowest worker over the mean", .place = 4,
          .doc = "walks of a batch and sample: the slowest worker's over the mean worker's"),
    VALUE("device.share.walk", F, share_walk, .says = FS_SAYS_SHARE,
          .doc = "of the frame: walks, to the slowest worker"),
    VALUE("device.share.network", F, share_network, .says = FS_SAYS_SHARE,
          .doc = "of the frame: rendering beside the walks: network, exchanges, barriers"),
    VALUE("device.share.render", F, share_render, .says = FS_SAYS_SHARE, MORE,
          .doc = "of the frame: rendering tiles work, walks and network together"),
    VALUE("device.share.waiting", F, share_waiting, .says = FS_SAYS_SHARE, LESS,
          .doc = "of the frame: rendering tiles wait for streaming memory"),
    VALUE("device.share.ends", F, share_ends, .says = FS_SAYS_SHARE,
          .doc = "of the frame: upload, first load and last save, which overlap with nothing"),
    VALUE("device.share.copies", F, share_copies, .says = FS_SAYS_SHARE,
          .doc = "of the frame: copies between tiles of input and output and the others"),
    COUNT("bvh.nodes", F, nodes, .unit = "nodes", .doc = "nodes of the tree"),
    COUNT("bvh.bytes", F, node_bytes, .unit = "B", LESS, .label = "tree on a tile", .place = 5,
          .doc = "of all nodes, on each rendering tile"),
    COUNT("bvh.depth", F, depth, .unit = "nodes", .doc = "from the root to the deepest leaf"),
    COUNT("scene.bytes", F, scene_bytes, .unit = "B", LESS,
          .doc = "tree, triangles, vertices, materials on each rendering tile"),
    COUNT("scene.degenerate", F, degenerate, .unit = "triangles", .doc = "without area, left out"),
    COUNT("nif.parameters", F, parameters, .unit = "numbers", .doc = "of the network; 0 without one"),
    COUNT("nif.bytes", F, weights, .unit = "B", .doc = "of the network, over all rendering tiles"),
    COUNT("nif.macs", F, macs, .unit = "multiply-adds", .doc = "of the network, for a ray"),
    COUNT("nif.steps", F, network_steps, .unit = "steps", .doc = "of the network, for a batch and sample"),
    COUNT("nif.cycles", F, network_cycles, .unit = "cycles", LESS,
          .doc = "of the network for a batch and sample, exchanges and barriers included"),
    VALUE("nif.peak_share", F, network_peak, .says = FS_SAYS_SHARE, MORE,
          .doc = "multiply-adds of the network over what the matrix units could do in its cycles"),
    COUNT("paths.count", F, paths, .unit = "paths", .doc = "pixels x samples"),
    COUNT("paths.traced", F, traced, .unit = "paths",
          .doc = "pixels x drawn samples: those that were walked"),
    VALUE("paths.segments_mean", F, segments, .unit = "segments", .doc = "of a path"),
    VALUE("paths.nodes_per_segment", F, nodes_per_segment, .unit = "nodes", .doc = "visited by a segment"),
    VALUE("paths.tests_per_segment", F, tests_per_segment, .unit = "tests",
          .doc = "primitives that a segment is tested against"),
    VALUE("paths.escaped", F, escaped, .says = FS_SAYS_SHARE, .doc = "paths that leave the scene"),
    VALUE("paths.stopped", F, stopped, .says = FS_SAYS_SHARE, .doc = "paths that roulette ends"),
    VALUE("paths.full", F, full, .says = FS_SAYS_SHARE, .doc = "paths of the full length"),
    COUNT("batches.count", F, batches, .unit = "batches", .doc = "of the picture"),
    COUNT("batches.dummies", F, dummies, .unit = "batches", LESS, .doc = "that fill up the pod of chips"),
    COUNT("batches.bytes", F, batch_bytes, .unit = "B", .doc = "rays of a batch in streaming memory"),
    VALUE("batches.useful", F, useful, .says = FS_SAYS_SHARE, MORE, .doc = "real batches of those that run"),
    VALUE("stream.seconds", F, stream_seconds, .unit = "s", LESS,
          .doc = "load and save of a batch beside each other"),
    VALUE("stream.rate", F, stream_rate, .unit = "B/s", MORE,
          .doc = "bytes of a batch, counted once, over that time"),
    VALUE("stream.hidden_from", F, hidden_from, .unit = "samples", LESS,
          .doc = "samples from which rendering a batch takes longer than streaming it"),
    VALUE("energy.joules_per_path", F, joules_per_path, .unit = "J", LESS, .label = "energy of a path",
          .place = 205, .doc = "energy of the frame, all chips, over its paths"),
    FS_STAT_FLAG("complete", F, complete, .better = FS_BETTER_MORE, .doc = "every drawn path was walked"),
};
static const fs_stat_table own = FS_STAT_TABLE("pathtrace", rows);
static const fs_stat_part parts[] = {FS_STAT_PART(&fs_device_stats, F, chip.device),
                                     {.table = &own},
                                     FS_STAT_PART(&fs_peak_stats, F, chip.peak),
                                     FS_STAT_PART(&fs_power_stats, F, chip.power),
                                     FS_STAT_PART(&fs_memory_stats, F, chip.memory)};
const fs_stat_table fs_pathtrace_stats = FS_STAT_PARTS("pathtrace", parts);

/* ---- figures ---- */

static void add_time(F *f, const fs_pathtrace_chip *chip, const fs_pathtrace_frame *frame) {
    const fs_pathtrace_setup *s = chip->setup;
    const fs_pathtrace_batch *batch = chip->batch;
    const double clock = s->machine->clock, paths = (double)f->paths, samples = (double)s->params->samples;
    double walk = 0, mean = 0, render = 0;
    for (uint64_t b = 0; b < s->layout.batches; b++) {
        walk += (double)batch[b].walk / samples;
        mean += batch[b].mean;
        render += fs_pathtrace_render(&s->fixed, (double)batch[b].walk);
    }
    f->seconds_low = fmax(0.0, frame->cycles - frame->half) / clock;
    f->seconds_high = (frame->cycles + frame->half) / clock;
    f->frames_per_second = 1 / f->chip.device.seconds;
    f->rate = paths / f->chip.device.seconds;
    f->seconds_per_path = f->chip.device.seconds / paths;
    f->rate_low = paths / f->seconds_high;
    f->rate_high = f->seconds_low > 0 ? paths / f->seconds_low : NAN;
    f->batch_sample = render / samples / (double)s->layout.batches;
    f->mean = mean / (double)s->layout.batches;
    f->imbalance = fs_ratio(walk, mean);
    f->share_walk = frame->walk / frame->cycles;
    f->share_network = frame->network / frame->cycles;
    f->share_render = f->share_walk + f->share_network;
    f->share_waiting = frame->waiting / frame->cycles;
    f->share_ends = (frame->upload + frame->ends) / frame->cycles;
    f->share_copies = frame->copies / frame->cycles;
    f->stream_seconds = (double)s->fixed.both / clock;
    f->stream_rate = fs_ratio((double)f->batch_bytes, f->stream_seconds);
    f->hidden_from = fmax(1.0, ceil((double)(s->fixed.both + s->fixed.stream) / f->batch_sample));
}

static void add_network(F *f, const fs_pathtrace_setup *s) {
    const fs_pathtrace_fixed *x = &s->fixed;
    f->parameters = fs_network_parameters(&s->params->nif);
    f->weights = f->parameters * fs_amp_bytes((fs_amp_type)s->params->nif.type);
    f->macs = fs_network_macs(&s->params->nif);
    f->network_peak = NAN;
    if (s->params->nif.layers == 0)
        return;
    f->network_steps = s->network.steps;
    f->network_cycles = x->part[FS_PATHTRACE_FEATURES] + x->part[FS_PATHTRACE_MATRIX] + x->arrivals +
                        (x->steps - 3) * (x->sync + x->overhead);
    f->network_peak = (double)f->macs * (double)s->layout.batch /
                      ((double)f->network_cycles * (double)s->layout.render_tiles *
                       (double)fs_amp_peak(&s->machine->matrix, (fs_amp_type)s->params->nif.type));
}

fs_pathtrace_figures fs_pathtrace_figures_of(const fs_pathtrace_chip *chip, const fs_pathtrace_frame *frame,
                                             const fs_pathtrace_paths *paths) {
    const fs_pathtrace_setup *setup = chip->setup;
    const double count = (double)paths->count, segments = (double)paths->segments;
    F f = {.chip = chip->of.chip,
           .nodes = setup->scene.nodes,
           .node_bytes = setup->node_bytes,
           .depth = setup->scene.depth,
           .scene_bytes = setup->scene_bytes,
           .degenerate = setup->scene.degenerate,
           .paths = setup->layout.pixels * (uint64_t)setup->params->samples,
           .traced = paths->count,
           .segments = segments / count,
           .nodes_per_segment = (double)paths->event[FS_WALK_NODE] / segments,
           .tests_per_segment = (double)paths->event[FS_WALK_LEAF] / segments,
           .escaped = (double)paths->ended[FS_WALK_ESCAPED] / count,
           .stopped = (double)paths->ended[FS_WALK_STOPPED] / count,
           .full = (double)paths->ended[FS_WALK_FULL] / count,
           .batches = setup->layout.batches,
           .dummies = setup->layout.pod.dummies,
           .batch_bytes = setup->layout.batch * setup->layout.ray,
           .useful = fs_pod_useful(&setup->layout.pod),
           .complete = true};
    add_network(&f, setup);
    add_time(&f, chip, frame);
    f.joules_per_path = f.chip.power.energy.joules / (double)f.paths;
    return f;
}
