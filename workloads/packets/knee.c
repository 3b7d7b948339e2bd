/* The knee of a curve of latency against load, by bisection. */
#include "workloads/packets/flow.h"

#include "sim/base/numbers.h"

#include <math.h>
#include <stdlib.h>

typedef struct search {
    fs_flow_setup setup;
    double most; /* cycles that a packet may take below the knee */
    fs_flow_knee *out;
} search;

/* Runs at a load: *calm when packets get through in time. */
static fs_status try(search *s, double load, bool *calm, fs_error *err) {
    fs_flow *f = fs_calloc(1, sizeof *f);
    fs_error why = {0};
    s->setup.load = load;
    fs_status status = fs_flow_run(&s->setup, f, &why);
    const double latency = f->arrived > 0 ? fs_latency_mean(&f->latency) : (double)NAN;
    if (f->piled)
        status = FS_OK;
    else if (status)
        fs_fail(err, status, "%s", why.text);
    *calm = status == FS_OK && f->whole && latency < s->most;
    if (status == FS_OK)
        s->out->probe[s->out->probes++] =
            (fs_flow_probe){.load = load,
                            .accepted = (double)f->taken / (double)s->setup.measure / s->setup.goals->nodes,
                            .latency = latency};
    fs_error_clear(&why);
    fs_flow_free(f);
    free(f);
    return status;
}

/* Halves [low, high] so many times. */
static fs_status bisect(search *s, double *low, double *high, int steps, fs_error *err) {
    for (int step = 0; step < steps; step++) {
        const double load = (*low + *high) / 2;
        bool calm = false;
        if (try(s, load, &calm, err))
            return err->status;
        *(calm ? low : high) = load;
    }
    return FS_OK;
}

fs_status fs_flow_find(const fs_flow_setup *setup, double times, double alone, double bound,
                       fs_flow_knee *out, fs_error *err) {
    const double makes = 1 / fs_flow_most_packets(setup), first = bound < makes ? bound : makes;
    search s = {.setup = *setup, .most = times * alone, .out = out};
    double low = 0, high = first;
    *out = (fs_flow_knee){.probes = 0};
    if (bisect(&s, &low, &high, FS_FLOW_PROBES, err) ||
        (low <= 0 && bisect(&s, &low, &high, FS_FLOW_PROBES, err)))
        return err->status;
    if (low <= 0)
        return fs_fail(
            err, FS_RUN,
            "workload.load: no knee: at a load of %s already a packet takes %s cycles, not below %s times "
            "the %s cycles of one alone; expected a load in place of find",
            fs_number_short(high, 2), fs_number_short(out->probe[out->probes - 1].latency, 3),
            fs_number_short(times, 2), fs_number_short(alone, 4));
    /* Where no load below the bound was too much, loads from it on are tried: a bound holds in the long run. */
    for (double load = first; high >= first && !out->found; load = fmin(2 * load, makes)) {
        bool calm = false;
        if (try(&s, load, &calm, err))
            return err->status;
        *(calm ? &low : &high) = load;
        out->found = !calm;
        if (load >= makes)
            break;
    }
    out->found = out->found || high < first;
    if (out->found && low >= first && bisect(&s, &low, &high, FS_FLOW_PROBES, err))
        return err->status;
    out->load = low;
    return FS_OK;
}
