/* Eight paths side by side, with the bits of paths.c: the same operations in the same order, lane by lane. A
 * lane whose path has ended takes the next point of the job. */
#include "workloads/smallpaint/walk/paths.h"
#include "workloads/smallpaint/walk/private.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/smallpaint/walk/vectors.h"

enum { LANES = 8 };

/* What the lanes look up by the object that they hit. */
typedef struct objects {
    float centre[3][FS_PRIMITIVES_MOST], normal[3][FS_PRIMITIVES_MOST];
    float index[FS_PRIMITIVES_MOST];
    int32_t sphere[FS_PRIMITIVES_MOST], kind[FS_PRIMITIVES_MOST], emits[FS_PRIMITIVES_MOST];
} objects;

/* A vector whose lanes can be set one by one. */
typedef union words {
    __m256i v;
    uint32_t at[LANES];
} words;
typedef union floats {
    __m256 v;
    float at[LANES];
} floats;

/* What the lanes' paths have counted so far. */
typedef enum counter {
    BEHIND,
    ENTERED,
    TOWARDS,
    NEARER,
    NUMBERS,
    BOUNCES,
    DIFFUSE,
    MIRROR,
    GLASS,
    COUNTERS
} counter;

typedef struct lanes {
    const fs_paint_rules *rules;
    const fs_paint_job *job;
    const objects *objects;
    floats origin[3], direction[3];
    words random[4], counted[COUNTERS];
    uint32_t live;         /* a bit for each lane with a path */
    uint32_t lit;          /* that met a light */
    uint32_t point[LANES]; /* of the job */
    uint32_t entries[LANES];
    fs_paint_entry entry[LANES][FS_PAINT_CAP];
    uint32_t next, points;
    uint32_t spheres, planes, discs; /* of the scene */
} lanes;

/* ---- lanes ---- */

/* A lane's next point; it rests when there is none. */
AVX2 static void begin(lanes *l, int lane) {
    const uint32_t point = l->next++;
    if (point >= l->points) {
        l->live &= ~(1u << lane);
        return;
    }
    const fs_paint_job *job = l->job;
    const fs_paint_start start =
        fs_paint_begin(l->rules, job->left + point % job->width, job->top + point / job->width, job->sample);
    l->live |= 1u << lane;
    l->lit &= ~(1u << lane);
    l->point[lane] = point;
    l->entries[lane] = 0;
    for (int i = 0; i < 4; i++)
        l->random[i].at[lane] = start.random.s[i];
    for (int i = 0; i < 3; i++)
        l->origin[i].at[lane] = 0.0f;
    l->direction[0].at[lane] = start.direction.x;
    l->direction[1].at[lane] = start.direction.y;
    l->direction[2].at[lane] = start.direction.z;
    for (int i = 0; i < COUNTERS; i++)
        l->counted[i].at[lane] = 0;
}

/* Its counts go to the worker of its row, its light to its pixel. */
AVX2 static void end(lanes *l, int lane, fs_paint_count how) {
    const fs_paint_job *job = l->job;
    const uint32_t point = l->point[lane], entries = l->entries[lane];
    const bool lit = (l->lit >> lane & 1u) != 0;
    uint32_t *counts = job->counts + (size_t)job->row_worker[point / job->width] * FS_PAINT_COUNTS;
    const uint32_t bounces = l->counted[BOUNCES].at[lane], behind = l->counted[BEHIND].at[lane],
                   entered = l->counted[ENTERED].at[lane], towards = l->counted[TOWARDS].at[lane];
    counts[FS_PAINT_PATH]++;
    counts[FS_PAINT_BOUNCE] += bounces;
    counts[FS_PAINT_PLANE] += bounces * l->planes;
    counts[FS_PAINT_SPHERE_BEHIND] += behind;
    counts[FS_PAINT_SPHERE_ENTERED] += entered;
    counts[FS_PAINT_SPHERE_MISSED] += bounces * l->spheres - behind - entered;
    counts[FS_PAINT_DISC_TOWARDS] += towards;
    counts[FS_PAINT_DISC_AWAY] += bounces * l->discs - towards;
    counts[FS_PAINT_NEARER] += l->counted[NEARER].at[lane];
    counts[FS_PAINT_DIFFUSE] += l->counted[DIFFUSE].at[lane];
    counts[FS_PAINT_MIRROR] += l->counted[MIRROR].at[lane];
    counts[FS_PAINT_GLASS] += l->counted[GLASS].at[lane];
    counts[FS_PAINT_NUMBERS] += l->counted[NUMBERS].at[lane];
    counts[FS_PAINT_PUSHED] += entries;
    counts[lit ? FS_PAINT_POPPED : FS_PAINT_CLEARED] += entries;
    counts[how]++;
    float *light = job->light + 3 * (size_t)point;
    memset(light, 0, 3 * sizeof *light);
    if (lit)
        fs_paint_accumulate(l->rules->scene, l->entry[lane], entries, light);
    begin(l, lane);
}

/* ---- a bounce ---- */

AVX2_INLINE void count(lanes *l, counter which, __m256 mask) {
    l->counted[which].v = _mm256_sub_epi32(l->counted[which].v, _mm256_castps_si256(mask));
}
AVX2_INLINE vec3 load3(const floats from[3]) {
    return (vec3){from[0].v, from[1].v, from[2].v};
}
AVX2_INLINE void store3(floats to[3], vec3 a) {
    to[0].v = a.x;
    to[1].v = a.y;
    to[2].v = a.z;
}

AVX2_INLINE __m256i next_word(words r[4], __m256i mask) {
    const __m256i s[4] = {r[0].v, r[1].v, r[2].v, r[3].v};
    const __m256i five = _mm256_add_epi32(_mm256_slli_epi32(s[1], 2), s[1]);
    const __m256i turned = _mm256_or_si256(_mm256_slli_epi32(five, 7), _mm256_srli_epi32(five, 25));
    const __m256i result = _mm256_add_epi32(_mm256_slli_epi32(turned, 3), turned);
    const __m256i shifted = _mm256_slli_epi32(s[1], 9);
    __m256i a = s[0], b = s[1], c = _mm256_xor_si256(s[2], s[0]), d = _mm256_xor_si256(s[3], s[1]);
    b = _mm256_xor_si256(b, c);
    a = _mm256_xor_si256(a, d);
    c = _mm256_xor_si256(c, shifted);
    d = _mm256_or_si256(_mm256_slli_epi32(d, 11), _mm256_srli_epi32(d, 21));
    r[0].v = _mm256_blendv_epi8(s[0], a, mask);
    r[1].v = _mm256_blendv_epi8(s[1], b, mask);
    r[2].v = _mm256_blendv_epi8(s[2], c, mask);
    r[3].v = _mm256_blendv_epi8(s[3], d, mask);
    return result;
}

/* A number for each lane of the mask. */
AVX2_INLINE __m256 number(lanes *l, __m256 mask) {
    const __m256i word = next_word(l->random, _mm256_castps_si256(mask));
    count(l, NUMBERS, mask);
    return l->rules->half_numbers ? mul(_mm256_cvtepi32_ps(_mm256_srli_epi32(word, 21)), all(0x1p-11f))
                                  : mul(_mm256_cvtepi32_ps(_mm256_srli_epi32(word, 8)), all(0x1p-24f));
}

AVX2_INLINE __m256 sphere(lanes *l, const fs_primitive *o, __m256 live) {
    const vec3 from = minus(load3(l->origin), all3(o->centre));
    const __m256 b = dot(from, load3(l->direction)), c = sub(dot(from, from), all(o->size * o->size)),
                 zero = all(0.0f);
    const __m256 behind =
        _mm256_and_ps(_mm256_cmp_ps(b, zero, _CMP_GT_OQ), _mm256_cmp_ps(c, zero, _CMP_GT_OQ));
    const __m256 inside = sub(mul(b, b), c);
    const __m256 entered = _mm256_andnot_ps(behind, _mm256_cmp_ps(inside, zero, _CMP_GE_OQ));
    count(l, BEHIND, _mm256_and_ps(behind, live));
    count(l, ENTERED, _mm256_and_ps(entered, live));
    if (_mm256_movemask_ps(_mm256_and_ps(entered, live)) == 0)
        return zero;
    const __m256 root = _mm256_sqrt_ps(inside), first = sub(negative(b), root);
    const __m256 t = pick(_mm256_cmp_ps(first, all(FS_PAINT_NEAR), _CMP_GT_OQ), first, sub(root, b));
    return _mm256_and_ps(entered, t);
}

AVX2_INLINE __m256 plane(const lanes *l, const fs_primitive *o) {
    const vec3 n = all3(o->normal);
    return _mm256_div_ps(negative(add(dot(n, load3(l->origin)), all(o->size))), dot(n, load3(l->direction)));
}

AVX2_INLINE __m256 disc(lanes *l, const fs_primitive *o, __m256 live) {
    const vec3 n = all3(o->normal);
    const __m256 slope = dot(n, load3(l->direction)), towards = _mm256_cmp_ps(slope, all(0.0f), _CMP_LT_OQ);
    count(l, TOWARDS, _mm256_and_ps(towards, live));
    const vec3 to = minus(all3(o->centre), load3(l->origin));
    const __m256 t = _mm256_div_ps(dot(n, to), slope);
    const vec3 off = minus(times(load3(l->direction), t), to);
    const __m256 on = _mm256_cmp_ps(dot(off, off), all(o->size * o->size), _CMP_LT_OQ);
    return _mm256_and_ps(_mm256_and_ps(towards, on), t);
}

/* The object that each lane hits first, the number of objects where none is; its distance. */
AVX2_INLINE __m256i nearest(lanes *l, __m256 live, __m256 *distance) {
    const fs_primitives *scene = l->rules->scene;
    __m256i hit = _mm256_set1_epi32((int)scene->objects);
    __m256 best = all(__builtin_inff());
    for (uint32_t i = 0; i < scene->objects; i++) {
        const fs_primitive *o = &scene->object[i];
        const __m256 t = o->kind == FS_SPHERE  ? sphere(l, o, live)
                         : o->kind == FS_PLANE ? plane(l, o)
                                               : disc(l, o, live);
        const __m256 closer = _mm256_and_ps(_mm256_cmp_ps(t, all(FS_PAINT_NEAR), _CMP_GT_OQ),
                                            _mm256_cmp_ps(t, best, _CMP_LT_OQ));
        best = pick(closer, t, best);
        hit = _mm256_blendv_epi8(hit, _mm256_set1_epi32((int)i), _mm256_castps_si256(closer));
        count(l, NEARER, _mm256_and_ps(closer, live));
    }
    *distance = best;
    return hit;
}

AVX2_INLINE __m256 scatter(lanes *l, vec3 normal, __m256 mask) {
    const __m256 height = number(l, mask), turn = number(l, mask),
                 radius = _mm256_sqrt_ps(sub(all(1.0f), mul(height, height)));
    __m256 cosine, sine;
    vec3 along, across;
    turn8(turn, &cosine, &sine);
    basis8(normal, &along, &across);
    const vec3 d = plus(plus(times(along, mul(radius, cosine)), times(across, mul(radius, sine))),
                        times(normal, height));
    store3(l->direction, pick3(mask, d, load3(l->direction)));
    count(l, DIFFUSE, mask);
    return mul(height, all(0.1f));
}

AVX2_INLINE void pass_glass(lanes *l, vec3 normal, __m256 entering, __m256 index, __m256 mask) {
    const __m256 ratio = pick(entering, _mm256_div_ps(all(1.0f), index), index), u = number(l, mask),
                 one = all(1.0f);
    const __m256 cosine = negative(dot(load3(l->direction), normal));
    const __m256 k = sub(one, mul(mul(ratio, ratio), sub(one, mul(cosine, cosine))));
    const vec3 onward =
        plus(times(load3(l->direction), ratio), times(normal, sub(mul(ratio, cosine), _mm256_sqrt_ps(k))));
    const __m256 r = _mm256_div_ps(sub(one, ratio), add(one, ratio)), r0 = mul(r, r), c = sub(one, cosine),
                 c2 = mul(c, c), share = add(r0, mul(sub(one, r0), mul(mul(c2, c2), c)));
    const __m256 through =
        _mm256_and_ps(_mm256_cmp_ps(k, all(0.0f), _CMP_GT_OQ), _mm256_cmp_ps(u, share, _CMP_GE_OQ));
    const vec3 d = unit8(pick3(through, onward, reflect8(load3(l->direction), normal)));
    store3(l->direction, pick3(mask, d, load3(l->direction)));
    count(l, GLASS, mask);
}

/* One entry for each lane of `which`; returns those that are full. */
AVX2_INLINE uint32_t push(lanes *l, uint32_t which, const uint32_t kind[LANES],
                          const uint32_t material[LANES], __m256 weights) {
    float weight[LANES];
    uint32_t full = 0;
    _mm256_storeu_ps(weight, weights);
    for (uint32_t rest = which; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        l->entry[lane][l->entries[lane]++] = (fs_paint_entry){kind[lane], material[lane], weight[lane]};
        if (l->entries[lane] >= l->rules->cap)
            full |= 1u << lane;
    }
    return full;
}

/* What each lane's material does, for lanes of the mask; entries follow. Returns those that are full. */
AVX2_INLINE uint32_t shade(lanes *l, __m256i hit, vec3 normal, __m256 entering, __m256 weight,
                           uint32_t lit_full, __m256 struck, const uint32_t material[LANES]) {
    static const uint32_t entry_of[] = {[FS_SURFACE_DIFFUSE] = FS_ENTRY_DIFFUSE,
                                        [FS_SURFACE_MIRROR] = FS_ENTRY_WEIGHT,
                                        [FS_SURFACE_GLASS] = FS_ENTRY_WEIGHT};
    const __m256 mask = _mm256_andnot_ps(lane_mask(lit_full), struck);
    const __m256i kind = _mm256_i32gather_epi32(l->objects->kind, hit, 4);
    const __m256 diffuse = _mm256_and_ps(mask, is(kind, FS_SURFACE_DIFFUSE)),
                 mirror = _mm256_and_ps(mask, is(kind, FS_SURFACE_MIRROR)),
                 glass = _mm256_and_ps(mask, is(kind, FS_SURFACE_GLASS));
    uint32_t entry[LANES];
    if (_mm256_movemask_ps(diffuse) != 0)
        weight = pick(diffuse, mul(scatter(l, normal, diffuse), weight), weight);
    if (_mm256_movemask_ps(mirror) != 0) {
        store3(l->direction,
               pick3(mirror, unit8(reflect8(load3(l->direction), normal)), load3(l->direction)));
        count(l, MIRROR, mirror);
    }
    if (_mm256_movemask_ps(glass) != 0)
        pass_glass(l, normal, entering, _mm256_i32gather_ps(l->objects->index, hit, 4), glass);
    _mm256_storeu_si256((__m256i *)entry, kind);
    for (int i = 0; i < LANES; i++)
        entry[i] = entry_of[entry[i]];
    return push(l, (uint32_t)_mm256_movemask_ps(mask), entry, material, weight);
}

AVX2_INLINE vec3 gather3(const float table[3][FS_PRIMITIVES_MOST], __m256i at) {
    return (vec3){_mm256_i32gather_ps(table[0], at, 4), _mm256_i32gather_ps(table[1], at, 4),
                  _mm256_i32gather_ps(table[2], at, 4)};
}

/* Lanes that hit something: where they are, their lights and materials. Returns those that are full. */
AVX2_INLINE uint32_t strike(lanes *l, __m256i hit, __m256 distance, __m256 weight, __m256 struck) {
    static const uint32_t light[LANES] = {FS_ENTRY_LIGHT, FS_ENTRY_LIGHT, FS_ENTRY_LIGHT, FS_ENTRY_LIGHT,
                                          FS_ENTRY_LIGHT, FS_ENTRY_LIGHT, FS_ENTRY_LIGHT, FS_ENTRY_LIGHT};
    uint32_t object[LANES], material[LANES];
    hit = _mm256_and_si256(hit, _mm256_castps_si256(struck)); /* the others look up object 0 */
    _mm256_storeu_si256((__m256i *)object, hit);
    for (int i = 0; i < LANES; i++)
        material[i] = l->rules->scene->object[object[i]].material;
    const vec3 at = plus(load3(l->origin), times(load3(l->direction), distance));
    const __m256 round = _mm256_castsi256_ps(_mm256_i32gather_epi32(l->objects->sphere, hit, 4));
    vec3 normal = gather3(l->objects->normal, hit);
    if (_mm256_movemask_ps(_mm256_and_ps(round, struck)) != 0)
        normal = pick3(round, unit8(minus(at, gather3(l->objects->centre, hit))), normal);
    const __m256 entering = _mm256_cmp_ps(dot(normal, load3(l->direction)), all(0.0f), _CMP_LT_OQ);
    normal = pick3(entering, normal, times(normal, all(-1.0f)));
    store3(l->origin, pick3(struck, at, load3(l->origin)));
    const __m256 emits = _mm256_castsi256_ps(_mm256_i32gather_epi32(l->objects->emits, hit, 4));
    const uint32_t shining = (uint32_t)_mm256_movemask_ps(_mm256_and_ps(emits, struck));
    l->lit |= shining;
    const uint32_t full = shining == 0 ? 0 : push(l, shining, light, material, weight);
    return full | shade(l, hit, normal, entering, weight, full, struck, material);
}

AVX2 static void bounce(lanes *l, __m256 survivor) {
    const fs_primitives *scene = l->rules->scene;
    const __m256 alive = lane_mask(l->live);
    const __m256 dice =
        _mm256_andnot_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(
                             _mm256_set1_epi32((int)l->rules->roulette_depth), l->counted[BOUNCES].v)),
                         alive);
    __m256 stopped = all(0.0f);
    if (_mm256_movemask_ps(dice) != 0)
        stopped = _mm256_and_ps(dice, _mm256_cmp_ps(number(l, dice), all(l->rules->stop), _CMP_LT_OQ));
    const __m256 weight = pick(dice, survivor, all(1.0f)), live = _mm256_andnot_ps(stopped, alive);
    __m256 distance;
    count(l, BOUNCES, live);
    const __m256i hit = nearest(l, live, &distance);
    const __m256 struck = _mm256_andnot_ps(is(hit, (int)scene->objects), live);
    const uint32_t full = strike(l, hit, distance, weight, struck);
    const uint32_t stop = (uint32_t)_mm256_movemask_ps(stopped),
                   gone = (uint32_t)_mm256_movemask_ps(_mm256_andnot_ps(struck, live));
    if (gone != 0 && scene->has_sky) {
        uint32_t light[LANES], sky[LANES];
        for (int i = 0; i < LANES; i++) {
            light[i] = FS_ENTRY_LIGHT;
            sky[i] = scene->materials;
        }
        l->lit |= gone;
        push(l, gone, light, sky, weight);
    }
    for (uint32_t rest = stop | gone | full; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        end(l, lane,
            (stop >> lane & 1u) != 0   ? FS_PAINT_STOPPED
            : (gone >> lane & 1u) != 0 ? FS_PAINT_ESCAPED
                                       : FS_PAINT_FULL);
    }
}

/* ---- a job ---- */

static void look_up(const fs_primitives *scene, objects *out, lanes *l) {
    for (uint32_t i = 0; i < scene->objects; i++) {
        const fs_primitive *o = &scene->object[i];
        const fs_surface *m = &scene->material[o->material];
        const float centre[3] = {o->centre.x, o->centre.y, o->centre.z},
                    normal[3] = {o->normal.x, o->normal.y, o->normal.z};
        for (int k = 0; k < 3; k++) {
            out->centre[k][i] = centre[k];
            out->normal[k][i] = normal[k];
        }
        out->index[i] = m->index;
        out->sphere[i] = o->kind == FS_SPHERE ? -1 : 0;
        out->kind[i] = (int32_t)m->kind;
        out->emits[i] = m->emits ? -1 : 0;
        l->spheres += o->kind == FS_SPHERE;
        l->planes += o->kind == FS_PLANE;
        l->discs += o->kind == FS_DISC;
    }
}

AVX2 void fs_paint_avx2(const fs_paint_rules *rules, const fs_paint_job *job) {
    objects table;
    lanes l;
    memset(&l, 0, sizeof l);
    l.rules = rules;
    l.job = job;
    l.objects = &table;
    l.points = job->width * job->height;
    look_up(rules->scene, &table, &l);
    const __m256 survivor = all(1.0f / (1.0f - rules->stop));
    for (int lane = 0; lane < LANES; lane++)
        begin(&l, lane);
    while (l.live != 0)
        bounce(&l, survivor);
}

bool fs_paint_has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}

#else

void fs_paint_avx2(const fs_paint_rules *rules, const fs_paint_job *job) {
    fs_paint_plain(rules, job);
}

bool fs_paint_has_avx2(void) {
    return false;
}

#endif
