/* The rows of every parameter of the board. Defaults are the paper's engine (fpga_engine.md 2). */
#include "models/fpga/machine.h"

#include "models/fpga/prices.h"

#include "models/fpga/resources.h"
#include "models/part/clock.h"
#include "sim/config/config.h"

#define M    fs_fpga_params
#define INT  FS_PARAM_INT
#define REAL FS_PARAM_REAL

static const char *const spills[] = {[FS_SPILL_NONE] = "none",
                                     [FS_SPILL_BLOCK_RAM] = "block_ram",
                                     [FS_SPILL_DRAM] = "dram",
                                     [FS_SPILL_DRAM + 1] = NULL};
static const char *const flights[] = {[FS_IN_FLIGHT_MANY] = "many",
                                      [FS_IN_FLIGHT_CONTROLLER] = "controller",
                                      [FS_IN_FLIGHT_PIPELINE] = "pipeline",
                                      [FS_IN_FLIGHT_PIPELINE + 1] = NULL};
static const char *const caches[] = {[FS_CACHE_NONE] = "none",
                                     [FS_CACHE_DIRECT] = "direct",
                                     [FS_CACHE_ASSOCIATIVE] = "associative",
                                     [FS_CACHE_ASSOCIATIVE + 1] = NULL};
static const char *const checks[] = {
    [FS_RESOURCES_ERROR] = "error", [FS_RESOURCES_IGNORE] = "ignore", [FS_RESOURCES_IGNORE + 1] = NULL};
/* `fixed`, then the names of fs_dram_kinds (held by a test). */
static const char *const memories[] = {"fixed",     "ddr2-300", "ddr2-500", "ddr3-1600",
                                       "ddr4-3200", "hbm2",     NULL};

#define PRICE_ROW(member, key, def, low, high, doc)                                                          \
    FS_PARAM_REAL("energy." key, M, energy.member, FS_UNIT_JOULES, def, 0, 1e-6, doc, "energy.md 6", 'A',    \
                  FS_TOUCHES_PRICE),
#define LEAKAGE_ROW(def, low, high, doc)                                                                     \
    FS_PARAM_REAL("energy.leakage", M, energy.leakage, FS_UNIT_WATTS, def, 0, 1000, doc, "energy.md 6", 'A', \
                  FS_TOUCHES_PRICE),
#define DIE_ROW(def, low, high, doc)                                                                         \
    FS_PARAM_REAL("area.die", M, energy.die, FS_UNIT_SQUARE_MM, def, 0, 1e5, doc, "energy.md 6", 'A',        \
                  FS_TOUCHES_PRICE),

static const fs_param rows[] = {
    FS_PARAM_STRING("name", M, name, "virtex5", "label of the machine", "", '-', FS_TOUCHES_NOTHING),
    INT("clock", M, clock, FS_UNIT_HZ, "250 MHz", 1e6, 1e11, "clock of the engine", "fpga_engine.md 2", 'P',
        FS_TOUCHES_PRICE),

    INT("traversal.units", M, traversal.units, FS_UNIT_NONE, "4", 1, 1024, "units, each with rays of its own",
        "fpga_engine.md 2", 'P', FS_TOUCHES_PRICE),
    INT("traversal.rays", M, traversal.rays, FS_UNIT_NONE, "1", 1, 64,
        "rays that a unit holds at a time, each with a queue of its own", "fpga_engine.md 1", 'P',
        FS_TOUCHES_PRICE),
    INT("traversal.queue", M, traversal.queue, FS_UNIT_NONE, "32", 0, 4096,
        "entries of a ray's queue; what leaves its end is lost, or spilled; 0: unbounded", "fpga_engine.md 2",
        'P', FS_TOUCHES_GEOMETRY),
    INT("traversal.request", M, traversal.request, FS_UNIT_CYCLES, "7 cycles", 1, 1e6,
        "from a ray's start or an answer to the request: out of the queue, address, line (with "
        "traversal.answer uncertain: 5 to 20 together)",
        "no source", 'A', FS_TOUCHES_PRICE),
    INT("traversal.answer", M, traversal.answer, FS_UNIT_CYCLES, "5 cycles", 1, 1e6,
        "behind the last item of an answer: into the queue, end of the ray", "no source", 'A',
        FS_TOUCHES_PRICE),
    FS_PARAM_ENUM("traversal.spill", M, traversal.spill, "none", spills,
                  "where entries go that find the queue full: lost, or kept in block RAM or on the board's "
                  "memory, so that the order of a ray's requests is that of an unbounded queue",
                  "", '-', FS_TOUCHES_GEOMETRY),
    INT("traversal.spill_cycles", M, traversal.spill_cycles, FS_UNIT_CYCLES, "2 cycles", 0, 1e6,
        "an entry to block RAM or back", "no source", 'A', FS_TOUCHES_PRICE),
    INT("traversal.spill_entries", M, traversal.spill_entries, FS_UNIT_NONE, "2048", 1, 1e9,
        "entries that find room behind a queue", "", '-', FS_TOUCHES_PRICE),
    INT("traversal.entry", M, traversal.entry, FS_UNIT_BYTES, "8 B", 1, 4096,
        "an entry: reference and distance", "fpga_engine.md 2", 'I', FS_TOUCHES_PRICE),
    INT("traversal.fifo", M, traversal.fifo, FS_UNIT_NONE, "512", 1, 1e6,
        "rays that wait in block RAM for a unit", "no source", 'A', FS_TOUCHES_PRICE),

    FS_PARAM_ENUM("intersection.arbiter", M, intersection.arbiter, "fixed", fs_arbiter_words,
                  "which of the units that ask is served: the lowest number, in turn, the one that waits "
                  "longest",
                  "fpga_engine.md 1", 'P', FS_TOUCHES_PRICE),
    INT("intersection.box_depth", M, intersection.box_depth, FS_UNIT_CYCLES, "40 cycles", 1, 1e6,
        "stages of the box pipeline", "fpga_engine.md 1", 'P', FS_TOUCHES_PRICE),
    INT("intersection.box_interval", M, intersection.box_interval, FS_UNIT_CYCLES, "1 cycles", 1, 1e6,
        "from a box to the next", "fpga_engine.md 1", 'P', FS_TOUCHES_PRICE),
    INT("intersection.triangle_depth", M, intersection.triangle_depth, FS_UNIT_CYCLES, "84 cycles", 1, 1e6,
        "stages of the triangle pipeline", "fpga_engine.md 1", 'P', FS_TOUCHES_PRICE),
    INT("intersection.triangle_interval", M, intersection.triangle_interval, FS_UNIT_CYCLES, "1 cycles", 1,
        1e6, "from a triangle to the next", "fpga_engine.md 1", 'P', FS_TOUCHES_PRICE),

    FS_PARAM_ENUM("memory.kind", M, memory.kind, "fixed", memories,
                  "fixed: latency and bandwidth; else banks, rows and refresh of that memory", "", '-',
                  FS_TOUCHES_PRICE),
    FS_PARAM_ENUM("memory.in_flight", M, memory.in_flight, "pipeline", flights,
                  "requests between arbiter and answer: many; one until its bytes have come (controller); "
                  "one until it has left the pipeline",
                  "no source", 'A', FS_TOUCHES_PRICE),
    REAL("memory.latency", M, memory.latency, FS_UNIT_SECONDS, "184 ns", 0, 4e-3,
         "fixed: from the grant to the first byte, in whole cycles of the engine and at least one "
         "(EMI: 114 to 180 ns)",
         "fpga_engine.md 2, EMI", 'A', FS_TOUCHES_PRICE FS_CYCLES_OF("clock")),
    INT("memory.bandwidth", M, memory.bandwidth, FS_UNIT_BYTES_PER_SECOND, "2.4 GB/s", 1e6, 1e13,
        "fixed: bytes a second on the bus; a request takes whole cycles", "fpga_engine.md 2", 'P',
        FS_TOUCHES_PRICE),
    INT("memory.burst", M, memory.burst, FS_UNIT_BYTES, "8 B", 1, 4096,
        "fixed: memory moves whole multiples of it; widths of nodes and primitives are such multiples",
        "fpga_engine.md 2", 'P', FS_TOUCHES_PRICE),
    INT("memory.overhead", M, memory.overhead, FS_UNIT_CYCLES, "12 cycles", 0, 1e6,
        "banks: cycles of the memory's clock in controller and pins beside the DRAM's own (with a row miss "
        "of ddr2-300 18 in all, as EMI's 18 to 20)",
        "fpga_engine.md 2, EMI", 'I', FS_TOUCHES_PRICE),
    FS_PARAM_ENUM("memory.scheduler", M, memory.scheduler, "in_order", fs_dram_schedulers,
                  "banks: in order of arrival; open rows first (FR-FCFS); one access at a time", "", '-',
                  FS_TOUCHES_PRICE),
    INT("memory.size", M, memory.size, FS_UNIT_BYTES, "2 GiB", 1, 1e15, "of the board's memory",
        "fpga_engine.md 2", 'P', FS_TOUCHES_PRICE),

    FS_PARAM_ENUM("cache.kind", M, cache.kind, "none", caches, "a cache of nodes before the memory",
                  "fpga_engine.md 1", 'A', FS_TOUCHES_PRICE),
    INT("cache.size", M, cache.size, FS_UNIT_BYTES, "32 KiB", 1, 1e12,
        "bytes of its lines; a line holds a node", "", '-', FS_TOUCHES_PRICE),
    INT("cache.ways", M, cache.ways, FS_UNIT_NONE, "4", 1, 64,
        "associative: lines of a set; the one used longest ago goes", "", '-', FS_TOUCHES_PRICE),
    INT("cache.latency", M, cache.latency, FS_UNIT_CYCLES, "2 cycles", 1, 1e6,
        "from the grant to the first byte of a hit", "no source", 'A', FS_TOUCHES_PRICE),
    INT("cache.bytes_per_cycle", M, cache.bytes_per_cycle, FS_UNIT_BYTES_PER_CYCLE, "32 B/cycle", 1, 4096,
        "of its port", "no source", 'A', FS_TOUCHES_PRICE),

    FS_PARAM_ENUM("link.kind", M, link.kind, "pcie", fs_link_kinds,
                  "to the host; none: rays are there at once and results are nobody's load",
                  "fpga_engine.md 2", 'P', FS_TOUCHES_PRICE),
    INT("link.generation", M, link.generation, FS_UNIT_NONE, "1", 1, FS_LINK_GENERATIONS, "of PCI Express",
        "fpga_engine.md 2", 'P', FS_TOUCHES_PRICE),
    INT("link.lanes", M, link.lanes, FS_UNIT_NONE, "8", 1, 32, "of the link", "fpga_engine.md 2", 'P',
        FS_TOUCHES_PRICE),
    INT("link.payload", M, link.payload, FS_UNIT_BYTES, "128 B", 1, 4096, "of a packet", "no source", 'A',
        FS_TOUCHES_PRICE),
    INT("link.header", M, link.header, FS_UNIT_BYTES, "20 B", 0, 4096,
        "framing, numbers, header and check of a packet; 0: the published bandwidth is taken for payload",
        "PCIE", 'P', FS_TOUCHES_PRICE),
    INT("link.outstanding", M, link.outstanding, FS_UNIT_NONE, "16", 1, 1e6,
        "packets that the board may have asked for at a time", "no source", 'A', FS_TOUCHES_PRICE),
    REAL("link.latency", M, link.latency, FS_UNIT_SECONDS, "1 us", 0, 0.01,
         "from the board's read to the first byte (uncertain: 0.5 to 2 us)", "no source", 'A',
         FS_TOUCHES_PRICE FS_CYCLES_OF("clock")),

    /* Slices of the LX330T have 207,360 registers and as many tables; a quarter of each is used at four units
     * of 32 entries. How the rest divides is assumed. */
    INT("resources.registers", M, resources.registers, FS_UNIT_NONE, "207360", 1, 1e12,
        "registers of the device", "DS100", 'P', FS_TOUCHES_PRICE),
    INT("resources.luts", M, resources.luts, FS_UNIT_NONE, "207360", 1, 1e12, "look-up tables of the device",
        "DS100", 'P', FS_TOUCHES_PRICE),
    INT("resources.dsps", M, resources.dsps, FS_UNIT_NONE, "192", 0, 1e12, "multipliers of the device",
        "fpga_engine.md 2", 'P', FS_TOUCHES_PRICE),
    INT("resources.block_ram", M, resources.block_ram, FS_UNIT_BYTES, "1492992 B", 1, 1e12,
        "block RAM of the device: 11,664 Kbit", "fpga_engine.md 2", 'P', FS_TOUCHES_PRICE),
    INT("resources.fixed_registers", M, resources.fixed_registers, FS_UNIT_NONE, "37530", 0, 1e12,
        "registers of all but units and queues: 26 % less those", "fpga_engine.md 2", 'I', FS_TOUCHES_PRICE),
    INT("resources.fixed_luts", M, resources.fixed_luts, FS_UNIT_NONE, "35456", 0, 1e12,
        "look-up tables of all but units and queues: 25 % less those", "fpga_engine.md 2", 'I',
        FS_TOUCHES_PRICE),
    INT("resources.fixed_dsps", M, resources.fixed_dsps, FS_UNIT_NONE, "144", 0, 1e12,
        "multipliers of both pipelines (uncertain: up to the 192 that there are)", "no source", 'A',
        FS_TOUCHES_PRICE),
    INT("resources.fixed_block_ram", M, resources.fixed_block_ram, FS_UNIT_BYTES, "223948 B", 0, 1e12,
        "block RAM of stores and buffers: 15 %", "fpga_engine.md 2", 'I', FS_TOUCHES_PRICE),
    INT("resources.unit_registers", M, resources.unit_registers, FS_UNIT_NONE, "2048", 0, 1e12,
        "registers of a unit without its queues: ray, state, request", "no source", 'A', FS_TOUCHES_PRICE),
    INT("resources.unit_luts", M, resources.unit_luts, FS_UNIT_NONE, "1024", 0, 1e12,
        "look-up tables of a unit without its queues", "no source", 'A', FS_TOUCHES_PRICE),
    INT("resources.unit_block_ram", M, resources.unit_block_ram, FS_UNIT_BYTES, "0 B", 0, 1e12,
        "block RAM of a unit", "no source", 'A', FS_TOUCHES_PRICE),
    INT("resources.entry_registers", M, resources.entry_registers, FS_UNIT_NONE, "64", 0, 1e12,
        "registers of an entry of a queue: its bits", "fpga_engine.md 2", 'I', FS_TOUCHES_PRICE),
    INT("resources.entry_luts", M, resources.entry_luts, FS_UNIT_NONE, "96", 0, 1e12,
        "look-up tables of an entry: comparator of 32 bits and the shift's choice of 64", "no source", 'A',
        FS_TOUCHES_PRICE),
    FS_FPGA_PRICES(PRICE_ROW) FS_FPGA_LEAKAGE_PRICE(LEAKAGE_ROW) FS_FPGA_DIE_PRICE(DIE_ROW) FS_LIMITS_ROWS(M)
        FS_PARAM_ENUM("resources.check", M, resources.check, "error", checks,
                      "a device without room for the engine: refuse it, or ask what if it had", "", '-',
                      FS_TOUCHES_NOTHING),
};

/* Rules between the rows: clocks that meet, caches of whole sets, spilled queues, a full pipeline, and a
 * device that has room for it all. */
static void check(const void *params, fs_check *check) {
    const fs_fpga_params *m = params;
    if (m->memory.kind != FS_MEMORY_FIXED) {
        const fs_dram_kind *kind = fs_engine_memory_kind(m);
        fs_clock_pair pair;
        if (!fs_clock_pair_of((uint64_t)m->clock, kind->clock, &pair))
            fs_check_wrong(check, "machine.clock",
                           "clocks of %lld Hz and of %s, %llu Hz, meet on no common tick of at least 10 ps; "
                           "expected clocks with a greater common divisor",
                           (long long)m->clock, kind->name, (unsigned long long)kind->clock);
    }
    if (m->traversal.spill != FS_SPILL_NONE && m->traversal.queue == 0)
        fs_check_wrong(check, "machine.traversal.spill",
                       "an unbounded queue spills nothing; expected none, or a queue of at least 1");
    if (m->intersection.box_interval > m->intersection.box_depth)
        fs_check_wrong(check, "machine.intersection.box_interval", "expected at most the depth, %lld cycles",
                       (long long)m->intersection.box_depth);
    if (m->intersection.triangle_interval > m->intersection.triangle_depth)
        fs_check_wrong(check, "machine.intersection.triangle_interval",
                       "expected at most the depth, %lld cycles", (long long)m->intersection.triangle_depth);
    fs_resources_check(m, check);
}

const fs_param_table fs_fpga_table = {
    .name = "machine/fpga",
    .doc = "a board with a traversal engine: units, pipelines, memory, cache, link, resources",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .size = sizeof(fs_fpga_params),
    .check = check,
};

uint32_t fs_engine_queue_capacity(const fs_fpga_params *machine) {
    return machine->traversal.spill == FS_SPILL_NONE ? (uint32_t)machine->traversal.queue : 0;
}

const fs_dram_kind *fs_engine_memory_kind(const fs_fpga_params *machine) {
    return machine->memory.kind == FS_MEMORY_FIXED ? NULL : &fs_dram_kinds[machine->memory.kind - 1];
}
