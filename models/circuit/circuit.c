#include "models/circuit/circuit.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { EAST, WEST, SOUTH, NORTH, OUT, IN, WAYS }; /* of a crossing: links, and the ramps of its tile */

struct fs_circuit {
    uint32_t columns, rows, ramp;
    uint32_t messages; /* of a run, at most */
    uint64_t *free;    /* [crossings][WAYS] cycle from which a word may enter it */
    uint64_t *carried; /* [crossings][FS_CIRCUIT_LINKS] words; NULL: nobody counts */
    uint64_t *began;   /* [messages] of the last run */
};

fs_circuit *fs_circuit_create(fs_arena *arena, uint32_t columns, uint32_t rows, uint32_t ramp,
                              uint32_t messages) {
    fs_circuit *c = FS_NEW(arena, fs_circuit, 1);
    *c = (fs_circuit){.columns = columns, .rows = rows, .ramp = ramp, .messages = messages};
    c->free = FS_NEW(arena, uint64_t, (size_t)columns * rows * WAYS);
    c->began = FS_NEW(arena, uint64_t, (size_t)messages + 1);
    return c;
}

void fs_circuit_count(fs_circuit *c, uint64_t *carried) {
    c->carried = carried;
}

const uint64_t *fs_circuit_began(const fs_circuit *c) {
    return c->began;
}

static uint32_t apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

uint32_t fs_circuit_hops(const fs_circuit *c, uint32_t src, uint32_t dst) {
    return apart(src % c->columns, dst % c->columns) + apart(src / c->columns, dst / c->columns);
}

/* The next crossing of the way, along the row first; the way out of `at`. */
static uint32_t next(const fs_circuit *c, uint32_t at, uint32_t dst, uint32_t *way) {
    const uint32_t x = at % c->columns, to = dst % c->columns;
    if (x != to) {
        *way = x < to ? EAST : WEST;
        return x < to ? at + 1 : at - 1;
    }
    *way = at < dst ? SOUTH : NORTH;
    return at < dst ? at + c->columns : at - c->columns;
}

/* ---- colours ---- */

static int by_receiver(const void *a, const void *b) {
    const fs_circuit_message *const *p = a, *const *q = b;
    return ((*p)->dst > (*q)->dst) - ((*p)->dst < (*q)->dst);
}

fs_status fs_circuit_colour(const fs_circuit *c, const fs_circuit_message *messages, uint32_t count,
                            uint32_t most, fs_error *err) {
    const uint32_t crossings = c->columns * c->rows;
    const fs_circuit_message **by = fs_calloc((size_t)count + 1, sizeof *by);
    uint32_t *seen = fs_calloc(crossings, sizeof *seen), *colours = fs_calloc(crossings, sizeof *colours);
    for (uint32_t m = 0; m < count; m++)
        by[m] = &messages[m];
    qsort(by, count, sizeof *by, by_receiver);
    for (uint32_t m = 0, way; m < count; m++)
        for (uint32_t at = by[m]->src;; at = next(c, at, by[m]->dst, &way)) {
            if (seen[at] != by[m]->dst + 1)
                colours[at]++;
            seen[at] = by[m]->dst + 1;
            if (at == by[m]->dst)
                break;
        }
    uint32_t worst = 0;
    for (uint32_t r = 1; r < crossings; r++)
        worst = colours[r] > colours[worst] ? r : worst;
    const uint32_t found = colours[worst];
    free(by);
    free(seen);
    free(colours);
    return found <= most
               ? FS_OK
               : fs_fail(err, FS_INPUT,
                         "machine.exchange.circuit.colours: the crossing in column %" PRIu32 ", row %" PRIu32
                         " has ways to %" PRIu32 " tiles, each a colour; expected at most %" PRIu32,
                         worst % c->columns, worst / c->columns, found, most);
}

/* ---- words ---- */

/* Something on the way that a message comes by `passed` cycles after it began: when it may begin, or that it did. */
static uint64_t pass(uint64_t *free_from, uint64_t passed, uint64_t from, uint64_t words, bool books) {
    if (books)
        *free_from = from + passed + words;
    return !books && *free_from > from + passed ? *free_from - passed : from;
}

/* From the first cycle in which everything on its way is free when a message comes by; books it. */
static uint64_t begin(fs_circuit *c, const fs_circuit_message *m, uint64_t from) {
    for (uint32_t books = 0; books < 2; books++) {
        uint64_t passed = c->ramp;
        from = pass(&c->free[(size_t)m->src * WAYS + OUT], 0, from, m->words, books);
        for (uint32_t at = m->src, way; at != m->dst; passed++) {
            const uint32_t to = next(c, at, m->dst, &way);
            from = pass(&c->free[(size_t)at * WAYS + way], passed, from, m->words, books);
            if (books && c->carried != NULL)
                c->carried[(size_t)at * FS_CIRCUIT_LINKS + way] += m->words;
            at = to;
        }
        from = pass(&c->free[(size_t)m->dst * WAYS + IN], passed, from, m->words, books);
    }
    return from;
}

/* The cycle in which the first word of a message that began is taken. */
static uint64_t first_of(const fs_circuit *c, const fs_circuit_message *messages, uint32_t i) {
    return c->began[i] + 2 * (uint64_t)c->ramp + fs_circuit_hops(c, messages[i].src, messages[i].dst);
}

uint64_t fs_circuit_run(fs_circuit *c, const fs_circuit_message *messages, uint32_t count) {
    uint64_t end = 0;
    FS_ASSERT(count <= c->messages, "%" PRIu32 " messages, room for %" PRIu32, count, c->messages);
    memset(c->free, 0, (size_t)c->columns * c->rows * WAYS * sizeof *c->free);
    for (uint32_t i = 0; i < count; i++) {
        const fs_circuit_message *m = &messages[i];
        if (m->words == 0)
            continue;
        c->began[i] = begin(c, m, m->follows == FS_CIRCUIT_NONE ? 0 : first_of(c, messages, m->follows) + 1);
        end = fs_most(end, first_of(c, messages, i) + m->words + 1);
    }
    return end;
}
