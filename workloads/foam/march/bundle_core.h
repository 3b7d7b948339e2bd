/* Eight rays side by side, the text of bundle_plain.c and bundle_avx2.c. */
#pragma once

#include "workloads/foam/march/bundle.h"
#include "workloads/foam/march/exit.h"
#include "workloads/foam/march/light.h"

enum { RAYS = FS_EYE_LANES, MANY_BLOCKS = 8 }; /* with more, counts may not fit what a leg has left */
enum { LEGS_AHEAD = 3 }; /* a round may begin two legs of a ray, and the last one is still to be written */

static const uint64_t mark = (uint64_t)1 << FS_LEG_DEPTH_AT;
static const uint64_t leg_is_full = (uint64_t)FS_LEG_FACES << FS_LEG_FACES_AT |
                                    (uint64_t)FS_LEG_CELLS << FS_LEG_CELLS_AT |
                                    (uint64_t)FS_LEG_NEAREST << FS_LEG_NEAREST_AT;

/* Eight rays after a step, a lane each: each has found its way out of a cell. */
typedef struct stand {
    /* where the ray goes on */
    uint32_t slot[RAYS];  /* of the cell that it enters, 0: not looked up yet */
    uint32_t place[RAYS]; /* of that cell */
    uint32_t shard[RAYS]; /* of the cell that it leaves */
    words leg[GROUPS];    /* where the leg under way will be written */
    uint64_t seen[RAYS];  /* and what stands there so far */
    /* of the cell that it leaves */
    words t_out[GROUPS];              /* bits of t less one; NO_EXIT: there is none */
    _Alignas(32) uint64_t look[RAYS]; /* density and colour, as they lie in fs_eye_cell */
    words crossed[GROUPS];            /* all bits: the ray had been handed over into it */
    uint32_t passed[RAYS];            /* its place; of scenes with harmonics alone */
    fs_march_counts wide[RAYS];       /* its counts where they were not added to `seen`; cells 0: they were */
    uint64_t full;                    /* bits of leg_is_full, or `wide` of some lane: `seen` must be cut */
} stand;

/* What does not change in a step, or only with the light; lanes from `active` on hold nothing. A ray has its
 * lane until both its walks have ended, in the scene that is cut and in the one that is not: the same cells,
 * but lights that differ by the roundings. */
typedef struct lanes {
    float d[3][RAYS];
    light here, whole;
    words cells[GROUPS]; /* whose light has passed */
    uint32_t ray[RAYS];  /* of the bundle */
    uint32_t cuts[RAYS]; /* all bits: shards count, the walk through them goes on */
    /* with harmonics alone */
    float basis[RAYS][FS_HARMONICS_MOST];
    uint32_t lit_leg[RAYS]; /* the leg of which `lit` cells have loaded coefficients so far */
    uint8_t lit[RAYS];

    uint32_t active;
    uint32_t ended,
        whole_ended; /* lanes whose walk has; of a journey without `whole` that has from the start */
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
    fs_eye *eye;
} ground;

/* Takes ray k from where it stands through the next cell; may be repeated with another `from`. */
LANES_INLINE void step(const ground g, const lanes *s, const stand *from, stand *to, uint32_t k,
                       const bool coloured) {
    if (coloured)
        to->passed[k] = from->place[k];
    uint32_t slot = from->slot[k];
    if (__builtin_expect(slot == 0, 0))
        slot = fs_eye_enter(g.eye, from->place[k]);
    const fs_eye_cell *c = fs_eye_at(g.memory, slot);
    /* handed over on the way in: the leg that ended there is kept, else it is written over later */
    const uint32_t shard = c->shard, leg = each(from->leg)[k];
    const uint64_t other = (shard ^ from->shard[k]) & s->cuts[k], crossed = 0u - ((0u - other) >> 63);
    uint64_t seen = from->seen[k];
    put_leg(&g.leg[leg], seen | shard);
    each(to->leg)[k] = leg + (uint32_t)(crossed & FS_BUNDLE_RAYS);
    to->shard[k] = shard;
    each(to->crossed)[k] = (uint32_t)crossed;
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
    each(to->t_out)[k] = exit.key;
    to->place[k] = exit.cell;
    slot = atomic_load_explicit(&g.slot[exit.cell], memory_order_acquire);
    to->slot[k] = slot;
    const char *next = fs_eye_at(g.memory, slot);
    for (int line = 0; line < 6; line++)
        __builtin_prefetch(next + 64 * line);
}

/* ---- rays come and go ---- */

static void set_light(light *s, uint32_t k, const fs_ray_state *state) {
    each(s->t)[k] = state->t;
    each(s->T)[k] = state->T;
    each(s->r)[k] = state->r;
    each(s->g)[k] = state->g;
    each(s->b)[k] = state->b;
    each(s->depth)[k] = state->depth;
}

static fs_ray_state light_of(const light *s, uint32_t k) {
    return (fs_ray_state){each(s->t)[k], each(s->T)[k], each(s->r)[k],
                          each(s->g)[k], each(s->b)[k], each(s->depth)[k]};
}

static void begin_ray(const fs_journey *j, const fs_bundle *b, lanes *s, stand *at, uint32_t k,
                      uint32_t ray) {
    for (uint32_t axis = 0; axis < 3; axis++)
        s->d[axis][k] = b->direction[ray][axis];
    set_light(&s->here, k, &b->state[ray]);
    set_light(&s->whole, k, &b->state[ray]);
    each(s->cells)[k] = 0;
    s->ray[k] = ray;
    s->cuts[k] = j->payload != NULL ? UINT32_MAX : 0;
    s->ended &= ~(1u << k);
    s->whole_ended = (s->whole_ended & ~(1u << k)) | (j->whole ? 0 : 1u << k);
    at->slot[k] = 0;
    at->place[k] = b->cell[ray];
    at->shard[k] = j->scene->cell[b->cell[ray]].shard;
    each(at->leg)[k] = ray;
    at->seen[k] = 0;
    if (j->scene->exact.degree > 0) {
        fs_harmonics_basis(j->scene->exact.degree, b->direction[ray], s->basis[k]);
        s->lit_leg[k] = ray;
        s->lit[k] = b->lit[ray] = 0;
    }
}

/* The colours of a journey's light, and of the light of a scene that is not cut. */
static const fs_march_colours *colours_here(const fs_journey *j) {
    return j->payload != NULL ? &j->scene->stored : &j->scene->exact;
}

/* What a hull adds to a ray that has come to it. */
static void add_hull(const fs_journey *j, const fs_march_colours *colours, const lanes *s, const stand *at,
                     uint32_t k, fs_ray_state *state, uint32_t *marks) {
    if (each(at->t_out)[k] != NO_EXIT || !j->march->hull_opaque)
        return;
    fs_march_cell last = {0};
    float colour[3];
    const uint32_t rgb = (uint32_t)(at->look[k] >> 32);
    memcpy(last.rgb, &rgb, sizeof last.rgb);
    if (colours->degree > 0)
        last.site = j->scene->cell[at->passed[k]].site;
    fs_march_colour(&last, colours, s->basis[k], colour);
    fs_march_hull(colour, state, marks);
}

static void end_ray(const fs_journey *j, fs_bundle *b, const lanes *s, const stand *at, uint32_t k) {
    const uint32_t ray = s->ray[k];
    fs_ray_state *state = &b->state[ray];
    uint32_t marks = 0;
    *state = light_of(&s->here, k);
    add_hull(j, colours_here(j), s, at, k, state, &marks);
    put_leg(&b->leg[each(at->leg)[k]], at->seen[k] | (uint64_t)marks << FS_LEG_DEPTH_AT | FS_LEG_ENDS);
    b->legs[ray] = each(at->leg)[k] / FS_BUNDLE_RAYS + 1;
    if (j->payload != NULL && j->round_at_end)
        fs_payload_round(j->payload, state);
}

static void end_whole(const fs_journey *j, fs_bundle *b, const lanes *s, const stand *at, uint32_t k) {
    const uint32_t ray = s->ray[k];
    uint32_t marks = 0;
    b->whole[ray] = light_of(&s->whole, k);
    b->whole_cells[ray] = each(s->cells)[k];
    add_hull(j, &j->scene->exact, s, at, k, &b->whole[ray], &marks);
}

/* Lane k has written its last leg and goes on without shards: what it writes from here on lies behind that
 * leg and is not the ray's. `to` is one step on from `at`. */
static void go_on_whole(lanes *s, const stand *at, stand *to, uint32_t k) {
    s->cuts[k] = 0;
    each(to->leg)[k] = each(at->leg)[k] + FS_BUNDLE_RAYS;
    each(to->crossed)[k] = 0;
    to->seen[k] = 0;
    to->wide[k].cells = 0;
}

/* The last active ray moves into lane k. */
static void close_lane(lanes *s, stand *at, uint32_t k, bool coloured) {
    const uint32_t last = --s->active;
    const fs_ray_state here = light_of(&s->here, last), whole = light_of(&s->whole, last);
    for (uint32_t axis = 0; axis < 3; axis++)
        s->d[axis][k] = s->d[axis][last];
    set_light(&s->here, k, &here);
    set_light(&s->whole, k, &whole);
    each(s->cells)[k] = each(s->cells)[last];
    s->ray[k] = s->ray[last];
    s->cuts[k] = s->cuts[last];
    s->ended = (s->ended & ~(1u << k)) | (s->ended >> last & 1) << k;
    s->whole_ended = (s->whole_ended & ~(1u << k)) | (s->whole_ended >> last & 1) << k;
    at->slot[k] = at->slot[last];
    at->place[k] = at->place[last];
    at->shard[k] = at->shard[last];
    each(at->leg)[k] = each(at->leg)[last];
    at->seen[k] = at->seen[last];
    each(at->t_out)[k] = each(at->t_out)[last];
    at->look[k] = at->look[last];
    each(at->crossed)[k] = each(at->crossed)[last];
    at->wide[k] = at->wide[last];
    at->wide[last].cells = 0;
    if (coloured) {
        memcpy(s->basis[k], s->basis[last], sizeof s->basis[k]);
        s->lit_leg[k] = s->lit_leg[last];
        s->lit[k] = s->lit[last];
        at->passed[k] = at->passed[last];
    }
}

/* Notes on legs which cells load coefficients, and what their colours are for these lights; an opaque hull's is
 * add_hull's. */
static void colour_cells(const fs_journey *j, const fs_bundle *b, lanes *s, const stand *at, uint32_t walking,
                         eight_cells *here, eight_cells *whole) {
    const fs_march_colours *stored = colours_here(j), *exact = &j->scene->exact;
    for (uint32_t k = 0; k < s->active; k++) {
        float rgb[3] = {0.0f, 0.0f, 0.0f}, rgb_whole[3] = {0.0f, 0.0f, 0.0f};
        const bool stays = each(at->t_out)[k] == NO_EXIT, walks = (walking >> k & 1) != 0;
        const float density = each(here->density)[k];
        if (density > FS_HARMONICS_DENSITY && !stays) {
            const fs_march_cell *cell = &j->scene->cell[at->passed[k]];
            fs_march_colour(cell, stored, s->basis[k], rgb);
            memcpy(rgb_whole, rgb, sizeof rgb);
            if (j->whole && stored->of != exact->of)
                fs_march_colour(cell, exact, s->basis[k], rgb_whole);
        }
        each(here->r)[k] = rgb[0];
        each(here->g)[k] = rgb[1];
        each(here->b)[k] = rgb[2];
        each(whole->r)[k] = rgb_whole[0];
        each(whole->g)[k] = rgb_whole[1];
        each(whole->b)[k] = rgb_whole[2];
        if (!walks)
            continue;
        const uint32_t leg = each(at->leg)[k];
        if (leg != s->lit_leg[k]) {
            s->lit_leg[k] = leg;
            s->lit[k] = 0;
        }
        const bool lit =
            stays ? j->march->hull_opaque : fs_march_lit(density, each(s->here.t)[k], each(here->t_out)[k]);
        b->lit[leg] = s->lit[k] = (uint8_t)(s->lit[k] + lit);
    }
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
    b->legs[ray] = each(at->leg)[k] / FS_BUNDLE_RAYS;
    if (!fs_bundle_write_parts(b, ray, &counts) || b->legs[ray] > FS_BUNDLE_LEGS - LEGS_AHEAD)
        return false;
    each(at->leg)[k] = b->legs[ray] * FS_BUNDLE_RAYS + ray;
    b->lit[each(at->leg)[k]] = 0;
    at->seen[k] = (uint64_t)counts.faces << FS_LEG_FACES_AT | (uint64_t)counts.front << FS_LEG_FRONT_AT |
                  (uint64_t)counts.cells << FS_LEG_CELLS_AT | (uint64_t)counts.nearest << FS_LEG_NEAREST_AT |
                  (uint64_t)counts.depth_marks << FS_LEG_DEPTH_AT;
    return true;
}

/* ---- rounds ---- */

/* Counts the cells and watches the step limit; false when a ray of `walking` has too many legs. */
LANES_INLINE bool count_cells(lanes *s, const stand *at, uint32_t walking, const fs_march_params *params) {
    const int32_t limit = params->step_limit < INT32_MAX ? (int32_t)params->step_limit : INT32_MAX,
                  last = (FS_BUNDLE_LEGS - LEGS_AHEAD) * FS_BUNDLE_RAYS;
    uint32_t full = 0;
    for (int g = 0; g < GROUPS; g++) {
        s->cells[g] += 1;
        if (bits_of((ints)s->cells[g] > limit) != 0)
            fs_march_lost(params);
        full |= bits_of((ints)at->leg[g] > last) << g * LANE_COUNT;
    }
    return (full & walking) == 0;
}

/* Sees to lanes whose legs must be cut; adds them to *again. */
static bool cut_legs(fs_bundle *b, const lanes *s, stand *at, uint32_t *again) {
    for (uint32_t k = 0; k < s->active; k++)
        if (at->wide[k].cells > 0 || (at->seen[k] & leg_is_full) != 0) {
            if ((s->ended >> k & 1) != 0) {
                at->wide[k].cells = 0;
                at->seen[k] = 0;
                continue;
            }
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
LANES_INLINE bool march(const fs_journey *j, fs_eye *eye, fs_bundle *b, const bool coloured) {
    const float threshold = (float)j->march->threshold;
    const bool cut = j->payload != NULL;
    const rounding how = {all_ints(-(cut && j->payload->half_t)), all_ints(-(cut && j->payload->half_rgb)),
                          all_ints(-(cut && !j->payload->carries_depth))};
    const ground g = {.memory = eye->memory, .slot = eye->slot, .leg = b->leg, .eye = eye};
    lanes s = {.active = 0};
    stand stands[2] = {{.full = 0}, {.full = 0}}, *from = &stands[0], *to = &stands[1];
    uint32_t waiting = 0;
    for (; s.active < RAYS && waiting < b->rays; s.active++)
        begin_ray(j, b, &s, to, s.active, waiting++);
    for (uint32_t k = 0; k < s.active; k++)
        step(g, &s, to, from, k, coloured);
    while (s.active > 0) {
        const uint32_t active = s.active, all = 0xffu >> (RAYS - active), walking = all & ~s.ended;
        to->full = 0;
        for (uint32_t k = 0; k < active; k++)
            step(g, &s, from, to, k, coloured);
        if (cut)
            hand_over(&s.here, from->crossed, &how);
        eight_cells cells = look_at(from->look, from->t_out), all_cells;
        if (coloured) {
            all_cells = cells;
            colour_cells(j, b, &s, from, walking, &cells, &all_cells);
        }
        uint32_t passes, whole_passes, whole_ended = 0;
        const uint32_t ended = absorb(&s.here, &cells, threshold, &passes) & walking;
        if (j->whole)
            whole_ended = absorb(&s.whole, coloured ? &all_cells : &cells, threshold, &whole_passes) & all &
                          ~s.whole_ended;
        uint32_t again = passes & walking;
        for (uint32_t k = 0; again >> k != 0; k++)
            from->seen[k] |= (again >> k & 1) != 0 ? mark : 0;
        if (__builtin_expect((from->full & leg_is_full) != 0, 0) && !cut_legs(b, &s, from, &again))
            return false;
        if (!count_cells(&s, from, walking, j->march))
            return false;
        s.ended |= ended;
        s.whole_ended |= whole_ended;
        for (uint32_t left = ended | whole_ended | again; left != 0;) {
            const uint32_t k = 31u ^ (uint32_t)__builtin_clz(left);
            left ^= 1u << k;
            if ((ended >> k & 1) != 0)
                end_ray(j, b, &s, from, k);
            if ((whole_ended >> k & 1) != 0)
                end_whole(j, b, &s, from, k);
            if ((s.ended & s.whole_ended) >> k & 1) {
                if (waiting == b->rays) {
                    close_lane(&s, to, k, coloured);
                    continue;
                }
                begin_ray(j, b, &s, from, k, waiting++);
            } else if ((ended >> k & 1) != 0) {
                go_on_whole(&s, from, to, k);
                continue;
            } else if ((again >> k & 1) == 0) {
                continue;
            }
            to->wide[k].cells = 0;
            step(g, &s, from, to, k, coloured);
        }
        stand *then = from;
        from = to;
        to = then;
    }
    return true;
}
