/* Counting: what happens in an iteration. */
#include "models/energy/books.h"

#include <omp.h>
#include <string.h>

const char *const fs_energy_part_names[] = {
    [FS_ENERGY_ISSUE] = "issue",       [FS_ENERGY_ARITHMETIC] = "arithmetic",
    [FS_ENERGY_SRAM] = "sram",         [FS_ENERGY_MATRIX] = "matrix",
    [FS_ENERGY_EXCHANGE] = "exchange", [FS_ENERGY_SYNC] = "sync",
    [FS_ENERGY_HOST] = "host",         [FS_ENERGY_DRAM] = "dram",
    [FS_ENERGY_CLOCK] = "clock",       [FS_ENERGY_LEAKAGE] = "leakage",
    [FS_ENERGY_PARTS] = NULL};

/* ---- elaboration ---- */

void fs_energy_create(fs_energy_books *b, const fs_energy_setup *s, fs_arena *arena) {
    *b = (fs_energy_books){.arena = arena,
                           .params = s->params,
                           .geometry = s->geometry,
                           .clock = s->clock,
                           .price = fs_energy_prices_of(s->params, s->clock, FS_PRICE_CENTRAL),
                           .tiles = s->tiles,
                           .classes = s->classes};
    b->kind[0] = (fs_energy_tile){1000, 1000};
    b->tiles_of[0] = s->tiles;
    if (s->kind_of != NULL) {
        FS_ASSERT(s->kind_count <= FS_ENERGY_KINDS, "%u kinds of tiles", s->kind_count);
        b->kind_of = s->kind_of;
        memcpy(b->kind, s->kinds, s->kind_count * sizeof *s->kinds);
        b->tiles_of[0] = 0;
        for (uint32_t t = 0; t < s->tiles; t++)
            b->tiles_of[s->kind_of[t]]++;
    }
    b->class = FS_NEW(arena, fs_energy_class, s->classes);
    for (uint32_t c = 1; c < s->classes; c++) {
        fs_energy_class *class = &b->class[c];
        class->priced = &s->priced[c];
        class->at = b->row;
        class->places = (fs_energy_calls_at(class) + FS_ENERGY_LINE) / FS_ENERGY_LINE * FS_ENERGY_LINE;
        class->row_of = FS_NEW(arena, uint32_t, s->tiles);
        fs_energy_of_program(class->priced, &b->price, &class->energy);
        b->row += class->places;
    }
    const size_t threads = (size_t)omp_get_max_threads();
    b->thread = FS_NEW(arena, uint64_t, threads * b->row);
    b->thread_macs = FS_NEW(arena, uint64_t, threads * FS_ENERGY_LINE);
    b->sum = FS_NEW(arena, uint64_t, b->row + 1U);
    for (int type = 0; type < FS_AMP_TYPES; type++)
        b->macs[type] = FS_NEW(arena, uint64_t, s->tiles);
    b->moved = FS_NEW(arena, fs_moved, s->tiles);
    b->barriers = FS_NEW(arena, uint64_t, s->tiles);
}

void fs_energy_uses(fs_energy_books *b, const uint8_t *class_of) {
    for (uint32_t t = 0; t < b->tiles; t++)
        if (class_of[t] > 0)
            b->class[class_of[t]].row_of[t] = 1;
}

/* Rows of the tiles, when the first call comes. */
static void make_rows(fs_energy_books *b, fs_energy_class *class) {
    uint32_t rows = 0;
    for (uint32_t t = 0; t < b->tiles; t++)
        if (class->row_of[t] > 0)
            class->row_of[t] = ++rows;
    class->rows = FS_NEW(b->arena, uint64_t, (size_t)rows * class->places);
}

/* ---- calls ---- */

static uint64_t *thread_row(const fs_energy_books *b, uint32_t class) {
    return b->thread + (size_t)omp_get_thread_num() * b->row + b->class[class].at;
}

static uint64_t *tile_row(const fs_energy_class *class, uint32_t tile) {
    return class->rows + (size_t)(class->row_of[tile] - 1) * class->places;
}

/* What the workers counted together: sum[events]. */
static inline __attribute__((always_inline)) void
sum_workers(const uint32_t *counts, uint32_t width, uint32_t workers, uint32_t events, uint64_t *sum) {
    for (uint32_t e = 0; e < events; e++)
        sum[e] = counts[e];
    for (uint32_t w = 1; w < workers; w++) {
        const uint32_t *row = counts + (size_t)w * width;
        for (uint32_t e = 0; e < events; e++)
            sum[e] += row[e];
    }
}

enum { USUAL_WORKERS = 6 }; /* of the machines that there are */

/* One call of so many places of a row of the usual width: what is behind the last event is 0. */
static inline __attribute__((always_inline)) void add_places(const uint32_t *counts, uint32_t places,
                                                             uint64_t *tiles, uint64_t *all) {
    uint64_t sum[FS_MAX_EVENTS];
    sum_workers(counts, FS_MAX_EVENTS, USUAL_WORKERS, places, sum);
    for (uint32_t e = 0; e < places; e++) {
        tiles[e] += sum[e];
        all[e] += sum[e];
    }
}

/* In loops of a fixed length. */
static inline __attribute__((always_inline)) void add_usual_call(const uint32_t *counts, uint32_t places,
                                                                 uint64_t *tiles, uint64_t *all) {
    if (places == 2 * FS_ENERGY_LINE)
        add_places(counts, 2 * FS_ENERGY_LINE, tiles, all);
    else if (places == FS_ENERGY_LINE)
        add_places(counts, FS_ENERGY_LINE, tiles, all);
    else
        add_places(counts, FS_MAX_EVENTS, tiles, all);
}

static void add_usual(const uint32_t *counts, uint32_t places, uint64_t *tiles, uint64_t *all) {
    add_usual_call(counts, places, tiles, all);
}

#if defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static void
add_usual_avx2(const uint32_t *counts, uint32_t places, uint64_t *tiles, uint64_t *all) {
    add_usual_call(counts, places, tiles, all);
}

/* `times` calls of a row of any width. */
static __attribute__((noinline)) void add_any(const fs_energy_class *of, const uint32_t *counts,
                                              uint64_t times, uint64_t *tiles, uint64_t *all) {
    const uint32_t events = fs_energy_calls_at(of);
    uint64_t sum[FS_MOST_EVENTS];
    sum_workers(counts, of->priced->width, of->priced->workers, events, sum);
    for (uint32_t e = 0; e < events; e++) {
        tiles[e] += times * sum[e];
        all[e] += times * sum[e];
    }
}

void fs_energy_call(fs_energy_books *b, uint32_t tile, uint32_t class, const uint32_t *counts,
                    uint64_t times) {
    const fs_energy_class *of = &b->class[class];
    uint64_t *tiles = tile_row(of, tile), *all = thread_row(b, class);
    const uint32_t calls = fs_energy_calls_at(of);
    if (of->priced->width != FS_MAX_EVENTS || of->priced->workers != USUAL_WORKERS || times != 1)
        add_any(of, counts, times, tiles, all);
    else if (of->priced->vectors)
        add_usual_avx2(counts, of->places, tiles, all);
    else
        add_usual(counts, of->places, tiles, all);
    tiles[calls] += times;
    all[calls] += times;
}

void fs_energy_idle(fs_energy_books *b, uint32_t class, uint64_t calls) {
    b->thread[b->class[class].at + fs_energy_calls_at(&b->class[class])] += calls;
}

void fs_energy_idle_tile(fs_energy_books *b, uint32_t tile, uint32_t class, uint64_t calls) {
    tile_row(&b->class[class], tile)[fs_energy_calls_at(&b->class[class])] += calls;
}

void fs_energy_given(fs_energy_books *b, uint32_t class, uint64_t calls) {
    b->given = true;
    fs_energy_idle(b, class, calls);
}

void fs_energy_give(fs_energy_books *b, uint32_t class, const uint64_t *row) {
    uint64_t *all = b->thread + b->class[class].at;
    fs_energy_given(b, class, row[0]);
    for (uint32_t e = 0; e < fs_energy_calls_at(&b->class[class]); e++)
        all[e] += row[1 + e];
}

void fs_energy_ready(fs_energy_books *b) {
    for (uint32_t c = 1; c < b->classes; c++)
        make_rows(b, &b->class[c]);
}

void fs_energy_multiply(fs_energy_books *b, uint32_t tile, fs_amp_type type, uint64_t macs) {
    b->macs[type][tile] += macs;
    b->thread_macs[(size_t)omp_get_thread_num() * FS_ENERGY_LINE + type] += macs;
}

/* ---- exchange, barriers, host ---- */

static void move(fs_energy_books *b, const fs_transfer *t, fs_moved moved) {
    fs_moved_add(&b->flow.moved, &moved);
    fs_moved_add(&b->moved[t->src], &moved);
    b->moved[t->dst].bytes += moved.bytes;
}

void fs_energy_move(fs_energy_books *b, const fs_energy_routes *r, uint32_t transfer, uint64_t bytes) {
    move(b, &r->transfers[transfer], fs_energy_of_transfer(r, transfer, bytes));
}

void fs_energy_move_over(fs_energy_books *b, const fs_geometry_params *geometry, const fs_fabric *fabric,
                         const fs_transfer *t, uint64_t bytes) {
    fs_noc_work flit = {0};
    uint32_t way = 0;
    fs_energy_routes r = {.way = &way, .flit = &flit};
    if (fs_fabric_network_of(fabric) != NULL) {
        const fs_noc_way of = fs_fabric_way_of(fabric, t->src, t->dst);
        flit = (fs_noc_work){.ports = of.ports, .length = of.length, .taken = 1};
        r.network = fabric;
        r.width = fs_fabric_flit(fabric);
    } else {
        way = fs_exchange_way(geometry, t->src, t->dst);
    }
    move(b, t, fs_energy_of_transfer(&r, 0, bytes));
}

void fs_energy_give_moved(fs_energy_books *b, fs_moved moved) {
    b->given = true;
    fs_moved_add(&b->flow.moved, &moved);
}

static fs_moved times(const fs_moved *m, uint64_t times) {
    return (fs_moved){.bytes = times * m->bytes,
                      .way = times * m->way,
                      .links = times * m->links,
                      .ports = times * m->ports,
                      .ends = times * m->ends};
}

void fs_energy_move_all(fs_energy_books *b, const fs_energy_routes *r, uint64_t phases) {
    const fs_moved all = times(&r->whole, phases);
    fs_moved_add(&b->flow.moved, &all);
    b->flow.more += phases * r->more;
}

void fs_energy_phase_tiles(fs_energy_books *b, const fs_energy_routes *r, uint64_t phases) {
    for (uint32_t t = 0; t < r->tiles; t++) {
        b->moved[t].bytes += 2 * phases * (r->tiles - 1) * r->rotation;
        b->moved[t].way += phases * r->rotation * r->rotated[t];
    }
    for (uint32_t i = 0; i < r->count && phases > 0; i++) {
        const fs_transfer *t = &r->transfers[i];
        const uint64_t bytes = r->network != NULL ? fs_fabric_message(r->network, i, t->bytes) : t->bytes;
        const fs_moved one = fs_energy_of_transfer(r, i, bytes);
        fs_moved sent = times(&one, phases);
        sent.bytes = r->again[i] ? 0 : sent.bytes;
        fs_moved_add(&b->moved[t->src], &sent);
        b->moved[t->dst].bytes += phases * bytes;
    }
}

void fs_energy_barrier(fs_energy_books *b, uint32_t tiles, uint64_t times) {
    b->flow.barriers += times * tiles;
}

void fs_energy_barrier_tiles(fs_energy_books *b, const uint32_t *tiles, uint32_t count, uint64_t times) {
    for (uint32_t i = 0; i < count; i++)
        b->barriers[tiles[i]] += times;
}

void fs_energy_host(fs_energy_books *b, uint64_t link_bytes, uint64_t broadcast_bytes) {
    b->flow.host += link_bytes;
    b->flow.broadcast += broadcast_bytes;
}

void fs_energy_dram(fs_energy_books *b, uint64_t bytes) {
    b->flow.dram += bytes;
}

void fs_energy_chips(fs_energy_books *b, uint64_t bytes) {
    b->flow.chips += bytes;
}
