/* Walks of all batches, the device's run, and the identities that hold in every run. */
#include "workloads/pathtrace/run.h"

#include "sim/base/numbers.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "workloads/image/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- before ---- */

static void make_tracer(fs_pathtrace_run *r) {
    const fs_run *run = &r->chip.of.run;
    const fs_pathtrace_params *p = r->setup.params;
    fs_pathtrace_tracer *t = &r->tracer;
    *t = (fs_pathtrace_tracer){.params = p,
                               .layout = &r->setup.layout,
                               .scene = &r->walk,
                               .walk = {.width = (uint32_t)p->width,
                                        .height = (uint32_t)p->height,
                                        .seed = (uint64_t)p->seed,
                                        .most_segments = (uint32_t)p->most_segments,
                                        .roulette_above = (uint32_t)p->roulette_above,
                                        .jitter = (float)p->jitter},
                               .slots = r->setup.fixed.walk.slots,
                               .looped = !r->setup.fixed.each,
                               .light = fs_walk_sky};
    if (run->replay != NULL) {
        t->walked = &r->replayed.counts;
        t->paths = r->replayed.paths;
        return;
    }
    if (run->how->outputs == FS_OUTPUTS_SUMMARY)
        return;
    fs_pathtrace_picture_create(&r->picture, r->setup.layout.pixels);
    t->cost = r->picture.cost;
    t->colour = fs_arena_alloc(run->arena, r->setup.layout.pixels, sizeof *t->colour);
    if (p->light == FS_PATHTRACE_SKY)
        return;
    t->light = fs_nif_light;
    t->light_of = fs_nif_create(&p->nif, (uint64_t)p->seed, run->arena);
}

static fs_status read_recording(fs_pathtrace_run *r, fs_error *err) {
    const fs_run *run = &r->chip.of.run;
    const bool picture = run->how->outputs != FS_OUTPUTS_SUMMARY && !run->host->check_only;
    if (fs_pathtrace_read(run->replay, run->config, picture, &r->replayed, err))
        return err->status;
    r->picture = r->replayed.picture;
    r->replayed.picture = (fs_pathtrace_picture){.rgb = NULL};
    return FS_OK;
}

static fs_status load_scene(fs_pathtrace_run *r, fs_error *err) {
    const fs_run *run = &r->chip.of.run;
    if (fs_mesh_scene_load(fs_config_section(run->config, "scene"), run->arena, &r->mesh, err))
        return err->status;
    fs_mesh_scene_to_camera(&r->mesh);
    return FS_OK;
}

/* After what does not fit on a tile was refused, which needs no tree. */
static fs_status raise_tree(fs_pathtrace_run *r, fs_error *err) {
    fs_arena *arena = r->chip.of.run.arena;
    if (fs_bvh_build(&r->mesh, (uint32_t)r->setup.params->node_bytes, arena, &r->tree, err))
        return err->status;
    fs_walk_replace(&r->walk, &r->mesh, &r->tree, arena);
    r->setup.scene.depth = r->tree.depth;
    return FS_OK;
}

/* A queue hands out rays by their prices, so its activity is of these prices alone. */
static fs_status check_queue(const fs_pathtrace_run *r, fs_error *err) {
    const fs_run *run = &r->chip.of.run;
    return r->setup.params->sharing == FS_PATHTRACE_QUEUE &&
                   (run->prices || run->host->record_activity != NULL)
               ? fs_fail(err, FS_INPUT,
                         "%s: a queue's order depends on prices, so that activity is not recorded; expected "
                         "fixed, or an itinerary recording",
                         fs_config_where(run->config, "workload", "sharing"))
               : FS_OK;
}

/* Flit by flit a network takes its time: what is long is said first. */
static void say_network(const fs_pathtrace_fixed *f) {
    static const double hop = 8e-8,
                        said_from = 10; /* host seconds on one core of a common PC: of a flit and router */
    double hops = (double)fs_fabric_flit_hops(f->copy_moves.fabric, NULL);
    for (uint32_t s = 0; s < f->steps; s++) {
        const fs_fabric *fabric = f->step_moves[s].fabric;
        bool again = fabric == NULL;
        for (uint32_t k = 0; k < s && !again; k++)
            again = f->step_moves[k].fabric == fabric;
        hops += again ? 0 : (double)fs_fabric_flit_hops(fabric, NULL);
    }
    if (hops * hop >= said_from)
        fs_say("exchanges go flit by flit over the network once, past %s routers at most, which takes about "
               "%s of "
               "an idle core",
               fs_number_grouped(hops), fs_number_seconds(hops * hop));
}

fs_status fs_pathtrace_elaborate(void *run, fs_error *err) {
    fs_pathtrace_run *r = run;
    fs_run *of = &r->chip.of.run;
    if (of->replay != NULL ? read_recording(r, err) : load_scene(r, err))
        return err->status;
    const fs_pathtrace_params *params = fs_config_section(of->config, "workload");
    const fs_pathtrace_scene scene = of->replay != NULL
                                         ? r->replayed.scene
                                         : fs_pathtrace_scene_of(&r->mesh, (uint64_t)params->node_bytes);
    if (fs_pathtrace_setup_make(&r->setup, of->config, params, &scene, of->arena, err) ||
        check_queue(r, err) || (of->replay == NULL && raise_tree(r, err)))
        return err->status;
    make_tracer(r);
    const fs_pathtrace_setup *s = &r->setup;
    fs_run_say(of, "fits: %" PRIu64 " nodes, %" PRIu64 " batches, %" PRIu64 " B of a tile", s->scene.nodes,
               s->layout.batches, fs_ledger_peak(s->ledger));
    say_network(&s->fixed);
    return fs_pathtrace_chip_create(&r->chip, s, err);
}

/* ---- walks ---- */

/* Slots of every worker and sample from its rows. */
static void price_rows(const fs_pathtrace_setup *setup, fs_pathtrace_row *rows, uint64_t *slots) {
    const uint64_t count = fs_pathtrace_rows_of(&setup->layout, (uint64_t)setup->params->drawn);
    const uint32_t *price = setup->fixed.walk.slots;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            sum += (uint64_t)rows[i][e] * price[e];
        slots[i] = sum;
    }
}

/* With a network the device counts each sample for itself. */
static bool keeps_activity(const fs_pathtrace_run *r) {
    const fs_run *run = &r->chip.of.run;
    return run->host->record_activity != NULL || (r->setup.fixed.each && !run->prices);
}

static void take_batch(fs_pathtrace_run *r, uint64_t batch) {
    const uint64_t count = fs_pathtrace_rows_of(&r->setup.layout, (uint64_t)r->setup.params->drawn);
    memset(r->rows, 0, count * sizeof *r->rows);
    if (r->chip.of.run.prices)
        fs_walk_counts_rows(&r->replayed.counts, batch * count, count, r->rows);
    else
        fs_pathtrace_trace(&r->tracer, batch, r->rows);
    if (keeps_activity(r))
        fs_walk_counts_keep(&r->activity.counts, batch * count, count, r->rows);
    for (uint64_t i = 0; i < count; i++)
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            r->worker_events += r->rows[i][e];
    price_rows(&r->setup, r->rows, r->slots);
    fs_pathtrace_batch_of(&r->setup.fixed, r->slots, r->chip.of.run.arena, &r->batch[batch]);
    if (r->setup.fixed.each)
        return;
    const uint64_t kept = fs_pathtrace_rows_kept_of(&r->setup.fixed);
    fs_pathtrace_sum_rows(&r->setup.fixed, r->rows);
    fs_walk_counts_keep(&r->sums, batch * kept, kept, r->rows);
}

static fs_status walk_all(fs_pathtrace_run *r, fs_error *err) {
    const uint64_t count = fs_pathtrace_rows_of(&r->setup.layout, (uint64_t)r->setup.params->drawn),
                   batches = r->setup.layout.batches;
    r->rows = fs_calloc(count, sizeof *r->rows);
    r->slots = fs_calloc(count, sizeof *r->slots);
    r->batch = FS_NEW(r->chip.of.run.arena, fs_pathtrace_batch, batches);
    fs_progress *progress = &r->chip.of.run.progress;
    fs_progress_begin(progress, "batches", batches);
    for (uint64_t b = 0; b < batches && err->status == FS_OK; b++) {
        take_batch(r, b);
        fs_progress_update(progress, b + 1);
        if (fs_interrupted())
            fs_fail(err, FS_RUN, "interrupted after %" PRIu64 " of %" PRIu64 " batches", b + 1, batches);
    }
    fs_progress_end(progress);
    free(r->rows);
    free(r->slots);
    return err->status;
}

/* ---- identities ---- */

/* Sums of what a recording holds may leave the 32 bits of a worker's row: then it is the recording's fault. */
static fs_status same(const fs_pathtrace_run *r, uint64_t a, uint64_t b, const char *what, fs_error *err) {
    if (a == b)
        return FS_OK;
    const fs_recording *replay = r->chip.of.run.replay;
    return replay != NULL
               ? fs_recording_damaged(replay, err, "%s: %" PRIu64 " and %" PRIu64, what, a, b)
               : fs_fail(err, FS_BROKEN, "%s: %" PRIu64 " and %" PRIu64 " should be the same", what, a, b);
}

static fs_status check(const fs_pathtrace_run *r, fs_error *err) {
    const fs_pathtrace_setup *s = &r->setup;
    const fs_pathtrace_paths *p = &r->tracer.paths;
    uint64_t events = 0;
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        events += p->event[e];
    if (same(r, p->count, s->layout.pixels * (uint64_t)s->params->drawn, "paths, and pixels x samples",
             err) ||
        same(r, events, r->worker_events, "events over paths, and over workers", err) ||
        same(r, p->ended[0] + p->ended[1] + p->ended[2], p->count, "ends of paths, and paths", err) ||
        same(r, p->hits + p->ended[FS_WALK_ESCAPED], p->segments, "hits and escapes, and segments", err) ||
        same(r, p->event[FS_WALK_SEGMENT] + 2 * p->event[FS_WALK_INNER], p->event[FS_WALK_NODE],
             "roots and children, and nodes visited", err))
        return err->status;
    return FS_OK;
}

static void create_recordings(fs_pathtrace_run *r) {
    const fs_pathtrace_layout *l = &r->setup.layout;
    const uint64_t n = (uint64_t)r->setup.params->drawn;
    if (r->chip.of.run.host->record != NULL) {
        fs_walk_counts_create(&r->itinerary.counts, fs_pathtrace_rows_kept(FS_RECORDING_ITINERARY, l, n));
        r->tracer.kept = &r->itinerary.counts;
    }
    if (!r->setup.fixed.each)
        fs_walk_counts_create(&r->sums, l->batches * fs_pathtrace_rows_kept_of(&r->setup.fixed));
    if (keeps_activity(r))
        fs_walk_counts_create(&r->activity.counts, fs_pathtrace_rows_kept(FS_RECORDING_ACTIVITY, l, n));
}

static fs_status write_recording(const fs_pathtrace_run *r, const char *path, fs_recording_layer layer,
                                 const fs_walk_counts *counts, fs_error *err) {
    if (path == NULL)
        return FS_OK;
    fs_pathtrace_recorded all = {
        .scene = r->setup.scene, .paths = r->tracer.paths, .counts = *counts, .picture = r->picture};
    return fs_pathtrace_record(path, layer, r->chip.of.run.config, &all, err);
}

static fs_status run_device(fs_pathtrace_run *r, fs_error *err) {
    const fs_pathtrace_setup *s = &r->setup;
    fs_pathtrace_chip *c = &r->chip;
    c->counts = !s->fixed.each ? &r->sums : c->of.run.prices ? &r->replayed.counts : &r->activity.counts;
    c->batch = r->batch;
    if (fs_pathtrace_batches_close(&s->fixed, s->layout.batches, c->counts, r->batch, &c->share, err))
        return err->status;
    r->frame = fs_pathtrace_frame_of(&s->fixed, &s->layout, r->batch, (fs_pathtrace_free){.balance = false});
    return fs_pathtrace_chip_run(c, &r->frame, err);
}

fs_status fs_pathtrace_simulate(void *run, fs_error *err) {
    fs_pathtrace_run *r = run;
    const fs_host_options *host = r->chip.of.run.host;
    create_recordings(r);
    if (fs_pathtrace_fixed_plan(&r->setup.fixed, NULL, err) || walk_all(r, err) || check(r, err) ||
        run_device(r, err))
        return err->status;
    if (r->tracer.colour != NULL)
        fs_image_toned8(r->tracer.colour, r->setup.layout.pixels, r->picture.rgb);
    return write_recording(r, host->record, FS_RECORDING_ITINERARY, &r->itinerary.counts, err)
               ? err->status
               : write_recording(r, host->record_activity, FS_RECORDING_ACTIVITY, &r->activity.counts, err);
}

void fs_pathtrace_close(void *run) {
    fs_pathtrace_run *r = run;
    fs_pathtrace_recorded_free(&r->replayed);
    fs_pathtrace_recorded_free(&r->itinerary);
    fs_pathtrace_recorded_free(&r->activity);
    fs_walk_counts_free(&r->sums);
    fs_pathtrace_picture_free(&r->picture);
}
