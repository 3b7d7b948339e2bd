/* What a reader wants to know beside the figures: what set the pace, and how like the scenes are. */
#include "validation/private.h"

#include <math.h>
#include <string.h>

/* ---- pace ---- */

/* The stand-in whose time is the middle one of the variant's; SIZE_MAX when none ran. */
static size_t middle_standin(const fs_validation *v, const fs_validation_case *c, const fs_variant *variant) {
    double *times = FS_NEW(v->arena, double, c->standin_count + 1);
    size_t best = SIZE_MAX;
    for (size_t s = 0; s < c->standin_count; s++)
        times[s] = fs_variant_value(variant, s, "device.seconds");
    const double median = fs_median(times, c->standin_count);
    for (size_t s = 0; s < c->standin_count; s++)
        if (isfinite(times[s]) && (best == SIZE_MAX || fabs(times[s] - median) < fabs(times[best] - median)))
            best = s;
    return best;
}

static fs_pace pace_of(const fs_validation *v, const fs_validation_case *c, const fs_variant *variant) {
    const size_t s = middle_standin(v, c, variant);
    fs_pace p = {.variant = variant->name,
                 .tracer = fs_variant_value(variant, s, "pace.tracer"),
                 .router = fs_variant_value(variant, s, "pace.router"),
                 .generator = fs_variant_value(variant, s, "pace.generator"),
                 .camera = fs_variant_value(variant, s, "pace.camera_tile"),
                 .cycles_injecting = fs_variant_value(variant, s, "device.cycles_per_injecting_iteration"),
                 .cycles_draining = fs_variant_value(variant, s, "device.cycles_per_draining_iteration")};
    const char *hottest = p.tracer >= p.router ? "tracers" : "routers";
    p.words = fs_arena_printf(
        v->arena,
        "%s: %s set the pace in %.0f %% of the iterations, tile %.0f alone in %.0f %% (camera's %.0f %%)",
        c->standins[s]->name, hottest, 100 * (p.tracer >= p.router ? p.tracer : p.router),
        fs_variant_value(variant, s, "pace.hottest_tile"),
        100 * fs_variant_value(variant, s, "pace.hottest_share"), 100 * p.camera);
    return p;
}

void fs_describe_paces(fs_validation *v) {
    for (size_t k = 0; k < v->case_count; k++) {
        fs_validation_case *c = &v->cases[k];
        c->pace_count = 0;
        if (!c->scored)
            continue;
        c->paces = FS_NEW(v->arena, fs_pace, c->variant_count + 1);
        for (size_t i = 0; i < c->variant_count; i++)
            if (middle_standin(v, c, &c->variants[i]) != SIZE_MAX)
                c->paces[c->pace_count++] = pace_of(v, c, &c->variants[i]);
    }
}

/* ---- stand-ins ---- */

/* Scene statistics: what may be used to calibrate and is no time. */
static bool of_scene(const fs_claim *f) {
    return f->use == FS_USE_CALIBRATE && strcmp(f->unit, "s") != 0;
}

static bool of_ensemble(const fs_validation_case *c, const char *ensemble) {
    for (size_t s = 0; s < c->standin_count; s++)
        if (strcmp(c->standins[s]->ensemble, ensemble) == 0)
            return true;
    return false;
}

static double value_on(const fs_validation_case *c, const fs_claim *f, const fs_standin *standin) {
    for (size_t s = 0; s < c->standin_count; s++)
        if (c->standins[s] == standin)
            return f->simulated[s];
    return (double)NAN;
}

void fs_describe_standins(fs_validation *v) {
    for (size_t i = 0; i < v->standin_count; i++) {
        fs_standin *standin = &v->standins[i];
        size_t room = 0;
        for (size_t k = 0; k < v->case_count; k++)
            room += v->cases[k].claim_count;
        standin->likeness = FS_NEW(v->arena, fs_likeness, room + 1);
        standin->likeness_count = 0;
        for (size_t k = 0; k < v->case_count; k++)
            for (size_t n = 0; n < v->cases[k].claim_count; n++) {
                const fs_validation_case *c = &v->cases[k];
                const fs_claim *f = &c->claims[n];
                if (of_scene(f) && of_ensemble(c, standin->ensemble))
                    standin->likeness[standin->likeness_count++] =
                        (fs_likeness){f->name, f->unit, f->published, value_on(c, f, standin)};
            }
    }
}
