/* What a frame takes of the machine's parts: the same counts that its energy is made of. */
#include "workloads/pathtrace/power.h"

#include "workloads/pathtrace/frame/layout.h"
#include "workloads/pathtrace/network/network.h"
#include "workloads/pathtrace/walk/walk.h"

static double bytes_of(const fs_transfer *transfers, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += transfers[i].bytes;
    return sum;
}

/* Drawn paths grown to all. */
static void count_walks(const fs_pathtrace_setup *s, const fs_pathtrace_paths *paths, double runs,
                        fs_peak_counts *c) {
    const fs_pathtrace_fixed *f = &s->fixed;
    const double samples = (double)s->params->samples, drawn = (double)f->drawn * (double)s->layout.batches;
    double events[FS_MOST_EVENTS] = {0};
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        events[e] = (double)paths->event[e] * runs * samples / drawn;
    fs_peak_count_calls(c, &f->walk, &s->machine->tile,
                        runs * s->layout.render_tiles * (f->each ? samples : 1), events);
}

/* A step of the network, on all rendering tiles, so often. */
static void count_step(const fs_pathtrace_setup *s, const fs_pathtrace_step *step, double times,
                       fs_arena *arena, fs_peak_counts *c) {
    const double tiles = s->layout.render_tiles;
    fs_priced_program priced;
    fs_error err = {0};
    if (step->bytes > 0)
        c->exchanged +=
            times * bytes_of(fs_pathtrace_ring(&s->layout, step->bytes, arena), s->layout.render_tiles);
    c->macs[s->params->nif.type] += (double)step->macs * tiles * times;
    if (step->program == NULL || fs_program_price(step->program, &s->machine->tile, &priced, &err))
        return;
    double events[FS_MOST_EVENTS] = {0};
    for (uint32_t e = 0; e < step->program->event_count; e++)
        events[e] = (double)step->count[e] * tiles * times;
    fs_peak_count_calls(c, &priced, &s->machine->tile, tiles * times, events);
}

fs_peak_figures fs_pathtrace_peak(const fs_pathtrace_setup *s, const fs_pathtrace_frame *frame,
                                  const fs_pathtrace_paths *paths) {
    fs_arena *arena = fs_arena_create();
    const double runs = (double)(s->layout.batches + s->layout.pod.dummies),
                 chips = (double)s->machine->chips;
    const double weights = (double)fs_network_parameters(&s->params->nif) *
                           (double)fs_amp_bytes((fs_amp_type)s->params->nif.type);
    uint32_t copies = 0;
    const fs_transfer *copy = fs_pathtrace_copies(&s->layout, arena, &copies);
    fs_peak_counts c = {
        .cycles = frame->cycles,
        .chips = chips,
        .exchanged = bytes_of(copy, copies) * (runs + chips),
        .host = runs * (double)s->layout.batch * (double)s->layout.ray +
                chips * ((double)s->scene_bytes + weights),
        .dram = 2 * runs * (double)fs_remote_lines(&s->machine->remote, fs_pathtrace_buffer(&s->layout)) *
                (double)s->machine->remote.line};
    count_walks(s, paths, runs, &c);
    for (uint32_t i = 0; i < s->steps.count; i++)
        count_step(s, &s->steps.step[i], runs * (double)s->params->samples, arena, &c);
    fs_arena_free(arena);
    return fs_peak_figures_of_counts(&c, s->machine, s->ledger);
}
