/* Exchange phases whose cycles are known at the end of the run alone: a network whose phases are sampled.
 *
 * Until then a phase takes its bound. Nobody decides by that (docs/design/fabric.md), so that afterwards all that was booked moves by
 * what the phases before it take beyond their bounds, and each iteration is given to the client again. */
#include "models/ipu/device_internal.h"

typedef struct sample {
    fs_branch *branch;
    fs_step *step;
    uint32_t weight;
    uint64_t bound;
} sample;

typedef struct kept_iteration {
    fs_iteration of;
    uint32_t samples;    /* before it */
    uint32_t *took_at;   /* [steps] */
    fs_step_times *took; /* [steps] */
} kept_iteration;

struct fs_samples {
    fs_arena *arena;
    uint32_t steps;
    sample *sample;
    uint32_t count;
    kept_iteration *iteration;
    uint64_t iterations;
    uint32_t before; /* samples before the iteration that runs */
};

fs_samples *fs_samples_create(fs_arena *arena, uint32_t steps) {
    fs_samples *s = FS_NEW(arena, fs_samples, 1);
    *s = (fs_samples){.arena = arena, .steps = steps};
    return s;
}

void fs_samples_phase(fs_branch *b, uint64_t bound) {
    fs_samples *s = b->device->samples;
    if (bound == 0)
        return;
    s->sample = fs_arena_grow(s->arena, s->sample, s->count, sizeof *s->sample);
    s->sample[s->count++] = (sample){.branch = b, .step = b->step, .weight = b->weight, .bound = bound};
}

uint32_t fs_samples_count(const fs_device *d) {
    return d->samples != NULL ? d->samples->count : 0;
}

void fs_samples_iteration(fs_device *d) {
    fs_samples *s = d->samples;
    s->iteration = fs_arena_grow(s->arena, s->iteration, s->iterations, sizeof *s->iteration);
    kept_iteration *k = &s->iteration[s->iterations++];
    *k = (kept_iteration){.of = d->iteration,
                          .samples = s->before,
                          .took_at = FS_NEW(s->arena, uint32_t, s->steps),
                          .took = FS_NEW(s->arena, fs_step_times, s->steps)};
    for (uint32_t i = 0; i < s->steps; i++) {
        k->took[i] = d->steps[i].took;
        k->took_at[i] = d->steps[i].took_at;
    }
    s->before = s->count;
}

/* Tiles of other groups wait for those of the branch. */
static void book(fs_device *d, const sample *x, uint64_t more) {
    d->cycles += more;
    d->exchange += more;
    x->step->totals.exchange += more;
    for (uint32_t g = 0; g < d->groups; g++)
        d->group[g].apart += more;
    for (uint32_t i = 0; i < x->branch->group_count; i++) {
        d->group[x->branch->groups[i]].apart -= more;
        d->group[x->branch->groups[i]].exchange += more;
    }
}

/* Books the iteration's phases; earlier[i]: cycles by which the first i of all move what follows. */
static void settle_iteration(fs_device *d, uint64_t number, const uint64_t *earlier) {
    fs_samples *s = d->samples;
    kept_iteration *k = &s->iteration[number];
    const uint32_t end = number + 1 < s->iterations ? s->iteration[number + 1].samples : s->count;
    k->of.start += earlier[k->samples];
    k->of.exchange += earlier[end] - earlier[k->samples];
    for (uint32_t i = 0; i < s->steps; i++)
        k->took[i].start += earlier[k->took_at[i]];
    for (uint32_t x = k->samples; x < end; x++) {
        const uint64_t more = earlier[x + 1] - earlier[x];
        k->took[s->sample[x].step->number].exchange += more;
        book(d, &s->sample[x], more);
    }
    for (uint32_t i = 0; i < s->steps; i++)
        d->steps[i].took = k->took[i];
    fs_energy_mend(&d->energy, number, k->of.start, earlier[end] - earlier[k->samples]);
    if (d->client->settled != NULL)
        d->client->settled(d->client->self, &k->of);
}

fs_status fs_samples_settle(fs_device *d, fs_error *err) {
    fs_samples *s = d->samples;
    uint64_t bounds = 0;
    for (uint32_t x = 0; x < s->count; x++)
        bounds += s->sample[x].weight * s->sample[x].bound;
    if (fs_fabric_settle(d->steps[0].fabric, d->exchange - bounds, &d->books.port_counters, err))
        return err->status;
    const fs_fabric_sample *known = &fs_fabric_network_of(d->steps[0].fabric)->sample;
    FS_ASSERT(known->count == s->count, "%u phases of a network, %u were kept", known->count, s->count);
    uint64_t *earlier = FS_NEW(s->arena, uint64_t, s->count + 1);
    for (uint32_t x = 0; x < s->count; x++)
        earlier[x + 1] = earlier[x] + s->sample[x].weight * (known->row[x].cycles - s->sample[x].bound);
    for (uint64_t i = 0; i < s->iterations; i++)
        settle_iteration(d, i, earlier);
    return FS_OK;
}
