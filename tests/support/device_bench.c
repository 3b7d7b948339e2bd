#include "tests/support/device_bench.h"
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

/* ---- programs ---- */

static const fs_event barrier = {.name = "barrier", .op = {[FS_OP_INT] = 7}};
static const fs_event plain[] = {{.name = "slot", .op = {[FS_OP_INT] = 1}}};
static const fs_event two_segments[] = {
    {.name = "prologue", .op = {[FS_OP_LOAD] = 3}, .always_each = 1},
    {.name = "visit", .op = {[FS_OP_MUL] = 2}},
    {.name = "sum", .op = {[FS_OP_ADD] = 5}, .segment = 1, .always_first = 2},
};
/* event e costs e + 1 slots */
#define WIDE_EVENT(e)                                                                                        \
    {                                                                                                        \
        .name = "wide", .op = { [FS_OP_INT] = (e) + 1 }                                                      \
    }
#define EIGHT(e)                                                                                             \
    WIDE_EVENT(e), WIDE_EVENT(e + 1), WIDE_EVENT(e + 2), WIDE_EVENT(e + 3), WIDE_EVENT(e + 4),               \
        WIDE_EVENT(e + 5), WIDE_EVENT(e + 6), WIDE_EVENT(e + 7)
static const fs_event wide[WIDE] = {EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), WIDE_EVENT(40)};

static const fs_program plain_program = {
    .name = "plain", .segments = 1, .events = plain, .event_count = 1, .code_bytes = 100};
static const fs_program sum_program = {.name = "sum",
                                       .segments = 2,
                                       .events = two_segments,
                                       .event_count = 3,
                                       .barrier = &barrier,
                                       .code_bytes = 40};
static const fs_program wide_program = {
    .name = "wide", .segments = 1, .workers = 2, .events = wide, .event_count = WIDE, .code_bytes = 3};
const fs_program *const fs_bench_programs[PROGRAMS] = {&plain_program, &sum_program, &wide_program};

/* ---- the calls of a round ---- */

uint32_t fs_bench_call(const fs_device_bench *b, fs_moment at, uint32_t tile, uint32_t call,
                       uint32_t *counts) {
    const fs_device_step *step = fs_plan_step(&b->plan, at.step);
    const uint8_t runs = step->runs != NULL ? step->runs[tile] : 0;
    const uint32_t sample = b->sample_of != NULL ? b->sample_of[at.round] : at.round;
    fs_rng rng = fs_rng_sub(fs_rng_sub(fs_rng_sub(b->calls, at.iteration), at.step * 1000 + sample), tile);
    if (runs == 0 || fs_rng_below(&rng, 16) >= b->busy || call >= 1 + fs_rng_below(&rng, step->calls))
        return 0;
    const fs_program *p = fs_bench_programs[runs - 1];
    const uint32_t workers = p->workers ? p->workers : WORKERS, width = fs_program_width(p);
    fs_rng own = fs_rng_sub(rng, call);
    for (uint32_t w = 0; w < workers; w++)
        for (uint32_t e = 0; e < p->event_count; e++)
            counts[w * width + e] = fs_rng_below(&own, 3) ? fs_rng_below(&own, 40) : 0;
    return fs_rng_below(&own, 4) ? 1 : 2 + fs_rng_below(&own, 3);
}

static fs_status compute(void *self, fs_moment at, const uint32_t **active, uint32_t *count, fs_error *err) {
    fs_device_bench *b = self;
    (void)err;
    *active = b->active;
    *count = 0;
    for (uint32_t t = 0; t < TILES; t++) {
        uint32_t counts[WORKERS * FS_MOST_EVENTS] = {0}, calls = 0;
        for (uint32_t times; (times = fs_bench_call(b, at, t, calls, counts)) > 0; calls++) {
            const uint32_t width = fs_device_program(b->device, at.step, t)->width;
            uint32_t *row = fs_device_counts(b->device, t);
            for (uint32_t i = 0; i < WORKERS * width; i++)
                assert_int_equal(row[i], 0);
            memcpy(row, counts, WORKERS * width * sizeof *row);
            memset(counts, 0, sizeof counts);
            if (times == 1)
                fs_device_done(b->device, t);
            else
                fs_device_done_times(b->device, t, times);
        }
        if (calls > 0)
            b->active[(*count)++] = t;
    }
    return FS_OK;
}

static fs_status exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    fs_device_bench *b = self;
    (void)err;
    const fs_device_step *step = fs_plan_step(&b->plan, at.step);
    fs_rng rng = fs_rng_sub(fs_rng_sub(b->calls, at.iteration + 50), at.step * 1000 + at.round);
    const bool open = step->most_transfers > 0;
    const fs_transfer *transfers = open ? b->listed : step->transfers;
    const uint32_t count = open ? b->listed_count : step->transfer_count;
    uint32_t given = 0;
    assert_true(count > 0 || step->rotation > 0);
    for (uint32_t i = 0; i < count; i++) {
        b->occupied[i] = fs_rng_below(&rng, 3) ? fs_rng_below(&rng, transfers[i].bytes + 1) : 0;
        b->given[given] = (fs_transfer){transfers[i].src, transfers[i].dst, b->occupied[i]};
        given += open && b->occupied[i] > 0;
    }
    if (open)
        fs_device_give_transfers(b->device, b->given, given);
    *occupied = b->machine.exchange.mode == FS_EXCHANGE_STATIC ? NULL : b->occupied;
    return FS_OK;
}

static fs_status decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)self;
    (void)err;
    *visit = (fs_host_visit){.visit = iteration == 0, .bytes_to_host = 400, .broadcast_bytes = 64};
    *stop = iteration + 1 == ITERATIONS;
    return FS_OK;
}

static bool skips(void *self, uint64_t iteration, uint32_t stage) {
    return ((const fs_device_bench *)self)->skipped >> (4 * iteration + stage) & 1;
}

static void finished(void *self, const fs_iteration *i) {
    const fs_device_bench *b = self;
    memcpy(b->record->iteration[i->number], (uint64_t[]){i->compute, i->sync, i->exchange, i->pace_tile},
           sizeof b->record->iteration[0]);
    for (uint32_t s = 0; s < fs_plan_steps(&b->plan); s++) {
        const fs_step_times took = fs_device_step_times(b->device, s);
        memcpy(b->record->last[s], (uint64_t[]){took.start, took.compute, took.sync, took.exchange},
               sizeof b->record->last[s]);
        for (uint32_t t = 0; t < TILES; t++)
            b->record->cycles_of[s][t] = fs_device_tile_cycles(b->device, s, t);
    }
}

/* ---- a run ---- */

static void keep(const fs_device_bench *b, fs_device_record *r) {
    const fs_device_totals t = fs_device_totals_of(b->device);
    fs_attojoules energy[FS_ENERGY_PARTS];
    fs_energy_at(fs_device_energy(b->device), FS_PRICE_CENTRAL, energy);
    for (int p = 0; p < FS_ENERGY_PARTS; p++) {
        r->energy[p][0] = (uint64_t)(energy[p] >> 64);
        r->energy[p][1] = (uint64_t)energy[p];
    }
    const uint64_t *tiles[4] = {t.compute, t.bytes_out, t.bytes_in, t.port_busy_out};
    const uint64_t *workers[3] = {t.busy, t.waiting, t.idle};
    r->cycles = t.cycles;
    r->first = t.cycles_first;
    r->compute = t.cycles_compute;
    r->sync = t.cycles_sync;
    r->exchange = t.cycles_exchange;
    r->host = t.cycles_host;
    for (int i = 0; i < 4; i++)
        memcpy(r->tile[i], tiles[i], sizeof r->tile[i]);
    for (int i = 0; i < 3; i++)
        memcpy(r->worker[i], workers[i], sizeof r->worker[i]);
    memcpy(r->group, t.group, fs_plan_groups(&b->plan) * sizeof *t.group);
    memcpy(r->step, t.step, fs_plan_steps(&b->plan) * sizeof *t.step);
}

static void simulate(fs_device_bench *b, fs_detail detail, fs_device_record *r) {
    const fs_device_client client = {b, compute, exchange, decide, finished, skips, NULL};
    fs_error err = {0};
    b->record = r;
    b->device = fs_device_create(b->arena, &b->machine, &b->plan, detail, &err);
    if (b->device && fs_device_run(b->device, &client, &err) == FS_OK)
        keep(b, r);
    r->status = err.status;
    snprintf(r->text, sizeof r->text, "%.250s", err.text);
}

static void send_all(int end, const fs_device_record *r) {
    for (size_t sent = 0; sent < sizeof *r;) {
        ssize_t n = write(end, (const char *)r + sent, sizeof *r - sent);
        if (n <= 0)
            _exit(3);
        sent += (size_t)n;
    }
}

fs_device_record *fs_bench_run(fs_device_bench *b, fs_detail detail) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    fs_device_record *r = calloc(1, sizeof *r);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        simulate(b, detail, r);
        send_all(ends[1], r);
        _exit(0);
    }
    close(ends[1]);
    size_t got = 0;
    for (ssize_t n = 1; n > 0 && got < sizeof *r; got += (size_t)(n > 0 ? n : 0))
        n = read(ends[0], (char *)r + got, sizeof *r - got);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(got, sizeof *r);
    return r;
}
