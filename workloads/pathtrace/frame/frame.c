/* Batches from drawn slots, and the frame from batches. */
#include "workloads/pathtrace/frame/frame.h"

#include <math.h>
#include <stdlib.h>

/* ---- a batch ---- */

/* Of a call of the walk, whose workers all begin with the same slots (its prologue). */
static double cycles_of(const fs_pathtrace_fixed *f, double slots) {
    return (double)(f->walk.before + f->walk.after) + (double)f->walk.cycles_per_slot *
                                                          (slots + f->walk.fixed_other[0]) *
                                                          (double)f->walk.permille / 1000.0;
}

uint64_t fs_pathtrace_walk_cycles(const fs_pathtrace_fixed *f, uint64_t slots) {
    return f->walk.before + f->walk.after +
           f->walk.cycles_per_slot * fs_slots_taken(&f->walk, slots + f->walk.fixed_other[0]);
}

/* What the drawn sums say of the slowest worker (sim/stats/drawn.h), of all samples and without each. */
static void look_for_slowest(const fs_pathtrace_fixed *f, const uint64_t *slots, const uint64_t *sum,
                             fs_pathtrace_batch *out) {
    const uint32_t workers = f->render_tiles * f->workers;
    const double n = (double)f->drawn;
    uint64_t all = 0, most = 0;
    for (uint32_t w = 0; w < workers; w++) {
        all += sum[w];
        most = sum[w] > most ? sum[w] : most;
    }
    out->drawn = (fs_drawn_greatest){.mean = (double)all / (n * workers), .most = (double)most / n};
    for (uint64_t s = 0; s < f->drawn && f->drawn > 1; s++) {
        const uint64_t *x = slots + s * workers;
        uint64_t of_all = 0, greatest = 0, chosen = x[0];
        for (uint32_t w = 0; w < workers; w++) {
            of_all += x[w];
            if (sum[w] - x[w] > greatest) {
                greatest = sum[w] - x[w];
                chosen = x[w];
            }
        }
        out->without[s] = (fs_drawn_greatest){.mean = (double)(all - of_all) / ((n - 1.0) * workers),
                                              .most = (double)greatest / (n - 1.0),
                                              .chosen = (double)chosen};
        out->drawn.chosen += (double)chosen / n;
    }
    for (uint64_t s = 0; s < f->drawn && f->drawn > 1; s++)
        out->without[s].chosen = (n * out->drawn.chosen - out->without[s].chosen) / (n - 1.0);
}

static void looped(const fs_pathtrace_fixed *f, const uint64_t *slots, fs_arena *arena,
                   fs_pathtrace_batch *out) {
    const uint32_t workers = f->render_tiles * f->workers;
    if (f->drawn == f->samples)
        return;
    uint64_t *sum = fs_calloc(workers, sizeof *sum);
    for (uint64_t s = 0; s < f->drawn; s++)
        for (uint32_t w = 0; w < workers; w++)
            sum[w] += slots[s * workers + w];
    out->without = FS_NEW(arena, fs_drawn_greatest, f->drawn);
    look_for_slowest(f, slots, sum, out);
    free(sum);
}

static void sample_by_sample(const fs_pathtrace_fixed *f, const uint64_t *slots, fs_pathtrace_batch *out) {
    const uint32_t workers = f->render_tiles * f->workers;
    for (uint64_t s = 0; s < f->drawn; s++) {
        uint64_t most = 0;
        for (uint32_t w = 0; w < workers; w++)
            most = slots[s * workers + w] > most ? slots[s * workers + w] : most;
        out->value[s] = (double)fs_pathtrace_walk_cycles(f, most);
    }
}

void fs_pathtrace_batch_of(const fs_pathtrace_fixed *fixed, const uint64_t *slots, fs_arena *arena,
                           fs_pathtrace_batch *out) {
    const uint64_t workers = (uint64_t)fixed->render_tiles * fixed->workers;
    uint64_t sum = 0;
    *out = (fs_pathtrace_batch){.value = FS_NEW(arena, double, fixed->drawn)};
    for (uint64_t i = 0; i < fixed->drawn * workers; i++)
        sum += slots[i];
    if (fixed->each)
        sample_by_sample(fixed, slots, out);
    else
        looped(fixed, slots, arena, out);
    out->mean = (double)sum * (double)fixed->walk.cycles_per_slot * (double)fixed->walk.permille / 1000.0 /
                (double)(fixed->drawn * workers);
}

/* ---- all samples ---- */

/* Cycles of the slowest worker over all samples; share: factor on its distance from the mean. */
static double grown(const fs_pathtrace_fixed *f, const fs_drawn_greatest *of, double share) {
    return cycles_of(f, (double)f->samples * (of->mean + share * (of->most - of->mean)));
}

double fs_pathtrace_share(const fs_pathtrace_fixed *f, fs_pathtrace_batch *batch, uint64_t count) {
    const double n = (double)f->drawn, samples = (double)f->samples;
    double share = 1;
    if (f->each || f->drawn == f->samples || f->drawn < 2)
        return share;
    for (uint64_t s = 0; s <= f->drawn; s++) { /* without sample s; with all of them */
        fs_drawn_greatest sum = {0};
        for (uint64_t b = 0; b < count; b++) {
            const fs_drawn_greatest *of = s < f->drawn ? &batch[b].without[s] : &batch[b].drawn;
            sum.mean += of->mean;
            sum.most += of->most;
            sum.chosen += of->chosen;
        }
        share = fs_drawn_left(&sum, s < f->drawn ? n - 1.0 : n, samples);
        for (uint64_t b = 0; s < f->drawn && b < count; b++)
            batch[b].value[s] = grown(f, &batch[b].without[s], share);
    }
    for (uint64_t b = 0; b < count; b++)
        batch[b].doubt = 0.5 * (samples - n) * (batch[b].drawn.most - batch[b].drawn.chosen) *
                         (double)f->walk.cycles_per_slot * (double)f->walk.permille / 1000.0;
    return share;
}

fs_status fs_pathtrace_too_many(const fs_pathtrace_fixed *f, fs_error *err) {
    return fs_fail(
        err, FS_INPUT,
        "workload.samples: a worker counts more than 2^32 of an event in a batch with %llu samples; "
        "expected fewer",
        (unsigned long long)f->samples);
}

fs_status fs_pathtrace_grow(const fs_pathtrace_fixed *f, double share, fs_pathtrace_row *rows,
                            fs_error *err) {
    const uint32_t workers = f->render_tiles * f->workers;
    const double all = (double)f->samples / (double)f->drawn;
    uint64_t sum[FS_WALK_EVENTS] = {0};
    for (uint32_t w = 0; w < workers; w++)
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            sum[e] += rows[w][e];
    for (int e = 0; e < FS_WALK_EVENTS; e++) {
        const double mean = all * (1 - share) * (double)sum[e] / workers;
        for (uint32_t w = 0; w < workers; w++) {
            const double grown = all * share * rows[w][e] + mean + 0.5;
            if (grown > UINT32_MAX)
                return fs_pathtrace_too_many(f, err);
            rows[w][e] = (uint32_t)grown;
        }
    }
    return FS_OK;
}

/* ---- rendering ---- */

static uint64_t parts(const fs_pathtrace_fixed *f) {
    uint64_t sum = 0;
    for (int i = 0; i < FS_PATHTRACE_PARTS; i++)
        sum += f->part[i];
    return sum;
}

double fs_pathtrace_render(const fs_pathtrace_fixed *fixed, double walk) {
    const double samples = (double)fixed->samples;
    if (!fixed->each)
        return walk + (double)(fixed->sync + fixed->overhead);
    const double of_a_sample = (double)(parts(fixed) + fixed->barriers * fixed->sync +
                                        fixed->steps * fixed->overhead + fixed->arrivals);
    return walk + samples * of_a_sample - (fixed->merged ? (samples - 1.0) * (double)fixed->sync : 0.0);
}

static uint64_t streaming(const fs_pathtrace_fixed *f, bool first, bool last) {
    return (first && last ? 0 : first ? f->load : last ? f->save : f->both) + f->stream;
}

/* ---- the frame ---- */

typedef struct chip_time {
    double cycles, walk, network, waiting;
} chip_time;

static chip_time time_of_chip(const fs_pathtrace_fixed *f, const fs_pathtrace_layout *l,
                              const fs_pathtrace_batch *batch, uint32_t chip, fs_pathtrace_free is_free) {
    const double samples = (double)f->samples, copies = is_free.exchange ? 0.0 : (double)f->copies;
    chip_time t = {0};
    for (uint64_t i = 0; i < l->pod.of_a_chip; i++) {
        const fs_pathtrace_batch *b = &batch[fs_pathtrace_batch_at(l, chip, i)];
        const double walk = is_free.balance ? b->mean * samples : (double)b->walk;
        double render = fs_pathtrace_render(f, walk);
        if (is_free.network && f->each)
            render = walk + (double)(f->sync + f->overhead) * samples;
        else if (is_free.exchange)
            render -=
                f->each ? samples * (double)(f->arrivals + f->steps * f->overhead) : (double)f->overhead;
        const double stream =
            is_free.streaming ? 0.0 : (double)streaming(f, i == 0, i + 1 == l->pod.of_a_chip);
        t.walk += walk;
        t.network += render - walk;
        t.waiting += fmax(0.0, stream - render);
        t.cycles += fmax(render, stream) + copies + (double)f->launches;
    }
    return t;
}

/* Half the interval of 95 % of the walks of a chip's batches. */
static double half_of(const fs_pathtrace_fixed *f, const fs_pathtrace_layout *l,
                      const fs_pathtrace_batch *batch, uint32_t chip) {
    if (f->drawn >= f->samples)
        return 0;
    if (f->drawn < 2)
        return INFINITY;
    fs_drawn all = {.of = f->samples};
    double doubt = 0;
    for (uint64_t s = 0; s < f->drawn; s++) {
        double value = 0;
        for (uint64_t i = 0; i < l->pod.of_a_chip; i++)
            value += batch[fs_pathtrace_batch_at(l, chip, i)].value[s];
        fs_drawn_add(&all, value);
    }
    if (f->each) { /* the sum of all from the drawn ones, each as often as it is repeated */
        double square = (double)(f->samples - f->drawn);
        for (uint64_t s = 0; s < f->drawn; s++)
            square += pow((double)fs_pathtrace_weight(f, s) - 1, 2);
        return fs_drawn_student(f->drawn - 1) * sqrt(fs_drawn_variance(&all) * square);
    }
    for (uint64_t i = 0; i < l->pod.of_a_chip; i++)
        doubt += batch[fs_pathtrace_batch_at(l, chip, i)].doubt;
    /* Leaving out each sample in turn (the jackknife), and where between its bounds the slowest may be. */
    const double n = (double)f->drawn, unseen = 1.0 - n / (double)f->samples,
                 jack = fs_drawn_student(f->drawn - 1) * sqrt((n - 1.0) / n * all.squares * unseen);
    return sqrt(jack * jack + doubt * doubt);
}

fs_pathtrace_frame fs_pathtrace_frame_of(const fs_pathtrace_fixed *fixed, const fs_pathtrace_layout *layout,
                                         const fs_pathtrace_batch *batch, fs_pathtrace_free is_free) {
    chip_time worst = {.cycles = -1};
    fs_pathtrace_frame out = {.cycles = 0};
    for (uint32_t c = 0; c < layout->pod.chips; c++) {
        const chip_time t = time_of_chip(fixed, layout, batch, c, is_free);
        if (t.cycles > worst.cycles) {
            worst = t;
            out.chip = c;
        }
    }
    const double copies = is_free.exchange ? 0.0 : (double)fixed->copies;
    out.upload = (double)fixed->upload;
    out.ends = is_free.streaming ? 0.0
                                 : fmax((double)(fixed->load + fixed->stream),
                                        (double)(fixed->read + fixed->sync + fixed->overhead)) +
                                       (double)(fixed->save + fixed->stream); /* and the first copies */
    out.copies = copies * (double)(layout->pod.of_a_chip + 1);
    out.walk = worst.walk;
    out.network = worst.network;
    out.waiting = worst.waiting;
    out.cycles = out.upload + out.ends + copies + worst.cycles;
    out.half = is_free.balance ? 0.0 : half_of(fixed, layout, batch, out.chip);
    return out;
}
