/* The rows of every machine parameter. Ranges are what the models accept, wide enough for what-if machines;
 * where a value is uncertain the bracket of ipu.md 10 stands in the row's text. */
#include "models/ipu/machine.h"

#include "sim/config/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define M          fs_machine_params
#define FS_ROWS_OF M

static const char *const fabrics[] = {
    [FS_FABRIC_PORTS] = "ports", [FS_FABRIC_NOC] = "noc", [FS_FABRIC_CIRCUIT] = "circuit", NULL};
static const char *const modes[] = {[FS_EXCHANGE_STATIC] = "static", [FS_EXCHANGE_DYNAMIC] = "dynamic", NULL};
static const char *const copies[] = {
    [FS_EXCHANGE_MERGED] = "merged", [FS_EXCHANGE_SERIAL] = "serial", [FS_EXCHANGE_PAIRS] = "pairs", NULL};
static const char *const pair_receives[] = {[FS_EXCHANGE_PAIR_SHARED] = "shared",
                                            [FS_EXCHANGE_PAIR_IDLE] = "idle",
                                            [FS_EXCHANGE_PAIR_OFF] = "off",
                                            NULL};
static const char *const executions[] = {
    [FS_EXECUTION_BSP] = "bsp", [FS_EXECUTION_DECOUPLED] = "decoupled", NULL};
static const char *const locals[] = {[FS_SYNC_LOCAL_MERGED] = "merged", [FS_SYNC_LOCAL_EACH] = "each", NULL};
static const char *const duals[] = {
    [FS_DUAL_COUNTED] = "counted", [FS_DUAL_NONE] = "none", [FS_DUAL_FULL] = "full", NULL};
static const char *const kernels[] = {[FS_AMP_VERTEX] = "vertex", [FS_AMP_PANELS] = "panels", NULL};
static const char *const checks[] = {[FS_MEMORY_ERROR] = "error", [FS_MEMORY_WARN] = "warn", NULL};

/* Issue slots of one operation: cost.<key>, from the table of operations. */
#define COST_ROW(op, key, slots, pipe, doc, source, confidence)                                              \
    FS_PARAM_INT("cost." #key, M, tile.cost[FS_OP_##op], SLOTS, #slots " slots", 0, 100000, doc, PRICE,      \
                 .from = {source, confidence}),

#define ENERGY_ROW(key, def, low, high, scaled, ...)  FS_ENERGY_ROW_(M, key, def, __VA_ARGS__)
#define AREA_ROW(key, def, low, high, ...)            FS_AREA_ROW_(M, key, def, __VA_ARGS__)
#define NETWORK_ROW(key, def, low, high, scaled, ...) FS_NETWORK_ROW_(M, key, def, __VA_ARGS__)
#define NETWORK_AREA_ROW(key, def, low, high, ...)    FS_NETWORK_AREA_ROW_(M, key, def, __VA_ARGS__)

/* What a single chip without matrix unit and streaming memory does not have. */
#define POD_ROWS                                                                                             \
    FS_INT(chips, NONE, "1", 1, FS_POD_MOST_CHIPS,                                                           \
           "chips of this kind: joined by machine.fabric where tiles send to each other, else chips that "   \
           "share the work and do not communicate",                                                          \
           TRAFFIC, .from = {"neural_path_tracing.md 1, IRL", 'R'}),                                         \
        FS_INT(matrix.units, NONE, "16", 4, 256,                                                             \
               "units of the matrix unit: outputs of a pass, four f16 multiply-adds a cycle each", PRICE,    \
               .from = {"neural_path_tracing.md 4, PL", 'R'}),                                               \
        FS_INT(matrix.load_bytes, BYTES_PER_CYCLE, "16 B/cycle", 1, 4096,                                    \
               "coefficients that are loaded in a cycle", PRICE,                                             \
               .from = {"neural_path_tracing.md 4, PL", 'R'}),                                               \
        FS_ENUM(matrix.kernel, "vertex", kernels,                                                            \
                "the program on the matrix unit: the vendor's vertex in its closed form, or a kernel by "    \
                "panels as measured",                                                                        \
                PRICE, .from = {"neural_path_tracing.md 4, PL; measurements.md 1", 'R'}),                    \
        FS_INT(matrix.panel, CYCLES, "170 cycles", 0, 1e6,                                                   \
               "what a pass of the measured kernel takes beside its rows: the mean over six measured "       \
               "kernels (164 to 207)",                                                                       \
               PRICE, .from = {"measurements.md 1", 'M'}),                                                   \
        FS_REAL(remote.bandwidth, BYTES_PER_SECOND, "3.52 GB/s", 1e3, 1e15,                                  \
                "streaming memory, a chip's, both directions together (fitted: NPT Tab. 6 row 3, 5,806,080 " \
                "B each way in 3.3 ms)",                                                                     \
                PRICE, .from = {"neural_path_tracing.md 6", 'I'}),                                           \
        FS_REAL(remote.shared_bandwidth, BYTES_PER_SECOND, "25.6 GB/s", 1e3, 1e15,                           \
                "streaming memory, of all chips that share it", PRICE,                                       \
                .from = {"neural_path_tracing.md 6, NPT", 'P'}),                                             \
        FS_INT(remote.sharers, NONE, "4", 1, 64, "chips that share a streaming memory", PRICE,               \
               .from = {"neural_path_tracing.md 6, NPT", 'P'}),                                              \
        FS_REAL(remote.latency, SECONDS, "2 us", 0, 10,                                                      \
                "from the request to the first line (uncertain: 0.5 to 10 us)", PRICE,                       \
                .from = {"no source", 'A'}),                                                                 \
        FS_INT(remote.line, BYTES, "64 B", 1, 65536,                                                         \
               "bytes that the streaming memory reads or writes at once", PRICE,                             \
               .from = {"neural_path_tracing.md 6", 'I'}),                                                   \
        FS_INT(remote.packet, BYTES, "256 B", 1, 1e9,                                                        \
               "bytes of a packet on the way to the streaming memory (uncertain: 128 to 512)", PRICE,        \
               .from = {"neural_path_tracing.md 6", 'A'}),

/* Of tiles of a role: SRAM and clock. */
#define ROLE_ROWS(name, number, who)                                                                         \
    FS_PARAM_INT("roles." name ".sram", M, role[number].sram, BYTES, "0 B", 0, 1e12,                         \
                 "SRAM of " who "; 0 B: memory.sram", TRAFFIC),                                              \
        FS_PARAM_REAL("roles." name ".clock", M, role[number].clock, PERCENT, "100 %", 1, 1000,              \
                      "clock of " who ", of the chip's, to a tenth of a percent", PRICE)

static const fs_param rows[] = {
    /* Links between chips, first: tables of workloads that have none begin behind them. */
    FS_ENUM(
        fabric.kind, "ladder", fs_chips_kinds,
        "what joins several chips (docs/design/chips.md): ladder, rungs of two; pairs, links between the two "
        "alone; ring; all, each with each; apart: no chip sends to another",
        TRAFFIC, .from = {"ipu.md 5, PL", 'P'}, .only = FS_MACHINE_SEVERAL_CHIPS),
    FS_INTS(fabric.links, NONE, "none", 1, 1000,
            "links of the edges of a chip: of a ladder to the partner, across on the way, up, down; of "
            "pairs to the partner; of a ring to the next and to the one before; of all to each other chip. "
            "Absent: [4, 2, 2, 2], [10], [5, 5], ten over the other chips",
            PRICE, .from = {"ipu.md 5, PL", 'P'}, .only = FS_MACHINE_SEVERAL_CHIPS),
    FS_REAL(fabric.bandwidth, BYTES_PER_SECOND, "16 GB/s", 1e3, 1e15, "a link between chips, one way", PRICE,
            .from = {"ipu.md 5, PL", 'P'}, .only = FS_MACHINE_SEVERAL_CHIPS),
    FS_REAL(fabric.efficiency, PERCENT, "85 %", 1, 100,
            "of fabric.bandwidth that is reached (uncertain: 70 to 100 %)", PRICE,
            .from = {"ipu.md 5 and 10, PL", 'P'}, .only = FS_MACHINE_SEVERAL_CHIPS),
    FS_REAL(fabric.latency, SECONDS, "250 ns", 0, 1,
            "for each edge that a message between chips goes over (uncertain: 100 to 600 ns)", PRICE,
            .from = {"ipu.md 5 and 10", 'P'}, .only = FS_MACHINE_SEVERAL_CHIPS),
    FS_REAL(fabric.sync, SECONDS, "15 ns", 0, 1,
            "for each hop of a barrier over several chips, there and back, beside sync.external", PRICE,
            .from = {"ipu.md 4, PL", 'P'}, .only = FS_MACHINE_SEVERAL_CHIPS),

    FS_STRING(name, "gc200", "label of the machine", NOTHING),
    FS_REAL(clock, HZ, "1.33 GHz", 1e6, 1e11, "tile clock", PRICE, .from = {"ipu.md 1, HC33 and NPT", 'P'}),

    /* The chip. The number of tiles bounds the network, so a change runs the traffic again. */
    FS_INT(geometry.columns, NONE, "16", 1, 64, "columns of super-tiles; they fold in halves about the spine",
           TRAFFIC, .from = {"ipu.md 1, IS and GR", 'R'}),
    FS_INT(geometry.rows, NONE, "23", 1, 256, "rows of super-tiles", TRAFFIC,
           .from = {"ipu.md 1, IS, GR and HC33", 'R'}),
    FS_INT(geometry.tiles_per_supertile, NONE, "4", 4, 4, "tiles of a super-tile; only four are known",
           TRAFFIC, .from = {"ipu.md 1, IS and GR", 'R'}),

    FS_INT(tile.workers, NONE, "6", 1, FS_MAX_WORKERS,
           "worker contexts; more of them add no issue slots, they share those of tile.issue_width: a worker "
           "issues once in workers / issue_width cycles, rounded up",
           TRAFFIC, .from = {"ipu.md 1 and 3, VPG and NPT", 'P'}),
    FS_INT(tile.issue_width, NONE, "1", 1, FS_MAX_WORKERS,
           "workers that issue in a cycle, at most tile.workers", PRICE, .from = {"ipu.md 3, VPG", 'P'}),
    FS_ENUM(tile.dual_issue, "counted", duals,
            "what a slot holds: the pairs of main and aux operations that the kernels' code has (counted), "
            "one operation (none), or one of each pipe whatever the code (full)",
            PRICE, .from = {"ipu.md 3, ISA; ipu.md 8", 'R'}),
    FS_INT(tile.lanes_f32, NONE, "2", 1, 64,
           "values of an f32 operation on vectors; code that has none gains with tile.vectorised", PRICE,
           .from = {"ipu.md 3, ISA, PL", 'P'}),
    FS_INT(tile.lanes_f16, NONE, "4", 1, 64, "values of the widest f16 operation on vectors", PRICE,
           .from = {"ipu.md 3, ISA, PL", 'P'}),
    FS_REAL(tile.vectorised, PERCENT, "0 %", 0, 100,
            "what if so much of the f32 adds, multiplies and compares that programs do one by one were done "
            "by vectors of tile.lanes_f32",
            PRICE, .from = {"ipu.md 8", 'I'}),
    FS_INT(
        tile.sram_ports, NONE, "0", 0, 64,
        "accesses of a tile's SRAM in a cycle, a floor under the time of a segment; 0: as many as are issued",
        PRICE, .from = {"ipu.md 2 and 3, ISA", 'P'}),
    FS_INT(tile.sram_width, BYTES, "16 B", 1, 1024, "bytes of an access, where tile.sram_ports counts them",
           PRICE, .from = {"ipu.md 2, ISA", 'P'}),
    FS_BOOL(tile.reuse_idle_slots, "false",
            "what if slots of exited and waiting workers went to the other workers", PRICE,
            .from = {"ipu.md 3 (on the IPU they go to the supervisor)", 'P'}),
    FS_INT(tile.vertex_overhead, CYCLES, "11 cycles", 0, 1e6,
           "supervisor's work before it starts the workers (13 with packed pointers)", PRICE,
           .from = {"ipu.md 3, PL", 'P'}),
    FS_INT(tile.runall, CYCLES, "6 cycles", 0, 1e6, "start of all workers", PRICE,
           .from = {"ipu.md 3, PL poplin estimator", 'P'}),
    FS_INT(tile.join, CYCLES, "6 cycles", 0, 1e6, "from the last worker's exit to the supervisor", PRICE,
           .from = {"ipu.md 3, PL poplin estimator", 'P'}),
    FS_OP_TABLE(COST_ROW) /* cost.* */
    FS_PARAM_REAL("cost.pairing", M, tile.pairing, PERCENT, "100 %", 0, 100,
                  "share of the pairable main and aux operations that are issued in one bundle (uncertain: "
                  "slots of ipu.md 8 within 30 %)",
                  PRICE, .from = {"ipu.md 10", 'A'}),
    FS_PARAM_REAL(
        "cost.scale", M, tile.scale, PERCENT, "100 %", 50, 400,
        "what the counted slots of every program really take, to a thousandth; a worker's slots in a segment "
        "are rounded once (uncertain: slots of ipu.md 8 within 30 %)",
        PRICE, .from = {"ipu.md 8", 'A'}),

    /* Overlays may size their lanes by free SRAM, so sizes touch the traffic. */
    FS_INT(memory.sram, BYTES, "624 KiB", 1024, 1e12, "SRAM of a tile", TRAFFIC,
           .from = {"ipu.md 2, VPG and NPT", 'P'}),
    FS_INT(memory.reserved, BYTES, "1104 B", 0, 1e12, "bytes at the end that can't be loaded (0x450)",
           TRAFFIC, .from = {"ipu.md 2, IS", 'R'}),
    FS_INT(memory.exchange_code_per_message, BYTES, "8 B", 0, 1e9,
           "exchange code for each end of a message (8 to 36 B)", TRAFFIC, .from = {"ipu.md 4, IS", 'R'}),
    FS_INT(memory.vertex_state, BYTES, "1 KiB", 0, 1e12, "vertex fields, counters and camera of a tile",
           TRAFFIC, .from = {"no source", 'A'}),
    FS_ENUM(memory.check, "error", checks, "a tile that does not fit: refuse the run, or say so and run on",
            NOTHING),

    FS_ENUM(exchange.kind, "ports", fabrics,
            "what joins the tiles: ports, without contention between them; noc, a network on chip; "
            "circuit, static ways of colours on a grid",
            PRICE),
    FS_NOC_ROWS(M), FS_CIRCUIT_ROWS(M),
    FS_ENUM(exchange.mode, "static", modes,
            "static: whole buffers in every iteration; dynamic: a header and the occupied bytes", PRICE,
            .from = {"ipu.md 4, transfer list", 'P'}),
    FS_ENUM(exchange.copies, "merged", copies,
            "static exchange: all bulk copies in one phase, or one after the other (one for each class that "
            "the workload makes: level and direction of its network), each with a schedule, a program step "
            "and a barrier of its own; pairs: both directions between two levels are one copy",
            PRICE, .from = {"RF section 4.8; ipu.md 7, 9 and 10", 'P'},
            .only = "machine.exchange.mode=static"),
    FS_INT(exchange.bytes_per_cycle, BYTES_PER_CYCLE, "4 B/cycle", 1, 4096, "a tile's port, each direction",
           PRICE, .from = {"ipu.md 4, PL and IS", 'P'}),
    FS_ENUM(
        exchange.pair_receive, "shared", pair_receives,
        "static exchange: which messages of 512 B or more take both ports of a pair of tiles, twice the "
        "bytes a cycle: shared, multicasts to whole pairs; idle, also messages to tiles the other of whose "
        "pair takes nothing in; off, none",
        PRICE, .from = {"ipu.md 4, PL and IS", 'R'}, .only = "machine.exchange.mode=static"),
    FS_INT(exchange.header, BYTES, "4 B", 0, 4096,
           "header of a dynamic message: one word, the IPU itself has none", PRICE,
           .from = {"no source", 'A'}, .only = "machine.exchange.mode=dynamic"),
    FS_INT(exchange.latency_base, CYCLES, "52 cycles", 0, 1e6,
           "send to write at the receiver, without distance (uncertain: 52 to 60)", PRICE,
           .from = {"ipu.md 4 and 10, IS", 'R'}),
    FS_INT(exchange.latency_row, CYCLES, "1 cycles", 0, 1e6, "for each row of the sender and of the receiver",
           PRICE, .from = {"ipu.md 4, IS", 'R'}),
    FS_INTS(exchange.column_same, NONE, "[-53, -48, -36, -24, -12, 0, 12, 24]", -1e6, 1e6,
            "half-cycles added for each difference of folded columns from 0 on, in the same half; after the "
            "last number each column adds 12",
            PRICE, .from = {"ipu.md 4, table of X (doubled)", 'R'}),
    FS_INTS(exchange.column_other, NONE, "[-38, -32, -20, -8, 4, 16, 28, 40]", -1e6, 1e6,
            "the same, to the other half", PRICE, .from = {"ipu.md 4, table of X (doubled)", 'R'}),
    FS_INT(exchange.program_overhead, CYCLES, "50 cycles", 0, 1e6,
           "supervisor's program between two steps (uncertain: 20 to 150)", PRICE,
           .from = {"ipu.md 10", 'A'}),

    FS_INT(sync.base, CYCLES, "76 cycles", 0, 1e6,
           "last tile ready to first tile released (uncertain: 20 to 126)", PRICE,
           .from = {"ipu.md 4 and 10: 126 - 50", 'R'}),
    FS_INT(sync.skew_row, CYCLES, "1 cycles", 0, 1e6, "later release for each row (residual 5)", PRICE,
           .from = {"ipu.md 4, IS", 'I'}),
    FS_INT(sync.skew_column, CYCLES, "4 cycles", 0, 1e6, "later release for each folded column (residual 5)",
           PRICE, .from = {"ipu.md 4, IS", 'I'}),
    FS_INT(sync.external, CYCLES, "600 cycles", 0, 1e9, "barrier in which the host takes part", PRICE,
           .from = {"ipu.md 4, SDK as recorded in IS", 'R'}),
    FS_ENUM(sync.local, "merged", locals,
            "steps that exchange nothing, one after the other: merged, a tile goes on at once and one "
            "barrier follows the last; each, a barrier after every one",
            PRICE, .from = {"poplar_path_tracer.md 2", 'A'}),

    FS_BOOL(host.fused, "true", "one loop on the device; false: the host launches every subprogram", PRICE,
            .from = {"RF section 4.8, Appendix C", 'P'}),
    FS_REAL(host.launch, SECONDS, "0.2 ms", 0, 10, "engine launch from the host (uncertain: 0.18 to 1.08 ms)",
            PRICE, .from = {"ipu.md 10; measurements.md 8", 'A'}),
    FS_REAL(host.stream_copy, SECONDS, "0.02 ms", 0, 1,
            "copy of one host stream, its handshake beside its bytes (uncertain: 0.0015 to 0.27 ms)", PRICE,
            .from = {"measurements.md 8", 'A'}),
    FS_REAL(host.bandwidth, BYTES_PER_SECOND, "5.5 GB/s", 1e3, 1e15,
            "host link, sustained (uncertain: 2 to 12.5 GB/s)", PRICE, .from = {"ipu.md 5 and 10", 'A'}),
    FS_INT(host.programs, NONE, "2", 0, 1000,
           "subprograms that an unfused iteration launches: compute and exchange", PRICE,
           .from = {"RF Appendix C; ipu.md 7", 'I'}, .only = "machine.host.fused=false"),

    FS_ENUM(execution, "bsp", executions,
            "bsp: compute, sync, exchange, all tiles together; decoupled: no barrier, a tile starts when its "
            "input arrives, lanes have credits (needs exchange.mode dynamic)",
            TRAFFIC),
    FS_INT(decoupled_window, NONE, "0", 0, 1e9,
           "decoupled: rays that may be in flight at a time; 0: the largest number with which full queues "
           "can never wait for each other in a ring, 8 x the smallest lane - 1 in a tree, 4 x - 1 in a mesh; "
           "where lanes share queues, what the smallest queue holds",
           TRAFFIC, .only = "machine.execution=decoupled"),
    FS_INT(decoupled_slice, CYCLES, "100000 cycles", 1000, 1e9,
           "decoupled: length of a slice, which takes an iteration's place in the tables of a run", NOTHING,
           .only = "machine.execution=decoupled"),
    FS_ENERGY_PRICES(ENERGY_ROW) FS_ENERGY_OTHER_ROWS(M) FS_AREA_PRICES(AREA_ROW) /* energy.*, area.* */
    FS_NETWORK_PRICES(NETWORK_ROW) FS_NETWORK_AREAS(NETWORK_AREA_ROW)             /* the same, of networks */
    FS_LIMITS_ROWS(M) FS_FAB_ROWS(M)
    /* Tiles by role: ROLE is one that the workload declares. */
    ROLE_ROWS("ROLE", 1, "ROLE"),
    FS_PARAM_INT("roles.ROLE.workers", M, role[1].workers, NONE, "0", 0, FS_MAX_WORKERS,
                 "worker contexts of ROLE; 0: tile.workers", TRAFFIC),
    ROLE_ROWS("spare", 0, "a spare tile, which leaks and has a clock"),

    POD_ROWS /* at the end: fs_machine_chip_table leaves them out */
};
enum {
    ROWS = sizeof rows / sizeof rows[0],
    OF_PODS = sizeof((const fs_param[]){POD_ROWS}) / sizeof rows[0],
    OF_MATRIX = 5, /* the first of them: chips and matrix.* */
    OF_FABRIC = 6, /* the first of all */
    OF_CHIP = ROWS - OF_PODS - OF_FABRIC
};

/* A key that would change nothing is refused, so that nobody sweeps it in vain. */
static void check_tile(const fs_tile_params *t, fs_check *check) {
    if (t->issue_width > t->workers)
        fs_check_wrong(check, "machine.tile.issue_width",
                       "a worker issues once in a turn: expected at most the %" PRId64
                       " of machine.tile.workers, found %" PRId64,
                       t->workers, t->issue_width);
    if (t->dual_issue != FS_DUAL_COUNTED && t->pairing < 100)
        fs_check_wrong(check, "machine.cost.pairing",
                       "a share of the counted pairs; expected machine.tile.dual_issue: counted, found %s",
                       duals[t->dual_issue]);
    if (t->sram_ports == 0 && t->sram_width != FS_IPU_SRAM_WIDTH)
        fs_check_wrong(check, "machine.tile.sram_width",
                       "the width of ports that are not counted changes nothing; expected "
                       "machine.tile.sram_ports of 1 or more, found 0");
}

static void check_role(const fs_machine_params *m, const fs_role_tile *role, const char *name,
                       fs_check *check) {
    char workers[128], sram[128];
    snprintf(workers, sizeof workers, "machine.roles.%s.workers", name);
    snprintf(sram, sizeof sram, "machine.roles.%s.sram", name);
    if (role->workers > 0 && role->workers < m->tile.issue_width)
        fs_check_wrong(check, workers,
                       "expected at least machine.tile.issue_width, %" PRId64 ", found %" PRId64,
                       m->tile.issue_width, role->workers);
    if (role->sram > 0 && role->sram <= m->memory.reserved)
        fs_check_wrong(check, sram,
                       "expected more than machine.memory.reserved, %" PRId64 " B, found %" PRId64 " B",
                       m->memory.reserved, role->sram);
    if (role->workers > 0 && m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(check, workers,
                       "decoupled calls deal rays to the same number of workers on all tiles; "
                       "expected 0, found %" PRId64,
                       role->workers);
}

static void check_roles(const fs_machine_params *m, fs_check *check) {
    check_role(m, &m->role[0], "spare", check);
    const char *name;
    for (size_t r = 1; r < FS_MACHINE_ROLES && (name = fs_check_role(check, r - 1)) != NULL; r++)
        check_role(m, &m->role[r], name, check);
}

/* Distances between columns that are neither those of the table nor all 0. */
static bool says_else(const fs_int_list *list, const fs_int_list *table) {
    bool same = list->count == table->count, none = true;
    for (size_t i = 0; i < list->count; i++) {
        same = same && list->item[i] == table->item[i];
        none = none && list->item[i] == 0;
    }
    return !same && !none;
}

/* A network on chip: its graph, and what is of ports alone. */
static void check_network(const fs_machine_params *m, fs_check *check) {
    static const char of_ways[] =
        "applies to machine.exchange.kind ports; on a network on chip the latency of a way "
        "follows from machine.exchange.noc.link; expected nothing, found another way";
    fs_noc_check_options(&m->noc, check);
    if (m->exchange.mode != FS_EXCHANGE_DYNAMIC)
        fs_check_wrong(check, "machine.exchange.mode",
                       "a network on chip takes messages as they come, and a static exchange moves buffers "
                       "that may be empty; expected dynamic, found static");
    if (m->exchange.copies != FS_EXCHANGE_MERGED)
        fs_check_wrong(check, "machine.exchange.copies",
                       "a network on chip has no copies that follow one another; expected merged, found %s",
                       copies[m->exchange.copies]);
    fs_arena *arena = fs_arena_create();
    fs_machine_params as_it_comes;
    fs_params_default(arena, &fs_machine_table, &as_it_comes);
    const fs_exchange_params *e = &m->exchange, *of = &as_it_comes.exchange;
    if (e->bytes_per_cycle != of->bytes_per_cycle)
        fs_check_wrong(
            check, "machine.exchange.bytes_per_cycle",
            "a port of kind ports; a link of a network on chip carries machine.exchange.noc.width in a "
            "cycle; expected nothing, found %" PRId64 " B/cycle",
            e->bytes_per_cycle);
    if (says_else(&e->column_same, &of->column_same))
        fs_check_wrong(check, "machine.exchange.column_same", "%s", of_ways);
    if (says_else(&e->column_other, &of->column_other))
        fs_check_wrong(check, "machine.exchange.column_other", "%s", of_ways);
    if (e->latency_base != of->latency_base && e->latency_base != 0)
        fs_check_wrong(check, "machine.exchange.latency_base", "%s", of_ways);
    if (e->latency_row != of->latency_row && e->latency_row != 0)
        fs_check_wrong(check, "machine.exchange.latency_row", "%s", of_ways);
    if (m->noc.detail == FS_NOC_SAMPLED && m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(check, "machine.exchange.noc.detail",
                       "without barriers there are no phases to sample; expected flits, found sampled");
    const int64_t most = (UINT16_MAX - m->noc.header) * m->noc.width;
    if (m->noc.packet > most)
        fs_check_wrong(check, "machine.exchange.noc.packet",
                       "a packet has %d flits at most; expected at most %" PRId64 " B, found %" PRId64 " B",
                       UINT16_MAX, most, m->noc.packet);
    fs_arena_free(arena);
}

/* Circuits: a grid, and bulk phases alone. */
static void check_circuits(const fs_machine_params *m, fs_check *check) {
    if (!m->circuit.size_given || m->circuit.size.count != 2)
        fs_check_wrong(check, "machine.exchange.circuit.size",
                       "expected columns and rows of the grid, such as [32, 32], found %s",
                       m->circuit.size_given ? "another number of sizes" : "none");
    else if (m->circuit.size.item[0] * m->circuit.size.item[1] < fs_geometry_tiles(&m->geometry))
        fs_check_wrong(check, "machine.exchange.circuit.size",
                       "expected a place for each of the %" PRIu32 " tiles, found %" PRId64,
                       fs_geometry_tiles(&m->geometry), m->circuit.size.item[0] * m->circuit.size.item[1]);
    if (m->exchange.mode != FS_EXCHANGE_DYNAMIC)
        fs_check_wrong(check, "machine.exchange.mode",
                       "circuits have no plan of their messages; expected dynamic, found static");
    if (m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(check, "machine.execution",
                       "circuits are of bulk phases; expected bsp, found decoupled");
}

/* Rules between the rows: the tile, the chip's columns, and what goes with an execution. */
static void check(const void *params, fs_check *check) {
    const fs_machine_params *m = params;
    fs_arena *arena = fs_arena_create();
    const char *why;
    check_tile(&m->tile, check);
    check_roles(m, check);
    if (!fs_exchange_columns_fit(&m->exchange, &m->geometry, &m->exchange.column_same, arena, &why))
        fs_check_wrong(check, "machine.exchange.column_same", "%s", why);
    if (!fs_exchange_columns_fit(&m->exchange, &m->geometry, &m->exchange.column_other, arena, &why))
        fs_check_wrong(check, "machine.exchange.column_other", "%s", why);
    fs_arena_free(arena);
    if (m->exchange.kind == FS_FABRIC_CIRCUIT)
        check_circuits(m, check);
    if (m->exchange.kind == FS_FABRIC_NOC)
        check_network(m, check);
    else if (m->exchange.copies != FS_EXCHANGE_MERGED && m->exchange.mode != FS_EXCHANGE_STATIC)
        fs_check_wrong(check, "machine.exchange.copies",
                       "serial copies and those by pairs are of a static exchange; expected exchange.mode "
                       "static, found dynamic");
    if (m->execution != FS_EXECUTION_DECOUPLED)
        return;
    if (fs_fabric_plans(&m->exchange))
        fs_check_wrong(check, "machine.execution",
                       "decoupled tiles send when they have something to send; expected "
                       "machine.exchange.mode: dynamic, found static, which moves whole buffers in lockstep");
    if (!m->host.fused)
        fs_check_wrong(check, "machine.execution",
                       "without a loop on the device the host is the barrier; expected machine.host.fused: "
                       "true, found false");
}

static void check_one_chip(const void *params, fs_check *report) {
    const fs_machine_params *m = params;
    check(params, report);
    if (m->chips > 1)
        fs_check_wrong(report, "machine.chips", "this workload runs on one chip; expected 1, found %" PRId64,
                       m->chips);
}

/* Chips whose tiles send to each other. */
static void check_joined(const void *params, fs_check *report) {
    const fs_machine_params *m = params;
    fs_arena *arena = fs_arena_create();
    const char *key = "", *why = fs_chips_wrong(&m->fabric, (uint32_t)m->chips, arena, &key);
    check(params, report);
    if (why != NULL)
        fs_check_wrong(report, fs_arena_printf(arena, "machine.fabric.%s", key), "%s", why);
    if (m->chips > 1 && m->exchange.kind == FS_FABRIC_NOC)
        fs_check_wrong(report, "machine.chips",
                       "flits of a network on chip end at the chip, whose graph has no port to another; "
                       "expected 1, found %" PRId64,
                       m->chips);
    if (m->chips > 1 && m->exchange.kind == FS_FABRIC_CIRCUIT)
        fs_check_wrong(report, "machine.chips", "circuits end at the chip; expected 1, found %" PRId64,
                       m->chips);
    if (m->chips > 1 && m->execution == FS_EXECUTION_DECOUPLED)
        fs_check_wrong(report, "machine.execution",
                       "lanes of decoupled tiles have credits on one chip; expected bsp with %" PRId64
                       " chips, found decoupled",
                       m->chips);
    fs_arena_free(arena);
}

fs_status fs_machine_placed(const fs_config *config, fs_arena *arena, fs_error *err) {
    static const char section[] = "machine", key[] = "machine.exchange.";
    if (err->status != FS_INPUT || config == NULL || strncmp(err->text, key, sizeof key - 1) != 0)
        return err->status;
    const size_t n = strcspn(err->text, ":");
    const char *name = fs_arena_printf(arena, "%.*s", (int)(n - sizeof section), err->text + sizeof section),
               *rest = fs_arena_strdup(arena, err->text + n), *where = fs_config_where(config, section, name);
    fs_error_clear(err);
    return fs_fail(err, FS_INPUT, "%s%s", where, rest);
}

static const char *const gone[] = {"machine.memory.element", NULL};

/* A table of `last` rows from one on. */
#define MACHINE(first, last, rules)                                                                          \
    {                                                                                                        \
        .name = "machine", .doc = "the processor: chip, tiles, memory, exchange, sync and host link",        \
        .rows = rows + (first), .count = (last), .size = sizeof(fs_machine_params), .check = (rules),        \
        .gone = gone, .role_size = sizeof(fs_role_tile), .role_most = FS_MACHINE_ROLES - 1                   \
    }
const fs_param_table fs_machine_table = MACHINE(0, ROWS, check);
const fs_param_table fs_machine_chip_table = MACHINE(OF_FABRIC, OF_CHIP, check);
const fs_param_table fs_machine_joined_table = MACHINE(0, OF_FABRIC + OF_CHIP + 1, check_joined);
const fs_param_table fs_machine_pod_table = MACHINE(OF_FABRIC, OF_CHIP + OF_PODS, check);
const fs_param_table fs_machine_matrix_table = MACHINE(OF_FABRIC, OF_CHIP + OF_MATRIX, check_one_chip);
