/* A network on chip as an experiment describes it (machine.exchange.noc.*): parameters, and the graph that they
 * mean. Sources of defaults: docs/facts/network_on_chip.md. */
#pragma once

#include "models/noc/graph.h"
#include "sim/config/param.h"

/* The kinds, a file of topology/ each: machine.exchange.noc.topology. */
#define FS_NOC_KINDS(X)                                                                                      \
    X(MESH, mesh)                                                                                            \
    X(TORUS, torus)                                                                                          \
    X(RUCHE, ruche)                                                                                          \
    X(FAT_TREE, fat_tree)                                                                                    \
    X(FLATTENED_BUTTERFLY, flattened_butterfly)                                                              \
    X(DRAGONFLY, dragonfly)                                                                                  \
    X(FILE, file)
#define FS_NOC_NUMBER_OF(NAME, name) FS_NOC_##NAME,
enum { FS_NOC_KINDS(FS_NOC_NUMBER_OF) FS_NOC_KIND_COUNT };
enum { FS_NOC_BUFFERED, FS_NOC_FREE };
enum { FS_NOC_FLITS, FS_NOC_SAMPLED };
enum { FS_NOC_BOTH_WAYS, FS_NOC_UPWARDS, FS_NOC_DOWNWARDS };

typedef struct fs_noc_options {
    int64_t topology; /* FS_NOC_MESH ... */
    fs_int_list size; /* routers in each dimension; fat tree: arity and levels; dragonfly: routers of a group,
                         groups, links of a router to others */
    bool size_given;
    const char *file;           /* of topology file */
    int64_t concentration;      /* end points a router; of a flattened butterfly a square number */
    int64_t express;            /* ruche: routers that an express link passes */
    int64_t way;                /* torus: FS_NOC_BOTH_WAYS ... */
    int64_t routers;            /* FS_NOC_BUFFERED ... */
    int64_t detail;             /* FS_NOC_FLITS ... */
    double error;               /* sampled: % of the exchange, half the interval that is wanted */
    int64_t vcs, buffer;        /* channels of a link, flits of a channel */
    int64_t link;               /* cycles of a link; FS_WORD_VALUE: 1, of a folded torus 2 */
    int64_t pitch;              /* um from router to router */
    int64_t width;              /* bytes of a flit */
    int64_t packet;             /* most data bytes of a packet */
    int64_t header;             /* flits of a packet before its data */
    int64_t planes;             /* networks beside each other, see fs_noc_plane */
    int64_t issue, issue_other; /* cycles of a processor's call: to the destination before, to another one */
    bool fixed;        /* writes take the first channel of their class, so that they keep their order */
    bool last_first;   /* of a torus: packets pass the last dimension first; no key: fs_noc_plane sets it */
    int64_t call;      /* cycles from a program to the network and back */
    fs_int_list tiles; /* end points that are tiles; absent: all */
    bool tiles_given;
} fs_noc_options;

extern const char *const fs_noc_topologies[],
    *const fs_noc_ways[], *const fs_noc_routers[], *const fs_noc_details[]; /* NULL-terminated */

/* Rows of a machine M with a member exchange_noc of that struct. */
#define FS_NOC_ROW(key, m) "exchange.noc." key, M, noc.m
#define FS_NOC_ROWS(M)                                                                                       \
    FS_PARAM_ENUM("exchange.noc.topology", M, noc.topology, "mesh", fs_noc_topologies,                       \
                  "how routers are joined: in a grid; in rings; a grid with express links along the first "  \
                  "dimension; a k-ary n-tree; every router with all of its row and column; in groups, each " \
                  "two of which have a link; as a file says",                                                \
                  PRICE, .only = "machine.exchange.kind=noc"),                                               \
        FS_PARAM_INTS(                                                                                       \
            "exchange.noc.size", M, noc.size, NONE, "none", 1, 65536,                                        \
            "routers in each dimension, the first one's next to each other in numbers; of a fat "            \
            "tree arity and levels; of a dragonfly routers of a group, groups, links of a router "           \
            "to other groups",                                                                               \
            PRICE,                                                                                           \
            .only =                                                                                          \
                "machine.exchange.noc.topology=mesh|torus|ruche|fat_tree|flattened_butterfly|dragonfly"),    \
        FS_PARAM_PATH("exchange.noc.file", M, noc.file, "",                                                  \
                      "YAML file with routers, links, end points and routes (docs/machines.md)", PRICE,      \
                      .only = "machine.exchange.noc.topology=file"),                                         \
        FS_PARAM_INT("exchange.noc.concentration", M, noc.concentration, NONE, "4", 1, 64,                   \
                     "end points of a router; of a flattened butterfly a square number", PRICE,              \
                     .only = "machine.exchange.noc.topology=flattened_butterfly|dragonfly"),                 \
        FS_PARAM_INT("exchange.noc.express", M, noc.express, NONE, "3", 2, 64,                               \
                     "routers from one end of an express link to the other", PRICE,                          \
                     .from = {"network_on_chip.md 1, HB", 'P'},                                              \
                     .only = "machine.exchange.noc.topology=ruche"),                                         \
        FS_PARAM_ENUM("exchange.noc.way", M, noc.way, "both", fs_noc_ways,                                   \
                      "ways round the rings of a torus: both, or one", PRICE,                                \
                      .only = "machine.exchange.noc.topology=torus"),                                        \
        FS_PARAM_ENUM("exchange.noc.routers", M, noc.routers, "buffered", fs_noc_routers,                    \
                      "what packets meet: routers with channels, buffers and a switch; or, to tell what "    \
                      "these cost, the cycles of links alone, which carry all that comes",                   \
                      PRICE, .only = "machine.exchange.kind=noc"),                                           \
        FS_PARAM_ENUM("exchange.noc.detail", M, noc.detail, "flits", fs_noc_details,                         \
                      "how phases are simulated: each as it comes, flit by flit, arbiters going on where "   \
                      "the phase before left them; or at the end of the run as many as the sum needs, side " \
                      "by side, and the others by their bounds",                                             \
                      PRICE, .only = "machine.exchange.kind=noc"),                                           \
        FS_PARAM_REAL("exchange.noc.error", M, noc.error, PERCENT, "1 %", 0, 100,                            \
                      "of the cycles of the exchange: phases are simulated until half their 95 % interval "  \
                      "is no more; 0: all are",                                                              \
                      PRICE, .only = "machine.exchange.noc.detail=sampled"),                                 \
        FS_PARAM_INT("exchange.noc.vcs", M, noc.vcs, NONE, "4", 1, FS_NOC_MOST_CHANNELS,                     \
                     "virtual channels of a link", PRICE, .from = {"network_on_chip.md 2", 'A'},             \
                     .only = "machine.exchange.kind=noc"),                                                   \
        FS_PARAM_INT("exchange.noc.buffer", M, noc.buffer, NONE, "8", 1, FS_NOC_MOST_DEPTH,                  \
                     "flits that the buffer of a virtual channel holds", PRICE,                              \
                     .from = {"network_on_chip.md 2", 'A'}, .only = "machine.exchange.kind=noc"),            \
        FS_PARAM_INT("exchange.noc.link", M, noc.link, CYCLES, "auto", 1, FS_NOC_MOST_LATENCY,               \
                     "cycles of a link to the next router; longer ones of a flattened butterfly take so "    \
                     "many for each router that they pass; auto: 1, of a folded torus 2",                    \
                     PRICE, .word = "auto", .from = {"network_on_chip.md 2", 'A'},                           \
                     .only = "machine.exchange.kind=noc"),                                                   \
        FS_PARAM_INT("exchange.noc.pitch", M, noc.pitch, NONE, "750", 1, 100000,                             \
                     "um from a router to the next one", PRICE, .only = "machine.exchange.kind=noc"),        \
        FS_PARAM_INT("exchange.noc.width", M, noc.width, BYTES, "4 B", 1, 4096, "bytes that a flit carries", \
                     PRICE, .only = "machine.exchange.kind=noc"),                                            \
        FS_PARAM_INT("exchange.noc.packet", M, noc.packet, BYTES, "256 B", 1, 1e9,                           \
                     "bytes of data that a packet carries at most", PRICE,                                   \
                     .only = "machine.exchange.kind=noc"),                                                   \
        FS_PARAM_INT("exchange.noc.header", M, noc.header, NONE, "1", 0, 64,                                 \
                     "flits of a packet before its data", PRICE, .only = "machine.exchange.kind=noc"),       \
        FS_PARAM_INT(                                                                                        \
            "exchange.noc.planes", M, noc.planes, NONE, "1", 1, 4,                                           \
            "networks beside each other; of rings of one way every second one turns the other way, "         \
            "and its packets pass the last dimension first",                                                 \
            PRICE, .only = "machine.exchange.kind=noc"),                                                     \
        FS_PARAM_INT("exchange.noc.issue", M, noc.issue, CYCLES, "1 cycles", 1, 1e6,                         \
                     "a processor's call to the destination of the call before", PRICE,                      \
                     .only = "machine.exchange.kind=noc"),                                                   \
        FS_PARAM_INT("exchange.noc.issue_other", M, noc.issue_other, CYCLES, "1 cycles", 1, 1e6,             \
                     "a processor's call to another destination", PRICE,                                     \
                     .only = "machine.exchange.kind=noc"),                                                   \
        FS_PARAM_INT("exchange.noc.call", M, noc.call, CYCLES, "0 cycles", 0, 1e6,                           \
                     "from a processor's program to the network and back, once where it waits", PRICE,       \
                     .only = "machine.exchange.kind=noc"),                                                   \
        FS_PARAM_BOOL("exchange.noc.fixed", M, noc.fixed, "false",                                           \
                      "writes take the first virtual channel of their class, so that they keep their order", \
                      PRICE, .only = "machine.exchange.kind=noc"),                                           \
        FS_PARAM_INTS("exchange.noc.tiles", M, noc.tiles, NONE, "none", 0, 1048575,                          \
                      "end points that are tiles; absent: all", PRICE, .only = "machine.exchange.kind=noc")

/* The graph, free of deadlock with its channels. FS_INPUT: sizes that are missing or do not go with the topology,
 * too few channels (the ring of packets that could wait for each other is named); begins with the key, or with the
 * place in the topology's file. */
const fs_noc_graph *fs_noc_make(fs_arena *arena, const fs_noc_options *options, fs_error *err);
/* The options of a plane: of rings of one way every second one turns the other way, with the dimensions in the opposite
 * order. */
fs_noc_options fs_noc_plane(const fs_noc_options *options, uint32_t plane);
/* The same as a rule of an experiment that is being loaded. */
void fs_noc_check_options(const fs_noc_options *options, fs_check *check);

/* The digits of an end point's number, the lowest first: its place in each dimension, its branch at each level;
 * where there are no such, one digit for all `ends`. */
fs_noc_sizes fs_noc_digits(fs_arena *arena, const fs_noc_options *options, uint32_t ends);
