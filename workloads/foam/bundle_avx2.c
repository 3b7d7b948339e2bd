/* Eight rays side by side. No FMA: every operation rounds as its scalar twin does. */
#include "workloads/foam/bundle.h"

#include "workloads/foam/march_step.h"

#include <string.h>

#if defined(__x86_64__)

#include "workloads/foam/exit_avx2.h"

#include <cpuid.h>

enum { LANES = FS_EYE_LANES, MANY_BLOCKS = 8 }; /* with more, counts may not fit what a leg has left */
enum { LEGS_AHEAD = 3 }; /* a round may begin two legs of a ray, and the last one is still to be written */

static const uint64_t mark = (uint64_t)1 << FS_LEG_DEPTH_AT;
static const uint64_t leg_is_full = (uint64_t)FS_LEG_FACES << FS_LEG_FACES_AT |
                                    (uint64_t)FS_LEG_CELLS << FS_LEG_CELLS_AT |
                                    (uint64_t)FS_LEG_NEAREST << FS_LEG_NEAREST_AT;

/* Eight rays after a step, a lane each: each has found its way out of a cell. */
typedef struct stand {
    /* where the ray goes on */
    _Alignas(32) uint32_t slot[LANES]; /* of the cell that it enters, 0: not looked up yet */
    uint32_t place[LANES];             /* of that cell */
    uint32_t shard[LANES];             /* of the cell that it leaves */
    uint32_t leg[LANES];               /* where the leg under way will be written */
    uint64_t seen[LANES];              /* and what stands there so far */
    /* of the cell that it leaves */
    uint32_t t_out[LANES];       /* bits of t less one; NO_EXIT: there is none */
    uint64_t look[LANES];        /* density and colour, as they lie in fs_eye_cell */
    uint32_t crossed[LANES];     /* all bits: the ray had been handed over into it */
    fs_march_counts wide[LANES]; /* its counts where they were not added to `seen`; cells 0: they were */
    uint64_t full;               /* bits of leg_is_full, or `wide` of some lane: `seen` must be cut */
} stand;

/* What does not change in a step, or only with the light; lanes from `active` on hold nothing. */
typedef struct lanes {
    _Alignas(32) float d[3][LANES];
    float t[LANES], T[LANES], r[LANES], g[LANES], b[LANES], depth[LANES];
    uint32_t cells[LANES]; /* whose light has passed */
    uint32_t ray[LANES];   /* of the bundle */
    uint32_t active;
} lanes;

/* ---- a step of a ray: into a cell and out again ---- */

static inline void put_leg(fs_leg *leg, uint64_t what) {
    memcpy(leg, &what, sizeof what);
}

/* What a step needs, by value: no store may seem to change it. */
typedef struct ground {
    const unsigned char *memory;
    const _Atomic uint32_t *slot;
    fs_leg *leg;
    uint32_t cut; /* all bits: the scene is cut into shards */
    fs_eye *eye;
} ground;

/* Takes ray k from where it stands through the next cell; may be repeated with another `from`. */
AVX2_INLINE void step(const ground g, const lanes *s, const stand *from, stand *to, uint32_t k) {
    uint32_t slot = from->slot[k];
    if (__builtin_expect(slot == 0, 0))
        slot = fs_eye_enter(g.eye, from->place[k]);
    const fs_eye_cell *c = fs_eye_at(g.memory, slot);
    /* handed over on the way in: the leg that ended there is kept, else it is written over later */
    const uint32_t shard = c->shard, leg = from->leg[k];
    const uint64_t other = (shard ^ from->shard[k]) & g.cut, crossed = 0u - ((0u - other) >> 63);
    uint64_t seen = from->seen[k];
    put_leg(&g.leg[leg], seen | shard);
    to->leg[k] = leg + (uint32_t)(crossed & FS_BUNDLE_RAYS);
    to->shard[k] = shard;
    to->crossed[k] = (uint32_t)crossed;
    memcpy(&to->look[k], &c->density, sizeof to->look[k]);
    seen = (seen & ~crossed) + c->counts;
    exit_face exit;
    if (__builtin_expect(c->blocks > FEW_BLOCKS, 0)) {
        exit = exit_of_any(c, &s->d[0][k]);
        if (c->blocks > MANY_BLOCKS) {
            to->wide[k] = (fs_march_counts){.cells = 1,
                                            .faces = (uint16_t)(c->counts >> FS_LEG_FACES_AT),
                                            .front = exit.front,
                                            .nearest = exit.nearest};
            to->full = leg_is_full;
            seen -= c->counts;
            exit.front = exit.nearest = 0;
        }
    } else {
        exit = exit_of_few(g.memory, c, &s->d[0][k]);
    }
    seen += (uint64_t)exit.front << FS_LEG_FRONT_AT | (uint64_t)exit.nearest << FS_LEG_NEAREST_AT;
    to->full |= seen;
    to->seen[k] = seen;
    to->t_out[k] = exit.key;
    to->place[k] = exit.cell;
    slot = atomic_load_explicit(&g.slot[exit.cell], memory_order_acquire);
    to->slot[k] = slot;
    const char *next = fs_eye_at(g.memory, slot);
    _mm_prefetch(next, _MM_HINT_T0);
    _mm_prefetch(next + 64, _MM_HINT_T0);
    _mm_prefetch(next + 128, _MM_HINT_T0);
    _mm_prefetch(next + 192, _MM_HINT_T0);
    _mm_prefetch(next + 256, _MM_HINT_T0);
    _mm_prefetch(next + 320, _MM_HINT_T0);
}

/* ---- the light of eight cells ---- */

AVX2_INLINE __m256 either(__m256 yes, __m256 no, __m256 which) {
    return _mm256_blendv_ps(no, yes, which);
}

/* fs_expf_neg of eight. */
AVX2_INLINE __m256 expf_neg(__m256 x) {
    const __m256 shift = _mm256_set1_ps(0x1.8p23f);
    __m256 k = _mm256_sub_ps(_mm256_add_ps(_mm256_mul_ps(x, _mm256_set1_ps(0x1.715476p0f)), shift), shift);
    __m256 r = _mm256_sub_ps(_mm256_sub_ps(x, _mm256_mul_ps(k, _mm256_set1_ps(0x1.62e4p-1f))),
                             _mm256_mul_ps(k, _mm256_set1_ps(0x1.7f7d1cp-20f)));
    static const float c[] = {0x1.120be2p-7f, 0x1.555518p-5f, 0x1.5554dcp-3f, 0.5f, 1.0f, 1.0f};
    __m256 p = _mm256_set1_ps(0x1.6d117cp-10f);
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++)
        p = _mm256_add_ps(_mm256_mul_ps(p, r), _mm256_set1_ps(c[i]));
    __m256i scale = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvttps_epi32(k), _mm256_set1_epi32(127)), 23);
    return _mm256_and_ps(_mm256_mul_ps(p, _mm256_castsi256_ps(scale)),
                         _mm256_cmp_ps(x, _mm256_set1_ps(-87.0f), _CMP_GT_OQ));
}

/* fs_f16_round of the lanes in `which`. */
AVX2_INLINE void round_half(float *x, __m256 which) {
    const __m256 most = _mm256_set1_ps(65504.0f);
    __m256 now = _mm256_load_ps(x);
    __m256 number = _mm256_and_ps(now, _mm256_cmp_ps(now, now, _CMP_ORD_Q));
    __m256 bounded = _mm256_max_ps(_mm256_min_ps(number, most), _mm256_sub_ps(_mm256_setzero_ps(), most));
    __m256 half = _mm256_cvtph_ps(_mm256_cvtps_ph(bounded, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    _mm256_store_ps(x, either(half, now, which));
}

/* What a payload does to the rays that have been handed over, as masks. */
typedef struct rounding {
    __m256 t, rgb, no_depth;
} rounding;

AVX2_INLINE __m256 all_if(bool yes) {
    return _mm256_castsi256_ps(_mm256_set1_epi32(yes ? -1 : 0));
}

AVX2_INLINE void hand_over(lanes *s, const stand *at, const rounding *how) {
    const __m256 crossed = _mm256_load_ps((const float *)(const void *)at->crossed);
    const __m256 t = _mm256_and_ps(crossed, how->t), rgb = _mm256_and_ps(crossed, how->rgb);
    round_half(s->t, t);
    round_half(s->T, t);
    round_half(s->r, rgb);
    round_half(s->g, rgb);
    round_half(s->b, rgb);
    round_half(s->depth, rgb);
    _mm256_store_ps(s->depth,
                    _mm256_andnot_ps(_mm256_and_ps(crossed, how->no_depth), _mm256_load_ps(s->depth)));
}

AVX2_INLINE void add_colour(float *sum, __m256i rgb, int shift, __m256 weight) {
    __m256i byte = _mm256_and_si256(_mm256_srli_epi32(rgb, shift), _mm256_set1_epi32(255));
    __m256 colour = _mm256_div_ps(_mm256_cvtepi32_ps(byte), _mm256_set1_ps(255.0f));
    _mm256_store_ps(sum, _mm256_add_ps(_mm256_load_ps(sum), _mm256_mul_ps(weight, colour)));
}

AVX2_INLINE uint32_t lanes_of(__m256 which) {
    return (uint32_t)_mm256_movemask_ps(which);
}

/* Density and colour of eight cells, apart. */
AVX2_INLINE __m256i looks_of(const uint64_t *look, __m256 *density) {
    const __m256 a = _mm256_load_ps((const float *)(const void *)look),
                 b = _mm256_load_ps((const float *)(const void *)(look + 4));
    const __m256 even = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)),
                 odd = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)); /* pairs 0 2 1 3 */
    *density =
        _mm256_castsi256_ps(_mm256_permute4x64_epi64(_mm256_castps_si256(even), _MM_SHUFFLE(3, 1, 2, 0)));
    return _mm256_permute4x64_epi64(_mm256_castps_si256(odd), _MM_SHUFFLE(3, 1, 2, 0));
}

static float density_of(uint64_t look) {
    float density;
    memcpy(&density, &look, sizeof density);
    return density;
}

/* The light of the cells that the rays left to stand at `at`: fs_march_absorb of eight. Returns the lanes
 * whose rays end there; *passes, those whose transmittance passes 0.5, with t and T as they were in s. */
AVX2_INLINE uint32_t absorb(lanes *s, const stand *at, float threshold, uint32_t *passes) {
    const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f), half = _mm256_set1_ps(0.5f);
    const __m256 t = _mm256_load_ps(s->t), T = _mm256_load_ps(s->T);
    __m256 density;
    const __m256i rgb = looks_of(at->look, &density);
    const __m256i key = _mm256_load_si256((const __m256i *)(const void *)at->t_out);
    const __m256 stays = _mm256_castsi256_ps(_mm256_cmpeq_epi32(key, _mm256_set1_epi32(NO_EXIT)));
    const __m256 t_out = _mm256_castsi256_ps(_mm256_add_epi32(key, _mm256_set1_epi32(1)));
    const __m256 dt = _mm256_sub_ps(t_out, t);
    const __m256 moves = _mm256_andnot_ps(stays, _mm256_cmp_ps(dt, zero, _CMP_GT_OQ));
    const __m256 dims = _mm256_and_ps(moves, _mm256_cmp_ps(density, zero, _CMP_GT_OQ));
    const __m256 minus = _mm256_xor_ps(density, _mm256_set1_ps(-0.0f));
    const __m256 alpha = _mm256_sub_ps(one, expf_neg(_mm256_mul_ps(minus, dt)));
    const __m256 after = either(_mm256_mul_ps(T, _mm256_sub_ps(one, alpha)), T, dims);
    const __m256 weight = _mm256_and_ps(_mm256_mul_ps(T, alpha), dims);
    const __m256 halves =
        _mm256_and_ps(_mm256_cmp_ps(after, half, _CMP_LT_OQ), _mm256_cmp_ps(T, half, _CMP_GE_OQ));
    *passes = lanes_of(_mm256_and_ps(halves, _mm256_cmp_ps(_mm256_load_ps(s->depth), zero, _CMP_EQ_OQ)));
    if (__builtin_expect(*passes != 0, 0))
        for (uint32_t k = 0; k < s->active; k++)
            if ((*passes >> k & 1) != 0)
                s->depth[k] = fs_march_depth(s->t[k], s->T[k], density_of(at->look[k]));
    _mm256_store_ps(s->t, either(t_out, t, moves));
    _mm256_store_ps(s->T, after);
    add_colour(s->r, rgb, 0, weight);
    add_colour(s->g, rgb, 8, weight);
    add_colour(s->b, rgb, 16, weight);
    return lanes_of(_mm256_or_ps(_mm256_cmp_ps(after, _mm256_set1_ps(threshold), _CMP_LT_OQ), stays));
}

/* ---- rays come and go ---- */

static void begin_ray(const fs_journey *j, const fs_bundle *b, lanes *s, stand *at, uint32_t k,
                      uint32_t ray) {
    const fs_ray_state *state = &b->state[ray];
    for (uint32_t axis = 0; axis < 3; axis++)
        s->d[axis][k] = b->direction[ray][axis];
    s->t[k] = state->t;
    s->T[k] = state->T;
    s->r[k] = state->r;
    s->g[k] = state->g;
    s->b[k] = state->b;
    s->depth[k] = state->depth;
    s->cells[k] = 0;
    s->ray[k] = ray;
    at->slot[k] = 0;
    at->place[k] = b->cell[ray];
    at->shard[k] = j->scene->cell[b->cell[ray]].shard;
    at->leg[k] = ray;
    at->seen[k] = 0;
}

static void end_ray(const fs_journey *j, fs_bundle *b, const lanes *s, const stand *at, uint32_t k) {
    const uint32_t ray = s->ray[k];
    fs_ray_state *state = &b->state[ray];
    uint32_t marks = 0;
    *state = (fs_ray_state){s->t[k], s->T[k], s->r[k], s->g[k], s->b[k], s->depth[k]};
    if (at->t_out[k] == NO_EXIT && j->march->hull_opaque) {
        fs_march_cell last = {0};
        const uint32_t rgb = (uint32_t)(at->look[k] >> 32);
        memcpy(last.rgb, &rgb, sizeof last.rgb);
        fs_march_hull(&last, state, &marks);
    }
    put_leg(&b->leg[at->leg[k]], at->seen[k] | (uint64_t)marks << FS_LEG_DEPTH_AT | FS_LEG_ENDS);
    b->legs[ray] = at->leg[k] / FS_BUNDLE_RAYS + 1;
    if (j->payload != NULL && j->round_at_end)
        fs_payload_round(j->payload, state);
}

/* The last active ray moves into lane k. */
static void close_lane(lanes *s, stand *at, uint32_t k) {
    const uint32_t last = --s->active;
    for (uint32_t axis = 0; axis < 3; axis++)
        s->d[axis][k] = s->d[axis][last];
    s->t[k] = s->t[last];
    s->T[k] = s->T[last];
    s->r[k] = s->r[last];
    s->g[k] = s->g[last];
    s->b[k] = s->b[last];
    s->depth[k] = s->depth[last];
    s->cells[k] = s->cells[last];
    s->ray[k] = s->ray[last];
    at->slot[k] = at->slot[last];
    at->place[k] = at->place[last];
    at->shard[k] = at->shard[last];
    at->leg[k] = at->leg[last];
    at->seen[k] = at->seen[last];
    at->t_out[k] = at->t_out[last];
    at->look[k] = at->look[last];
    at->crossed[k] = at->crossed[last];
    at->wide[k] = at->wide[last];
    at->wide[last].cells = 0;
}

/* Cuts what lane k has seen where it must be; false when its ray has too many legs. */
static bool cut_leg(fs_bundle *b, const lanes *s, stand *at, uint32_t k) {
    const uint64_t seen = at->seen[k];
    const uint32_t ray = s->ray[k];
    const fs_march_counts *wide = &at->wide[k];
    fs_march_counts counts = {.cells = (uint32_t)(seen >> FS_LEG_CELLS_AT & 0xff) + wide->cells,
                              .faces = (uint32_t)(seen >> FS_LEG_FACES_AT & 0xffff) + wide->faces,
                              .front = (uint32_t)(seen >> FS_LEG_FRONT_AT & 0xffff) + wide->front,
                              .nearest = (uint32_t)(seen >> FS_LEG_NEAREST_AT & 0x7f) + wide->nearest,
                              .depth_marks = (uint32_t)(seen >> FS_LEG_DEPTH_AT)};
    at->wide[k] = (fs_march_counts){0};
    b->legs[ray] = at->leg[k] / FS_BUNDLE_RAYS;
    if (!fs_bundle_write_parts(b, ray, &counts) || b->legs[ray] > FS_BUNDLE_LEGS - LEGS_AHEAD)
        return false;
    at->leg[k] = b->legs[ray] * FS_BUNDLE_RAYS + ray;
    at->seen[k] = (uint64_t)counts.faces << FS_LEG_FACES_AT | (uint64_t)counts.front << FS_LEG_FRONT_AT |
                  (uint64_t)counts.cells << FS_LEG_CELLS_AT | (uint64_t)counts.nearest << FS_LEG_NEAREST_AT |
                  (uint64_t)counts.depth_marks << FS_LEG_DEPTH_AT;
    return true;
}

/* ---- rounds ---- */

/* Counts the cells and watches the step limit; false when a ray has too many legs. */
AVX2_INLINE bool count_cells(lanes *s, const stand *at, const fs_march_params *params) {
    const int32_t limit = params->step_limit < INT32_MAX ? (int32_t)params->step_limit : INT32_MAX;
    __m256i *to = (__m256i *)(void *)s->cells;
    const __m256i cells = _mm256_add_epi32(_mm256_load_si256(to), _mm256_set1_epi32(1));
    const __m256i leg = _mm256_load_si256((const __m256i *)(const void *)at->leg);
    const __m256i last = _mm256_set1_epi32((FS_BUNDLE_LEGS - LEGS_AHEAD) * FS_BUNDLE_RAYS);
    _mm256_store_si256(to, cells);
    if (_mm256_movemask_epi8(_mm256_cmpgt_epi32(cells, _mm256_set1_epi32(limit))) != 0)
        fs_march_lost(params);
    return _mm256_movemask_epi8(_mm256_cmpgt_epi32(leg, last)) == 0;
}

/* Sees to lanes whose legs must be cut; adds them to *again. */
static bool cut_legs(fs_bundle *b, const lanes *s, stand *at, uint32_t *again) {
    for (uint32_t k = 0; k < s->active; k++)
        if (at->wide[k].cells > 0 || (at->seen[k] & leg_is_full) != 0) {
            if (!cut_leg(b, s, at, k))
                return false;
            *again |= 1u << k;
        }
    return true;
}

/* The rays that have a lane go on until some lane is free. A round takes every ray through a cell before it
 * works out the light of the cell before: that depends on all steps of a round, and would keep the host
 * waiting. Where the light then shows that a ray had ended, or that a leg is another, the step is repeated
 * from the right stand. */
AVX2 bool fs_bundle_avx2(const fs_journey *j, fs_eye *eye, fs_bundle *b) {
    const float threshold = (float)j->march->threshold;
    const bool cut = j->payload != NULL;
    const rounding how = {all_if(cut && j->payload->half_t), all_if(cut && j->payload->half_rgb),
                          all_if(cut && !j->payload->carries_depth)};
    const ground g = {
        .memory = eye->memory, .slot = eye->slot, .leg = b->leg, .cut = cut ? UINT32_MAX : 0, .eye = eye};
    lanes s = {.active = 0};
    stand stands[2] = {{.full = 0}, {.full = 0}}, *from = &stands[0], *to = &stands[1];
    uint32_t waiting = 0;
    while (s.active < LANES && waiting < b->rays)
        begin_ray(j, b, &s, to, s.active++, waiting++);
    for (uint32_t k = 0; k < s.active; k++)
        step(g, &s, to, from, k);
    while (s.active > 0) {
        const uint32_t active = s.active, all = (1u << active) - 1;
        to->full = 0;
        for (uint32_t k = 0; k < active; k++)
            step(g, &s, from, to, k);
        if (cut)
            hand_over(&s, from, &how);
        uint32_t passes;
        const uint32_t ended = absorb(&s, from, threshold, &passes) & all;
        uint32_t again = passes & all;
        for (uint32_t k = 0; again >> k != 0; k++)
            from->seen[k] |= (again >> k & 1) != 0 ? mark : 0;
        if (__builtin_expect((from->full & leg_is_full) != 0, 0) && !cut_legs(b, &s, from, &again))
            return false;
        if (!count_cells(&s, from, j->march))
            return false;
        for (uint32_t left = ended | again; left != 0;) {
            const uint32_t k = 31u ^ (uint32_t)__builtin_clz(left);
            left ^= 1u << k;
            if ((ended >> k & 1) != 0) {
                end_ray(j, b, &s, from, k);
                if (waiting == b->rays) {
                    close_lane(&s, to, k);
                    continue;
                }
                begin_ray(j, b, &s, from, k, waiting++);
            }
            to->wide[k].cells = 0;
            step(g, &s, from, to, k);
        }
        stand *then = from;
        from = to;
        to = then;
    }
    return true;
}

bool fs_march_has_avx2(void) {
    unsigned a, b, c = 0, d;
    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

#else

bool fs_bundle_avx2(const fs_journey *journey, fs_eye *eye, fs_bundle *bundle) {
    return fs_bundle_plain(journey, eye, bundle);
}

bool fs_march_has_avx2(void) {
    return false;
}

#endif
