/* Figures from the frame in closed form and the books of paths. */
#include "workloads/pathtrace/figures.h"

#include "sim/base/arith.h"

#include <math.h>

#define F          fs_pathtrace_figures
#define FS_ROWS_OF F

static const fs_stat rows[] = {
    FS_VALUE("device.seconds_low", seconds_low, "s", "where its interval of 95 % begins"),
    FS_VALUE("device.seconds_high", seconds_high, "s",
             "where it ends; the interval is for the samples that were not drawn"),
    FS_VALUE("device.seconds_per_path", seconds_per_path, "s", "time of the frame over its paths", FS_LESS,
             FS_AT(1, "time of a path")),
    FS_VALUE("device.paths_per_second", rate, "paths/s",
             "pixels x samples over the time of the frame; what fills up batches does not count", FS_MORE,
             FS_AT(2, "paths a second")),
    FS_VALUE("device.frames_per_second", frames_per_second, "frames/s", "one over the time of the frame",
             FS_MORE, FS_AT(101, "frames a second")),
    FS_VALUE("device.paths_per_second_low", rate_low, "paths/s", "where its interval of 95 % begins"),
    FS_VALUE("device.paths_per_second_high", rate_high, "paths/s", "where it ends"),
    FS_VALUE("device.cycles_per_batch_sample", batch_sample, "cycles",
             "rendering of a batch over its samples: mean over the batches", FS_LESS,
             FS_AT(3, "cycles of a batch and sample")),
    FS_VALUE("device.walk_mean", mean, "cycles", "walks of a batch and sample: a worker's on average"),
    FS_VALUE("device.imbalance", imbalance, NULL,
             "walks of a batch and sample: the slowest worker's over the average one's", FS_LESS,
             FS_AT(4, "slowest worker over the average")),
    FS_SHARE("device.share.walk", share_walk, "of the frame: walks, to the slowest worker"),
    FS_SHARE("device.share.network", share_network,
             "of the frame: rendering beside the walks: network, exchanges, barriers"),
    FS_SHARE("device.share.render", share_render,
             "of the frame: rendering tiles work, walks and network together", FS_MORE),
    FS_SHARE("device.share.waiting", share_waiting, "of the frame: rendering tiles wait for streaming memory",
             FS_LESS),
    FS_SHARE("device.share.ends", share_ends,
             "of the frame: upload, first load and last save, which overlap with nothing"),
    FS_SHARE("device.share.copies", share_copies,
             "of the frame: copies between tiles of input and output and the others"),
    FS_WHOLE("bvh.nodes", nodes, "nodes", "nodes of the tree"),
    FS_WHOLE("bvh.bytes", node_bytes, "B", "of all nodes, on each rendering tile", FS_LESS,
             FS_AT(5, "tree on a tile")),
    FS_WHOLE("bvh.depth", depth, "nodes", "from the root to the deepest leaf"),
    FS_WHOLE("scene.bytes", scene_bytes, "B", "tree, triangles, vertices, materials on each rendering tile",
             FS_LESS),
    FS_WHOLE("scene.degenerate", degenerate, "triangles", "without area, left out"),
    FS_WHOLE("nif.parameters", parameters, "numbers", "of the network; 0 without one"),
    FS_WHOLE("nif.bytes", weights, "B", "of the network, over all rendering tiles"),
    FS_WHOLE("nif.macs", macs, "multiply-adds", "of the network, for a ray"),
    FS_WHOLE("nif.steps", network_steps, "steps", "of the network, for a batch and sample"),
    FS_WHOLE("nif.cycles", network_cycles, "cycles",
             "of the network for a batch and sample, exchanges and barriers included", FS_LESS),
    FS_SHARE("nif.peak_share", network_peak,
             "multiply-adds of the network over what the matrix units could do in its cycles", FS_MORE),
    FS_WHOLE("paths.count", paths, "paths", "pixels x samples"),
    FS_WHOLE("paths.traced", traced, "paths", "pixels x drawn samples: those that were walked"),
    FS_VALUE("paths.segments_mean", segments, "segments", "of a path"),
    FS_VALUE("paths.nodes_per_segment", nodes_per_segment, "nodes", "visited by a segment"),
    FS_VALUE("paths.tests_per_segment", tests_per_segment, "tests",
             "primitives that a segment is tested against"),
    FS_SHARE("paths.escaped", escaped, "paths that leave the scene"),
    FS_SHARE("paths.stopped", stopped, "paths that roulette ends"),
    FS_SHARE("paths.full", full, "paths of the full length"),
    FS_WHOLE("batches.count", batches, "batches", "of the picture"),
    FS_WHOLE("batches.dummies", dummies, "batches", "that fill up the pod of chips", FS_LESS),
    FS_WHOLE("batches.bytes", batch_bytes, "B", "rays of a batch in streaming memory"),
    FS_SHARE("batches.useful", useful, "real batches of those that run", FS_MORE),
    FS_VALUE("stream.seconds", stream_seconds, "s", "load and save of a batch beside each other", FS_LESS),
    FS_VALUE("stream.rate", stream_rate, "B/s", "bytes of a batch, counted once, over that time", FS_MORE),
    FS_VALUE("stream.hidden_from", hidden_from, "samples",
             "samples from which rendering a batch takes longer than streaming it", FS_LESS),
    FS_VALUE("energy.joules_per_path", joules_per_path, "J", "energy of the frame, all chips, over its paths",
             FS_LESS, FS_AT(205, "energy of a path")),
    FS_STAT_FLAG("complete", F, complete, .better = FS_BETTER_MORE, .doc = "every drawn path was walked"),
};
static const fs_stat_table own = FS_STAT_TABLE("pathtrace", rows);
static const fs_stat_part parts[] = {FS_STAT_PART(&fs_device_stats, F, chip.device),
                                     {.table = &own},
                                     FS_STAT_PART(&fs_peak_stats, F, chip.peak),
                                     FS_STAT_PART(&fs_power_stats, F, chip.power),
                                     FS_LINKS_PART(F, chip.network),
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
    f->parameters = fs_nif_parameters(&s->params->nif);
    f->weights = f->parameters * fs_amp_bytes((fs_amp_type)s->params->nif.type);
    f->macs = fs_nif_macs(&s->params->nif);
    f->network_peak = NAN;
    if (s->params->nif.layers == 0)
        return;
    f->network_steps = s->network.steps;
    f->network_cycles = x->part[FS_PATHTRACE_CALLS] + x->part[FS_PATHTRACE_MATRIX] + x->arrivals +
                        (x->barriers - 3) * x->sync + (x->steps - 3) * x->overhead;
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
