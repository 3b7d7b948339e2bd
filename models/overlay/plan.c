/* What the kinds share: the generator's place, lanes in pairs, shares of a tile's SRAM. */
#include "models/overlay/plan.h"

#include "sim/config/config.h"

#include <inttypes.h>
#include <string.h>

const char *fs_overlay_plan_key(const fs_overlay_site *site, fs_arena *arena, const char *key) {
    if (site->config != NULL)
        return fs_config_where(site->config, "overlay", key);
    return fs_arena_printf(arena, "overlay.%s", key);
}

fs_status fs_overlay_plan_place_generator(const char *kind, const fs_overlay_site *site, uint64_t first_free,
                                          int64_t wanted, fs_arena *arena, uint32_t *tile, fs_error *err) {
    const fs_machine_params *machine = site->machine;
    const uint32_t tiles = fs_machine_tiles(machine);
    if (first_free >= tiles)
        return fs_fail(err, FS_INPUT,
                       "overlay %s: %" PRIu32 " shards need %" PRIu32 " tracers, %" PRIu64
                       " routers and a generator = %" PRIu64 " tiles, machine \"%s\" has %" PRIu32
                       "; use fewer shards or a larger machine",
                       kind, site->shards, site->shards, first_free - site->shards, first_free + 1,
                       machine->name, tiles);
    if (wanted < 0) {
        bool near_end = tiles > FS_PLAN_FROM_END && tiles - FS_PLAN_FROM_END > first_free;
        *tile = near_end ? tiles - FS_PLAN_FROM_END : (uint32_t)first_free;
        return FS_OK;
    }
    if ((uint64_t)wanted < first_free || wanted >= tiles)
        return fs_fail(err, FS_INPUT,
                       "%s: expected a tile that is free (%" PRIu64 " ... %" PRIu32 ") or -1, found %" PRId64,
                       fs_overlay_plan_key(site, arena, "generator_tile"), first_free, tiles - 1, wanted);
    *tile = (uint32_t)wanted;
    return FS_OK;
}

fs_plan fs_overlay_plan_begin(const char *kind, const fs_overlay_site *site, uint32_t pairs, fs_arena *arena,
                              fs_overlay *out) {
    const uint32_t tiles = fs_machine_tiles(site->machine);
    fs_overlay_begin(out, tiles, site->shards, arena);
    out->lanes = FS_NEW(arena, fs_lane, (size_t)2 * pairs);
    return (fs_plan){.kind = kind,
                     .site = site,
                     .arena = arena,
                     .overlay = out,
                     .degree = FS_NEW(arena, uint32_t, tiles),
                     .room = 2 * pairs};
}

void fs_overlay_plan_tracers(fs_plan *plan) {
    fs_overlay *o = plan->overlay;
    for (uint32_t s = 0; s < o->tracers; s++) {
        o->role[s] = FS_ROLE_TRACER;
        o->tracer_tile[s] = o->tracer_of_tile[s] = o->shard_of_tile[s] = s;
    }
}

void fs_overlay_plan_generate(fs_plan *plan, uint32_t tile, const fs_plan_generator *generator,
                              uint32_t levels) {
    fs_overlay *o = plan->overlay;
    o->levels = levels;
    o->role[tile] = FS_ROLE_GENERATOR;
    o->level[tile] = (uint8_t)(levels + 1);
    o->generator_tile = tile;
    o->generator_ring = (uint32_t)generator->ring;
    o->generator_given = generator->tile >= 0;
    o->placed = (uint32_t)generator->chips;
}

void fs_overlay_plan_join(fs_plan *plan, uint32_t a, uint32_t b) {
    fs_overlay *o = plan->overlay;
    FS_ASSERT(o->lane_count + 2 <= plan->room, "overlay %s: more lanes than planned", plan->kind);
    const uint32_t port_a = plan->degree[a]++, port_b = plan->degree[b]++;
    o->lanes[o->lane_count++] = (fs_lane){.src = a, .dst = b, .src_port = port_a, .dst_port = port_b};
    o->lanes[o->lane_count++] = (fs_lane){.src = b, .dst = a, .src_port = port_b, .dst_port = port_a};
}

void fs_overlay_plan_table_at(fs_plan *plan, uint32_t tile) {
    fs_overlay *o = plan->overlay;
    o->route_start[tile] = (int64_t)o->route_count;
    o->route_count += o->tracers;
}

/* ---- shares ---- */

/* The ends of a tile's lanes, in and out. */
typedef struct ends {
    uint64_t set;  /* bytes of those that have a share already */
    uint32_t open; /* those that have none */
} ends;

static void count_ends(const fs_overlay *o, ends *of) {
    for (uint32_t l = 0; l < o->lane_count; l++) {
        const uint32_t tile[2] = {o->lanes[l].src, o->lanes[l].dst};
        const uint32_t share[2] = {o->lanes[l].src_share, o->lanes[l].dst_share};
        for (int e = 0; e < 2; e++) {
            of[tile[e]].set += share[e];
            of[tile[e]].open += share[e] == 0;
        }
    }
}

static uint64_t left_on(const fs_plan *plan, uint32_t tile) {
    const fs_overlay_site *site = plan->site;
    const fs_overlay *o = plan->overlay;
    if (o->role[tile] == FS_ROLE_TRACER) {
        const uint64_t left = site->free_tracer == NULL ? 0 : site->free_tracer[o->shard_of_tile[tile]];
        const uint64_t code = o->route_start[tile] >= 0 ? site->routing_code : 0;
        return left > code ? left - code : 0;
    }
    return o->role[tile] == FS_ROLE_ROUTER ? site->free_router : site->free_generator;
}

static fs_status nothing_left(const fs_plan *plan, uint32_t tile, uint64_t free_bytes, uint64_t needed,
                              fs_error *err) {
    const char *role = fs_role_names[plan->overlay->role[tile]];
    if (free_bytes == 0)
        return fs_fail(err, FS_INPUT,
                       "overlay %s: the buffers of a %s are 0 B, all that is left of its SRAM, but on tile "
                       "%" PRIu32 " nothing is left, or the workload does not say what is; give the bytes",
                       plan->kind, role, tile);
    return fs_fail(err, FS_INPUT,
                   "overlay %s: tile %" PRIu32 ", a %s, has %" PRIu64
                   " B of SRAM left; exchange code and the backlog ring alone take %" PRIu64 " B",
                   plan->kind, tile, role, free_bytes, needed);
}

/* The rule of `auto` (plan.h): true where a tile has the paper's size, which may then not fit. */
enum { PAPER_SRAM = 624 * 1024, PAPER_ROUTER = 576000, PAPER_OTHER = 115200 };

static bool has_paper_size(const fs_plan *plan, fs_role role, uint64_t left, uint64_t *bytes) {
    const fs_machine_params *machine = plan->site->machine;
    const bool all = !fs_fabric_plans(&machine->exchange);
    *bytes = role == FS_ROLE_ROUTER ? PAPER_ROUTER : PAPER_OTHER;
    return fs_machine_sram(machine, role) == PAPER_SRAM || (!all && *bytes <= left) || left == 0;
}

/* Bytes for all lanes of a tile. */
static fs_status budget_of(const fs_plan *plan, const fs_plan_buffers *buffers, uint32_t tile,
                           uint64_t *bytes, fs_error *err) {
    const fs_overlay *o = plan->overlay;
    const fs_role role = o->role[tile];
    const int64_t given = role == FS_ROLE_TRACER   ? buffers->tracer
                          : role == FS_ROLE_ROUTER ? buffers->router
                                                   : buffers->generator;
    if (given > 0) {
        *bytes = (uint64_t)given;
        return FS_OK;
    }
    const uint64_t free_bytes = left_on(plan, tile);
    const uint32_t each_end = (uint32_t)plan->site->machine->memory.exchange_code_per_message;
    uint64_t needed = (uint64_t)2 * plan->degree[tile] * each_end;
    if (role == FS_ROLE_GENERATOR)
        needed += (uint64_t)o->generator_ring * plan->site->payload_bytes;
    const uint64_t left = free_bytes > needed ? free_bytes - needed : 0;
    if (given == FS_WORD_VALUE && has_paper_size(plan, role, left, bytes))
        return FS_OK;
    if (left == 0)
        return nothing_left(plan, tile, free_bytes, needed, err);
    plan->overlay->end_overhead = each_end;
    *bytes = left;
    return FS_OK;
}

/* What each open end of a tile gets. */
static fs_status share_of(const fs_plan *plan, const fs_plan_buffers *buffers, uint32_t tile, const ends *of,
                          uint64_t *share, fs_error *err) {
    uint64_t bytes = 0;
    fs_status status = budget_of(plan, buffers, tile, &bytes, err);
    if (status)
        return status;
    uint64_t rest = bytes > of->set ? bytes - of->set : 0;
    *share = rest / of->open / FS_PLAN_WORD * FS_PLAN_WORD;
    *share = *share > INT32_MAX ? INT32_MAX / FS_PLAN_WORD * FS_PLAN_WORD : *share;
    const uint32_t ray = plan->site->payload_bytes > FS_PLAN_WORD ? plan->site->payload_bytes : FS_PLAN_WORD;
    if (*share >= ray)
        return FS_OK;
    return fs_fail(err, FS_INPUT,
                   "overlay %s: tile %" PRIu32 ", a %s, has %" PRIu64 " B for the buffers of %" PRIu32
                   " lanes in and out (%" PRIu64 " B each); a ray takes %" PRIu32 " B",
                   plan->kind, tile, fs_role_names[plan->overlay->role[tile]], rest, of->open, *share, ray);
}

static fs_status share_out(fs_plan *plan, const fs_plan_buffers *buffers, fs_error *err) {
    fs_overlay *o = plan->overlay;
    ends *of = FS_NEW(plan->arena, ends, o->tiles);
    uint64_t *share = FS_NEW(plan->arena, uint64_t, o->tiles);
    count_ends(o, of);
    for (uint32_t t = 0; t < o->tiles; t++)
        if (of[t].open > 0 && share_of(plan, buffers, t, &of[t], &share[t], err))
            return err->status;
    for (uint32_t l = 0; l < o->lane_count; l++) {
        fs_lane *lane = &o->lanes[l];
        if (lane->src_share == 0)
            lane->src_share = (uint32_t)share[lane->src];
        if (lane->dst_share == 0)
            lane->dst_share = (uint32_t)share[lane->dst];
    }
    return FS_OK;
}

static void count_roles(fs_overlay *o) {
    uint32_t count[FS_ROLE_COUNT] = {0};
    for (uint32_t t = 0; t < o->tiles; t++)
        count[o->role[t]]++;
    o->routers = count[FS_ROLE_ROUTER];
    o->generators = count[FS_ROLE_GENERATOR];
    o->spares = count[FS_ROLE_SPARE];
}

fs_status fs_overlay_plan_finish(fs_plan *plan, const fs_plan_buffers *buffers, fs_error *err) {
    fs_overlay *o = plan->overlay;
    count_roles(o);
    for (uint32_t t = 0; t < o->tiles; t++)
        if (plan->degree[t] > FS_MAX_PORTS)
            return fs_fail(err, FS_INPUT,
                           "overlay %s: tile %" PRIu32 ", a %s, would have %" PRIu32
                           " neighbours; at most %d are allowed",
                           plan->kind, t, fs_role_names[o->role[t]], plan->degree[t], FS_MAX_PORTS);
    fs_status status = share_out(plan, buffers, err);
    if (status)
        return status;
    o->route = FS_NEW(plan->arena, uint8_t, o->route_count);
    return fs_overlay_index(o, plan->arena, err);
}

void fs_overlay_plan_choices(fs_overlay *overlay, uint32_t tile, uint32_t port, uint32_t choices) {
    overlay->lanes[overlay->out_lane[overlay->out_start[tile] + port]].choices = choices;
}

void fs_overlay_plan_hops(const fs_overlay *o, uint32_t goal, uint32_t *hops, uint32_t *queue) {
    uint32_t head = 0, tail = 0;
    memset(hops, 0xff, o->tiles * sizeof *hops);
    hops[goal] = 0;
    queue[tail++] = goal;
    while (head < tail) {
        const uint32_t at = queue[head++];
        for (uint32_t i = o->in_start[at]; i < o->in_start[at + 1]; i++) {
            const uint32_t from = o->lanes[o->in_lane[i]].src;
            if (hops[from] != UINT32_MAX)
                continue;
            hops[from] = hops[at] + 1;
            if (from != o->generator_tile && o->route_start[from] >= 0)
                queue[tail++] = from;
        }
    }
}

/* ---- shortest ways to all tracers: a search for many goals at once ---- */

enum { GOALS = 256, WORDS = GOALS / 64 };

typedef struct goals {
    uint64_t word[WORDS];
} goals;

/* Tiles as far as the search has come: after h hops `nearest` are the goals h hops from a tile that passes rays
 * on to them, `next` becomes those of h + 1, `seen` has all up to there. */
typedef struct ways {
    const fs_overlay *o;
    uint8_t *run;                 /* of fs_overlay_plan_ways */
    goals *nearest, *next, *seen; /* [tiles]; nearest and next of tiles that have some */
    bool *near, *then;            /* [tiles] nearest, next: has some */
    uint32_t first;               /* tracer of the first goal */
} ways;

/* How many ports from this one on lead nearer to the goal, of all goals the fewest. */
static void note_choices(const ways *w, uint32_t tile, uint32_t port, uint32_t goal) {
    uint8_t *of = &w->run[(size_t)tile * FS_MAX_PORTS + port];
    uint32_t count = 1;
    for (; port + count < fs_overlay_out_degree(w->o, tile); count++) {
        const uint32_t to = fs_overlay_neighbour(w->o, tile, port + count);
        if (!w->near[to] || !(w->nearest[to].word[goal / 64] >> goal % 64 & 1))
            break;
    }
    if (*of == 0 || *of > count)
        *of = (uint8_t)count;
}

/* Goals, a word of them from `first` on, go by this port. */
static void give(const ways *w, uint32_t tile, uint32_t port, uint32_t first, uint64_t word) {
    uint8_t *table = fs_overlay_plan_table(w->o, tile) + w->first;
    for (; word != 0; word &= word - 1) {
        const uint32_t goal = first + (uint32_t)__builtin_ctzll(word);
        table[goal] = (uint8_t)port;
        if (w->run != NULL)
            note_choices(w, tile, port, goal);
    }
}

/* What a tile with a table reaches by a hop more; false: nothing new. */
static bool hop(ways *w, uint32_t tile) {
    goals found = {{0}}, *seen = &w->seen[tile];
    uint64_t all = 0;
    for (uint32_t p = 0; p < fs_overlay_out_degree(w->o, tile); p++) {
        const uint32_t to = fs_overlay_neighbour(w->o, tile, p);
        const goals *by = &w->nearest[to];
        uint64_t some = 0;
        for (uint32_t i = 0; w->near[to] && i < WORDS; i++)
            some |= by->word[i] & ~seen->word[i];
        for (uint32_t i = 0; some != 0 && i < WORDS; i++) {
            const uint64_t fresh = by->word[i] & ~seen->word[i];
            seen->word[i] |= fresh;
            found.word[i] |= fresh;
            give(w, tile, p, 64 * i, fresh);
        }
        all |= some;
    }
    w->next[tile] = found;
    w->then[tile] = all != 0 && tile != w->o->generator_tile; /* which passes no rays on */
    return all != 0;
}

static void begin(ways *w) {
    const fs_overlay *o = w->o;
    memset(w->nearest, 0, o->tiles * sizeof *w->nearest);
    memset(w->near, 0, o->tiles * sizeof *w->near);
    for (uint32_t g = 0; g < GOALS && w->first + g < o->tracers; g++) {
        const uint32_t tile = o->tracer_tile[w->first + g];
        w->nearest[tile].word[g / 64] |= UINT64_C(1) << g % 64;
        w->near[tile] = true;
    }
    memcpy(w->seen, w->nearest, o->tiles * sizeof *w->seen);
}

static void search(ways *w) {
    const fs_overlay *o = w->o;
    begin(w);
    for (bool any = true; any;) {
        any = false;
        memset(w->then, 0, o->tiles * sizeof *w->then);
        for (uint32_t t = 0; t < o->tiles; t++)
            if (o->route_start[t] >= 0)
                any |= hop(w, t);
        goals *nearest = w->next;
        bool *near = w->then;
        w->next = w->nearest;
        w->then = w->near;
        w->nearest = nearest;
        w->near = near;
    }
}

void fs_overlay_plan_ways(const fs_overlay *o, fs_arena *arena, uint8_t *run) {
    ways w = {.o = o,
              .run = run,
              .nearest = FS_NEW(arena, goals, o->tiles),
              .next = FS_NEW(arena, goals, o->tiles),
              .seen = FS_NEW(arena, goals, o->tiles),
              .near = FS_NEW(arena, bool, o->tiles),
              .then = FS_NEW(arena, bool, o->tiles)};
    for (; w.first < o->tracers; w.first += GOALS)
        search(&w);
}
