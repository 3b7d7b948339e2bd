/* Circuits on a grid: tiles joined by static ways, as on a wafer (docs/facts/network_on_chip.md 1, CS-2).
 *
 * A way goes along the row, then along the column. All ways to one tile are one colour, a tree of static ways; two
 * colours that meet at a crossing are different ones there, and a crossing has so many at most. A message's words follow
 * each other, one a cycle through each link, and so do messages that share a link or a ramp, in the order in which
 * they are given. From a tile to its crossing and back is a ramp of T_R cycles each, a hop is a cycle.
 *
 * A message may follow another one to its sender: its words are made of that one's, each a cycle behind it.
 *
 * Models no buffer: a message begins when it can go through without standing. Not thread-safe. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdint.h>

enum { FS_CIRCUIT_MOST_COLOURS = 64 };
#define FS_CIRCUIT_NONE UINT32_MAX

typedef struct fs_circuit_options {
    fs_int_list size; /* columns, rows */
    bool size_given;
    int64_t colours; /* of a crossing, 1 ... FS_CIRCUIT_MOST_COLOURS */
    int64_t ramp;    /* T_R, cycles */
} fs_circuit_options;

/* Rows of a machine M with a member `circuit` of that struct. */
#define FS_CIRCUIT_ROWS(M)                                                                                   \
    FS_PARAM_INTS("exchange.circuit.size", M, circuit.size, NONE, "none", 1, 65536,                          \
                  "columns and rows of the grid of crossings, one for each tile", PRICE,                     \
                  .only = "machine.exchange.kind=circuit"),                                                  \
        FS_PARAM_INT("exchange.circuit.colours", M, circuit.colours, NONE, "24", 1, FS_CIRCUIT_MOST_COLOURS, \
                     "static ways that a crossing has at most", PRICE,                                       \
                     .from = {"network_on_chip.md 1, CSR", 'P'}, .only = "machine.exchange.kind=circuit"),   \
        FS_PARAM_INT("exchange.circuit.ramp", M, circuit.ramp, CYCLES, "2 cycles", 0, 1e6,                   \
                     "from a tile to its crossing, and back", PRICE, .from = {"network_on_chip.md 1", 'A'},  \
                     .only = "machine.exchange.kind=circuit")

typedef struct fs_circuit_message {
    uint32_t src, dst; /* places, row by row */
    uint32_t follows;  /* an earlier message, to src; FS_CIRCUIT_NONE: none */
    uint64_t words;    /* 0: it is not sent */
} fs_circuit_message;

typedef struct fs_circuit fs_circuit;

/* For runs of at most so many messages. All memory from the arena. */
fs_circuit *fs_circuit_create(fs_arena *arena, uint32_t columns, uint32_t rows, uint32_t ramp,
                              uint32_t messages);

/* FS_INPUT: a crossing has more than `most` colours; the crossing's place and their number are named. */
fs_status fs_circuit_colour(const fs_circuit *c, const fs_circuit_message *messages, uint32_t count,
                            uint32_t most, fs_error *err);

/* Cycles until the last word has been taken. */
uint64_t fs_circuit_run(fs_circuit *c, const fs_circuit_message *messages, uint32_t count);

/* Runs add the words that links carry to carried [crossings][FS_CIRCUIT_LINKS]: of each crossing east, west, south, north;
 * kept. */
enum { FS_CIRCUIT_LINKS = 4 };
void fs_circuit_count(fs_circuit *c, uint64_t *carried);
/* The cycle in which each message of the last run began, [count of that run]; of one that was not sent nothing. */
const uint64_t *fs_circuit_began(const fs_circuit *c);

uint32_t fs_circuit_hops(const fs_circuit *c, uint32_t src, uint32_t dst);
