/* Traffic patterns: which tracer a source's next ray wants. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/base/rng.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum fs_pattern_kind {
    FS_PATTERN_UNIFORM,   /* every other tracer alike */
    FS_PATTERN_HOTSPOT,   /* a share to the hotspots, each alike; what a hotspot would send itself, and the
                             rest, is uniform */
    FS_PATTERN_NEIGHBOUR, /* tracer i to i + 1, the last to 0 */
    FS_PATTERN_BIT_COMPLEMENT, /* tracer i to N - 1 - i: every bit turned when N is a power of two */
    FS_PATTERN_TRANSPOSE,      /* tracers in a square: row and column exchanged; the diagonal is silent */
} fs_pattern_kind;
extern const char *const fs_pattern_names[]; /* in that order, NULL-terminated */

#define FS_NO_TRACER UINT32_MAX

typedef struct fs_pattern {
    fs_pattern_kind kind;
    uint32_t tracers;    /* N */
    uint32_t side;       /* transpose: sqrt(N) */
    const uint32_t *hot; /* [hots] hotspots, all different */
    uint32_t hots;
    bool *is_hot;     /* [tracers] */
    double hot_share; /* 0 ... 1 */
} fs_pattern;

/* hot: [hots] kept, not copied. FS_INPUT, beginning with `where`, when the pattern does not fit the number of
 * tracers or a hotspot is no tracer or named twice. Memory from the arena. */
fs_status fs_pattern_make(fs_pattern_kind kind, uint32_t tracers, const uint32_t *hot, uint32_t hots,
                          double hot_share, const char *where, fs_arena *arena, fs_pattern *out,
                          fs_error *err);

/* The tracer that the next ray of `src` wants, never src; FS_NO_TRACER when src is silent. */
uint32_t fs_pattern_draw(const fs_pattern *pattern, uint32_t src, fs_rng *rng);
/* The part of src's rays that wants dst: 0 ... 1, adding up to 1 over dst, or to 0 for a silent source. */
double fs_pattern_share(const fs_pattern *pattern, uint32_t src, uint32_t dst);
