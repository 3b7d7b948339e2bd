/* The light of eight rays' cells at once, in groups of lanes. Private to bundle_core.h. */
#pragma once

#include "sim/base/fp16.h"
#include "workloads/foam/march/exit.h"
#include "workloads/foam/march/march_step.h"

enum { GROUPS = FS_EYE_LANES / LANE_COUNT };

/* fs_ray_state of eight rays. */
typedef struct light {
    floats t[GROUPS], T[GROUPS], r[GROUPS], g[GROUPS], b[GROUPS], depth[GROUPS];
} light;

/* fs_expf_neg. */
LANES_INLINE floats expf_neg(floats x) {
    static const float c[] = {0x1.120be2p-7f, 0x1.555518p-5f, 0x1.5554dcp-3f, 0.5f, 1.0f, 1.0f};
    const floats k = (x * 0x1.715476p0f + 0x1.8p23f) - 0x1.8p23f,
                 r = (x - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;
    floats p = all(0x1.6d117cp-10f);
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++)
        p = p * r + c[i];
    const ints scale = (__builtin_convertvector(k, ints) + 127) << 23;
    return only(x > -87.0f, p * (floats)scale);
}

/* fs_f16_round of the lanes in `which`. */
LANES_INLINE void round_half(floats *x, ints which) {
#if defined(LANES_ARE_AVX2)
    const floats bounded =
        larger(smaller(only(magnitude(*x) <= INFINITY, *x), all(65504.0f)), all(-65504.0f));
    *x = pick(which, _mm256_cvtph_ps(_mm256_cvtps_ph(bounded, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)),
              *x);
#else
    for (int i = 0; i < LANE_COUNT; i++)
        if (which[i] != 0)
            each(x)[i] = fs_f16_round(each(x)[i]);
#endif
}

/* What a payload does to the rays that have been handed over. */
typedef struct rounding {
    ints t, rgb, no_depth;
} rounding;

/* handed: all bits of the lanes whose rays have been. */
LANES_INLINE void hand_over(light *s, const words *handed, const rounding *how) {
    for (int g = 0; g < GROUPS; g++) {
        const ints crossed = (ints)handed[g], t = crossed & how->t, rgb = crossed & how->rgb;
        round_half(&s->t[g], t);
        round_half(&s->T[g], t);
        round_half(&s->r[g], rgb);
        round_half(&s->g[g], rgb);
        round_half(&s->b[g], rgb);
        round_half(&s->depth[g], rgb);
        s->depth[g] = only(~(crossed & how->no_depth), s->depth[g]);
    }
}

/* Eight cells on the way out. */
typedef struct eight_cells {
    floats density[GROUPS], r[GROUPS], g[GROUPS], b[GROUPS]; /* colour from 0 to 1 */
    floats t_out[GROUPS];
    ints stays[GROUPS]; /* there is no way out */
} eight_cells;

LANES_INLINE floats colour_of(words rgb, int shift) {
    return to_floats((ints)(rgb >> shift & 255)) / 255.0f;
}

/* key: t_out as exit_face.key. */
/* look: density and colour of a cell as they lie in fs_eye_cell; they come apart. */
LANES_INLINE void look_apart(const uint64_t look[FS_EYE_LANES], floats density[GROUPS], words rgb[GROUPS]) {
#if defined(LANES_ARE_AVX2)
    const __m256 a = _mm256_load_ps((const float *)(const void *)look),
                 b = _mm256_load_ps((const float *)(const void *)(look + 4));
    const __m256d even = _mm256_castps_pd(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))),
                  odd =
                      _mm256_castps_pd(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1))); /* pairs 0 2 1 3 */
    density[0] = (floats)_mm256_permute4x64_pd(even, _MM_SHUFFLE(3, 1, 2, 0));
    rgb[0] = (words)_mm256_permute4x64_pd(odd, _MM_SHUFFLE(3, 1, 2, 0));
#else
    for (int k = 0; k < FS_EYE_LANES; k++) {
        memcpy(&each(density)[k], &look[k], sizeof(float));
        each(rgb)[k] = (uint32_t)(look[k] >> 32);
    }
#endif
}

/* key: t_out as exit_face.key. */
LANES_INLINE eight_cells look_at(const uint64_t look[FS_EYE_LANES], const words key[GROUPS]) {
    eight_cells cells;
    words rgb[GROUPS];
    look_apart(look, cells.density, rgb);
    for (int g = 0; g < GROUPS; g++) {
        cells.r[g] = colour_of(rgb[g], 0);
        cells.g[g] = colour_of(rgb[g], 8);
        cells.b[g] = colour_of(rgb[g], 16);
        cells.t_out[g] = (floats)(key[g] + 1);
        cells.stays[g] = key[g] == NO_EXIT;
    }
    return cells;
}

/* fs_march_absorb, and the colour. Returns the lanes whose rays end there; *passes, those whose transmittance
 * passes 0.5: their depth is set. Lanes without a ray may be in both. */
LANES_INLINE uint32_t absorb(light *s, const eight_cells *c, float threshold, uint32_t *passes) {
    uint32_t ended = 0;
    *passes = 0;
    for (int g = 0; g < GROUPS; g++) {
        const floats t = s->t[g], T = s->T[g], dt = c->t_out[g] - t;
        const ints moves = ~c->stays[g] & (dt > 0.0f), dims = moves & (c->density[g] > 0.0f);
        const floats alpha = 1.0f - expf_neg(-c->density[g] * dt);
        const floats after = pick(dims, T * (1.0f - alpha), T), weight = only(dims, T * alpha);
        const uint32_t halves = bits_of((after < 0.5f) & (T >= 0.5f) & (s->depth[g] == 0.0f));
        for (uint32_t left = halves; __builtin_expect(left != 0, 0); left &= left - 1) {
            const int k = __builtin_ctz(left);
            each(&s->depth[g])[k] = fs_march_depth(each(&s->t[g])[k], each(&s->T[g])[k], c->density[g][k]);
        }
        s->t[g] = pick(moves, c->t_out[g], t);
        s->T[g] = after;
        s->r[g] += weight * c->r[g];
        s->g[g] += weight * c->g[g];
        s->b[g] += weight * c->b[g];
        *passes |= halves << g * LANE_COUNT;
        ended |= bits_of((after < threshold) | c->stays[g]) << g * LANE_COUNT;
    }
    return ended;
}
