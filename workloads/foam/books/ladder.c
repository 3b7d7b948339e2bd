/* What would be won if tracers, routers or the generator were free or even, in closed form. */
#include "workloads/foam/books/ladder.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- iterations without waiting ---- */

uint64_t fs_iterations_without_waiting(const fs_foam_ladder_run *run, uint64_t iterations) {
    const fs_foam_setup *s = run->setup;
    const fs_framebuffer *fb = run->pixels;
    const bool rows = s->order == FS_ORDER_ROWS;
    const uint32_t lines = rows ? fb->height : fb->width;
    const uint64_t batches = (lines + s->per_batch - 1) / s->per_batch;
    uint64_t *done = fs_calloc(iterations + 1, sizeof *done), seen = 0, needed = iterations;
    for (uint32_t y = 0; y < fb->height; y++)
        for (uint32_t x = 0; x < fb->width; x++) {
            const fs_pixel_hops *h = &fb->hops[(size_t)y * fb->width + x];
            if (h->alive < 0)
                continue;
            const uint64_t born = (rows ? y : x) / s->per_batch;
            done[fs_least(born + (uint64_t)(h->alive - h->waiting), iterations)]++;
            seen++;
        }
    uint64_t so_far = 0;
    for (uint64_t k = 0; k <= iterations; k++) {
        so_far += done[k];
        if ((double)so_far >= s->coverage * (double)seen) {
            needed = k;
            break;
        }
    }
    free(done);
    needed += (uint64_t)(s->frames - 1) * (batches + s->idle);
    needed = (needed + s->repeat - 1) / s->repeat * s->repeat;
    return fs_least(fs_most(needed, 1), iterations);
}

/* ---- the rungs ---- */

static const char *const names[FS_RUNGS] = {
    [FS_RUNG_MEASURED] = "measured",
    [FS_RUNG_FREE_ROUTERS] = "free_routers",
    [FS_RUNG_FREE_EXCHANGE] = "free_exchange",
    [FS_RUNG_FREE_SYNC] = "free_sync",
    [FS_RUNG_FREE_HOST] = "free_host",
    [FS_RUNG_INFINITE_BUFFERS] = "infinite_buffers",
    [FS_RUNG_BALANCED_TRACERS] = "balanced_tracers",
    [FS_RUNG_REPLICATED] = "replicated",
    [FS_RUNG_ALL] = "all",
    [FS_RUNG_FOLLOWING] = "following",
};

static void say(fs_rung *rung, const char *kind, const char *detail) {
    rung->kind = kind;
    rung->detail = detail;
}

/* Compute cycles of an iteration without rays: the slowest idle tile, and the slowest beside the routers. */
static void idle_compute(const fs_foam_books *b, uint64_t *all, uint64_t *others) {
    *all = *others = 0;
    for (uint32_t u = 0; u < b->used; u++) {
        *all = fs_most(*all, b->idle_of[u]);
        if (b->overlay->role[b->tile_of[u]] != FS_ROLE_ROUTER)
            *others = fs_most(*others, b->idle_of[u]);
    }
}

/* The run in fewer iterations: the work that rays make stays, as the tile that all of them visit sees them
 * one after another either way, and so does that of the rays that were lost; what an iteration costs without
 * rays falls away with it. */
static void price_waiting(const fs_foam_books *b, const fs_shard_tops *tops, fs_foam_ladder *l,
                          uint64_t first) {
    uint64_t idle, others, work = 0, bare = 0, finished = 0, lost = 0, even = 0;
    const uint64_t needed = l->iterations_without_waiting, had = b->iterations;
    idle_compute(b, &idle, &others);
    for (uint64_t k = 0; k < had; k++) {
        const fs_iteration_note *n = &b->note[k];
        const uint64_t a =
            fs_most(n->compute[FS_ROLE_GENERATOR],
                    fs_least(fs_shard_tops_balanced(tops, k), fs_replicas_tracers(tops, &l->replicas, k)));
        work += n->times.compute - idle;
        bare += fs_note_cycles(n) - (n->times.compute - idle);
        even += a > idle ? a - idle : 0;
        finished += n->step.finished;
        lost += n->step.dropped;
    }
    if (finished > 0)
        work += (uint64_t)((double)work * (double)lost / (double)finished);
    const uint64_t rest = needed < had ? (uint64_t)((double)bare * (double)needed / (double)had) : bare;
    l->rung[FS_RUNG_INFINITE_BUFFERS].cycles = first + work + rest;
    l->rung[FS_RUNG_ALL].cycles = even + needed * others;
}

/* Prices every iteration on every rung. */
static void price(const fs_foam_books *b, const fs_shard_tops *tops, fs_foam_ladder *l, uint64_t first) {
    uint64_t cycles[FS_RUNGS];
    for (int i = 0; i < FS_RUNGS; i++)
        cycles[i] = first;
    cycles[FS_RUNG_FREE_HOST] = cycles[FS_RUNG_ALL] = 0;
    for (uint64_t k = 0; k < b->iterations; k++) {
        const fs_iteration_note *n = &b->note[k];
        const uint64_t all = fs_note_cycles(n), rest = all - n->times.compute;
        const uint64_t generator = n->compute[FS_ROLE_GENERATOR], router = n->compute[FS_ROLE_ROUTER];
        const uint64_t even = fs_shard_tops_balanced(tops, k),
                       split = fs_replicas_tracers(tops, &l->replicas, k);
        cycles[FS_RUNG_MEASURED] += all;
        cycles[FS_RUNG_FREE_ROUTERS] += rest + fs_most(n->compute[FS_ROLE_TRACER], generator);
        cycles[FS_RUNG_FREE_EXCHANGE] += all - n->times.exchange;
        cycles[FS_RUNG_FREE_SYNC] += all - n->times.sync;
        cycles[FS_RUNG_FREE_HOST] += all - n->times.host;
        cycles[FS_RUNG_INFINITE_BUFFERS] += all;
        cycles[FS_RUNG_BALANCED_TRACERS] += rest + fs_most(fs_most(router, generator), even);
        cycles[FS_RUNG_REPLICATED] += rest + fs_most(fs_most(router, generator), split);
        cycles[FS_RUNG_ALL] += fs_most(generator, fs_least(even, split));
    }
    for (int i = 0; i < FS_RUNGS; i++)
        l->rung[i].cycles = cycles[i];
}

/* "284", "284 and 436", "12, 284 and 436". */
static const char *list_shards(const fs_replica_plan *plan, const char *between, const char *last,
                               fs_arena *arena) {
    const char *out = "";
    for (uint32_t i = 0; i < plan->count; i++)
        out = fs_arena_printf(arena, "%s%s%" PRIu32, out,
                              i == 0                 ? ""
                              : i + 1 == plan->count ? last
                                                     : between,
                              plan->shard[i]);
    return out;
}

static void describe_replicas(const fs_overlay *o, const fs_replica_plan *plan, fs_rung *rung,
                              fs_arena *arena) {
    static const char *const numbers[] = {"no", "one", "two", "three", "four", "five", "six"};
    if (plan->count == 0) {
        say(rung, "bound", "No set of up to four shards with more tracers is worth its spare tiles.");
        return;
    }
    say(rung, "estimate",
        fs_arena_printf(
            arena, "%s tracers for %s %s, on %" PRIu32 " spare %s, each with an equal share of the work",
            plan->copies < FS_COUNT(numbers) ? numbers[plan->copies]
                                             : fs_number_text("%" PRIu32, plan->copies),
            plan->count == 1 ? "shard" : "each of shards", list_shards(plan, ", ", " and ", arena),
            plan->tiles, plan->tiles == 1 ? "tile" : "tiles"));
    rung->sets =
        fs_arena_printf(arena, "workload.replicas.shards=[%s] workload.replicas.copies=%" PRIu32 "%s",
                        list_shards(plan, ",", ",", arena), plan->copies,
                        o->tracers > o->shards ? " workload.replicas.camera=1" : "");
}

static void describe(const fs_foam_books *b, fs_foam_ladder *l, bool dropped, fs_arena *arena) {
    fs_rung *rung = l->rung;
    say(&rung[FS_RUNG_MEASURED], "measured", "The run as it is.");
    say(&rung[FS_RUNG_FREE_ROUTERS], "bound",
        b->overlay->routers > 0 ? "Routers compute in no time; they still take their iterations."
                                : "The overlay has no routers.");
    say(&rung[FS_RUNG_FREE_EXCHANGE], "bound", "The exchange takes no time.");
    say(&rung[FS_RUNG_FREE_SYNC], "bound", "Barriers take no time.");
    say(&rung[FS_RUNG_FREE_HOST], "bound", "Host visits and launches take no time.");
    say(&rung[FS_RUNG_BALANCED_TRACERS], "bound",
        "The tracers' work of each iteration is spread evenly over all tracers.");
    describe_replicas(b->overlay, &l->replicas, &rung[FS_RUNG_REPLICATED], arena);
    if (b->overlay->routers > 0)
        rung[FS_RUNG_FREE_ROUTERS].sets =
            "workload.kernels.router=hardware workload.kernels.router_cycles=0cycles";
    say(&rung[FS_RUNG_INFINITE_BUFFERS], l->waited ? "estimate" : "bound",
        l->waited
            ? fs_arena_printf(arena,
                              "If no ray waited, the frames would be done after %" PRIu64 " of %" PRIu64
                              " iterations, with the same work in fewer of them%s.",
                              l->iterations_without_waiting, b->iterations,
                              dropped ? ", and with that of the rays that were lost" : "")
            : "No ray was spilled or dropped or sat in the generator's ring: larger buffers change nothing.");
    if (l->waited)
        rung[FS_RUNG_INFINITE_BUFFERS].sets = "workload.infinite_buffers=true";
    say(&rung[FS_RUNG_ALL], l->waited ? "estimate" : "bound",
        dropped
            ? "All of these together, lost rays left out: evenly spread tracing and the generator are left."
            : "All of these together: evenly spread tracing and the generator are left.");
}

/* Of a path: the shards of each frame. */
static void follow_camera(const fs_foam_books *b, const fs_shard_tops *tops, const fs_foam_ladder_run *run,
                          fs_foam_ladder *l) {
    fs_rung *rung = &l->rung[FS_RUNG_FOLLOWING];
    uint64_t first[FS_FRAMES_MOST];
    fs_following found;
    *rung = (fs_rung){.gain_percent = NAN};
    if (!run->path)
        return;
    const uint32_t frames = fs_foam_books_begins(b, first);
    fs_replicas_follow(tops, first, frames, run->send, &found);
    rung->cycles = run->cycles - found.saved;
    if (found.frames == 0) {
        say(rung, "bound",
            "In no frame of the path is a set of up to four shards with more tracers worth its tiles.");
        return;
    }
    say(rung, "estimate",
        fs_arena_printf(run->arena,
                        "more tracers for the hottest shards of each frame, of %" PRIu32 " of %" PRIu32
                        " frames, on at most %" PRIu32 " spare tiles; %" PRIu32 " times %" PRIu64
                        " cycles to send shards when a frame begins",
                        found.frames, frames, found.tiles, found.sent, run->send));
}

/* ---- decoupled ---- */

/* One iteration that is the whole run: each tile's cycles are its sum, in units of 2^shift so that they fit. */
typedef struct whole_run {
    fs_foam_books books;
    fs_iteration_note note;
    uint32_t shift;
} whole_run;

static void sum_up(const fs_foam_books *b, whole_run *out) {
    uint64_t *sum = fs_calloc(b->used, sizeof *sum), most = 0;
    for (uint64_t k = 0; k < b->iterations; k++)
        for (uint32_t u = 0; u < b->used; u++)
            sum[u] += fs_foam_books_tile_cycles(b, k, u);
    for (uint32_t u = 0; u < b->used; u++)
        most = fs_most(most, sum[u]);
    *out = (whole_run){.books = {.overlay = b->overlay,
                                 .column = b->column,
                                 .tile_of = b->tile_of,
                                 .idle_of = b->idle_of,
                                 .used = b->used,
                                 .iterations = 1}};
    while (most >> out->shift > UINT32_MAX)
        out->shift++;
    out->books.note = &out->note;
    out->books.cycles = fs_malloc(b->used * sizeof *out->books.cycles);
    for (uint32_t u = 0; u < b->used; u++) {
        uint64_t *slowest = &out->note.compute[b->overlay->role[b->tile_of[u]]];
        out->books.cycles[u] = (uint32_t)(sum[u] >> out->shift);
        *slowest = fs_most(*slowest, out->books.cycles[u]);
        out->note.times.compute = fs_most(out->note.times.compute, out->books.cycles[u]);
    }
    free(sum);
}

static void make_decoupled(const fs_foam_books *b, const fs_foam_ladder_run *run, uint64_t host,
                           fs_foam_ladder *l) {
    static const fs_rung_id none[] = {FS_RUNG_FREE_EXCHANGE, FS_RUNG_FREE_SYNC, FS_RUNG_INFINITE_BUFFERS,
                                      FS_RUNG_FOLLOWING};
    whole_run whole;
    sum_up(b, &whole);
    fs_arena *arena = fs_arena_create();
    const fs_shard_tops *tops = fs_shard_tops_make(&whole.books, arena);
    fs_replicas_plan(tops, run->cycles >> whole.shift, &l->replicas);
    l->iterations_without_waiting = 1;
    price(&whole.books, tops, l, 0);
    fs_arena_free(arena);
    free(whole.books.cycles);
    describe(b, l, false, run->arena);
    for (int i = 0; i < FS_RUNGS; i++) {
        l->rung[i].cycles = (l->rung[i].cycles << whole.shift) + (i == FS_RUNG_ALL ? 0 : host);
        l->rung[i].kind = "estimate";
    }
    l->rung[FS_RUNG_MEASURED].cycles = run->cycles;
    l->rung[FS_RUNG_MEASURED].kind = "measured";
    l->rung[FS_RUNG_FREE_HOST].cycles = run->cycles - host;
    l->rung[FS_RUNG_FREE_HOST].kind = "bound";
    say(&l->rung[FS_RUNG_FREE_ROUTERS], "estimate",
        "As long as the busiest tracer or the generator computes, whatever routers take.");
    say(&l->rung[FS_RUNG_BALANCED_TRACERS], "estimate",
        "As long as the busiest tile computes when all tracers have equal shares of the work.");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        l->rung[none[i]] = (fs_rung){.gain_percent = NAN};
}

void fs_foam_ladder_make(const fs_foam_books *b, const fs_foam_ladder_run *run, fs_foam_ladder *out) {
    *out = (fs_foam_ladder){.iterations_without_waiting = b->iterations};
    uint64_t sum = 0, host = 0;
    bool dropped = false;
    for (uint64_t k = 0; k < b->iterations; k++) {
        const fs_foam_step *s = &b->note[k].step;
        out->waited = out->waited || s->spilled > 0 || s->dropped > 0 || s->backlog > 0;
        dropped = dropped || s->dropped > 0;
        sum += fs_note_cycles(&b->note[k]);
        host += b->note[k].times.host;
    }
    FS_ASSERT(sum <= run->cycles, "the iterations take more cycles than the run");
    if (run->decoupled) {
        make_decoupled(b, run, run->cycles - sum + host, out);
    } else {
        if (out->waited)
            out->iterations_without_waiting = fs_iterations_without_waiting(run, b->iterations);
        fs_arena *arena = fs_arena_create();
        const fs_shard_tops *tops = b->tops != NULL ? b->tops : fs_shard_tops_make(b, arena);
        fs_replicas_plan(tops, run->cycles, &out->replicas);
        price(b, tops, out, run->cycles - sum);
        if (out->waited)
            price_waiting(b, tops, out, run->cycles - sum);
        describe(b, out, dropped, run->arena);
        follow_camera(b, tops, run, out);
        fs_arena_free(arena);
    }
    for (int i = 0; i < FS_RUNGS; i++) {
        fs_rung *rung = &out->rung[i];
        if (rung->kind == NULL)
            continue;
        rung->name = names[i];
        fs_ladder_time(rung, (double)rung->cycles, (double)run->cycles, run->clock);
    }
}
