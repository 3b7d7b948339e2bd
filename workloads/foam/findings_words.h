/* How a finding is written. Private to findings*.c. */
#ifndef FOAMSIM_WORKLOADS_FOAM_FINDINGS_WORDS_H
#define FOAMSIM_WORKLOADS_FOAM_FINDINGS_WORDS_H

#include "workloads/foam/findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHORT = 160, PERCENT_BYTES = 16 };

typedef struct writer {
    const fs_findings_source *source;
    fs_findings *out;
} writer;

/* ---- words ---- */

/* "81 %", "0.3 %", "under 0.1 %". */
static inline const char *percent(double share, char text[PERCENT_BYTES]) {
    const double p = 100.0 * share;
    if (p > 0 && p < 0.05)
        return "under 0.1 %";
    snprintf(text, PERCENT_BYTES, p > 0 && p < 1 ? "%.1f %%" : "%.0f %%", p);
    return text;
}
/* "at most 3 %", "less than 0.1 %". */
static inline const char *at_most(double share, char text[2 * PERCENT_BYTES]) {
    char number[PERCENT_BYTES];
    const char *p = percent(share, number);
    if (p != number)
        return "less than 0.1 %";
    snprintf(text, 2 * PERCENT_BYTES, share > 0 ? "at most %s" : "nothing", p);
    return text;
}
#define AT_MOST(percentage) at_most((percentage) / 100, (char[2 * PERCENT_BYTES]){0})
#define PERCENT(share)      percent(share, (char[PERCENT_BYTES]){0})

static inline const char *plural(uint64_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

/* "tile 412, the tracer of shard 284 (the camera's)", "tile 1364, a router of level 5". */
static inline const char *name_tile(const fs_foam_books *b, uint32_t tile, char text[SHORT]) {
    const fs_overlay *o = b->overlay;
    const uint32_t shard = o->shard_of_tile[tile];
    switch ((fs_role)o->role[tile]) {
    case FS_ROLE_TRACER: {
        const bool camera = shard != UINT32_MAX && shard == o->shard_of_tile[b->camera_tile];
        const bool several = shard != UINT32_MAX && o->owner_start[shard + 1] - o->owner_start[shard] > 1;
        snprintf(text, SHORT, "tile %" PRIu32 ", %s tracer of shard %" PRIu32 "%s", tile,
                 several ? "a" : "the", shard, camera ? " (the camera's)" : "");
        break;
    }
    case FS_ROLE_ROUTER:
        snprintf(text, SHORT, "tile %" PRIu32 ", a router of level %u", tile, o->level[tile]);
        break;
    case FS_ROLE_GENERATOR:
        snprintf(text, SHORT, "tile %" PRIu32 ", the generator", tile);
        break;
    default:
        snprintf(text, SHORT, "tile %" PRIu32, tile);
    }
    return text;
}

/* "the tracers", "the routers of level 2", "the generator". */
static inline const char *name_level(const fs_overlay *o, uint32_t level, char text[SHORT]) {
    if (level == 0)
        return "the tracers";
    if (level > o->levels)
        return "the generator";
    snprintf(text, SHORT, o->levels == 1 ? "the routers" : "the routers of level %" PRIu32, level);
    return text;
}

static inline fs_finding *begin(writer *w, const char *key) {
    FS_ASSERT(w->out->count < FS_FINDINGS_MOST, "more findings than places");
    fs_finding *f = &w->out->finding[w->out->count++];
    *f = (fs_finding){.key = key};
    return f;
}

static inline void add(fs_finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void add(fs_finding *f, const char *format, ...) {
    size_t used = strlen(f->text);
    va_list args;
    va_start(args, format);
    vsnprintf(f->text + used, sizeof f->text - used, format, args);
    va_end(args);
}

static inline void figure(fs_finding *f, const char *name, double value) {
    FS_ASSERT(f->figures < FS_FINDING_FIGURES, "more figures than places");
    f->figure[f->figures].name = name;
    f->figure[f->figures++].value = value;
}

/* Those of a decoupled run, beside loss, drain, imbalance and sram. */
void fs_findings_decoupled(writer *w);

#endif
