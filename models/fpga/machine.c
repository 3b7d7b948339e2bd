/* The rows of every parameter of the board. Defaults are the paper's engine (fpga_engine.md 2). */
#include "models/fpga/machine.h"

#include "sim/config/config.h"

#define M          fs_fpga_params
#define FS_ROWS_OF M

static const char *const spills[] = {
    [FS_SPILL_NONE] = "none", [FS_SPILL_BLOCK_RAM] = "block_ram", [FS_SPILL_DRAM] = "dram", NULL};
static const char *const flights[] = {[FS_IN_FLIGHT_MANY] = "many",
                                      [FS_IN_FLIGHT_CONTROLLER] = "controller",
                                      [FS_IN_FLIGHT_PIPELINE] = "pipeline",
                                      NULL};
static const char *const caches[] = {
    [FS_CACHE_NONE] = "none", [FS_CACHE_DIRECT] = "direct", [FS_CACHE_ASSOCIATIVE] = "associative", NULL};
static const char *const checks[] = {[FS_RESOURCES_ERROR] = "error", [FS_RESOURCES_IGNORE] = "ignore", NULL};
/* `fixed`, then the names of fs_dram_kinds (held by a test). */
static const char *const memories[] = {"fixed",     "ddr2-300", "ddr2-500", "ddr3-1600",
                                       "ddr4-3200", "hbm2",     NULL};

#define PRICE_ROW(member, key, unit, most, def, low, high, doc)                                              \
    FS_PARAM_REAL(key, M, energy.member, unit, def, 0, most, doc, PRICE, .from = {"energy.md 6", 'A'}),

static const fs_param rows[] = {
    FS_STRING(name, "virtex5", "label of the machine", NOTHING),
    FS_INT(clock, HZ, "250 MHz", 1e6, 1e11, "clock of the engine", PRICE, .from = {"fpga_engine.md 2", 'P'}),

    FS_INT(traversal.units, NONE, "4", 1, 1024, "units, each with rays of its own", PRICE,
           .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(traversal.rays, NONE, "1", 1, 64, "rays that a unit holds at a time, each with a queue of its own",
           PRICE, .from = {"fpga_engine.md 1", 'P'}),
    FS_INT(traversal.queue, NONE, "32", 0, 4096,
           "entries of a ray's queue; what leaves its end is lost, or spilled; 0: unbounded", GEOMETRY,
           .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(traversal.request, CYCLES, "7 cycles", 1, 1e6,
           "from a ray's start or an answer to the request: out of the queue, address, line (with "
           "traversal.answer uncertain: 5 to 20 together)",
           PRICE, .from = {"no source", 'A'}),
    FS_INT(traversal.answer, CYCLES, "5 cycles", 1, 1e6,
           "after the last item of an answer: into the queue, end of the ray", PRICE,
           .from = {"no source", 'A'}),
    FS_ENUM(traversal.spill, "none", spills,
            "where entries go that find the queue full: lost, or kept in block RAM or on the board's memory, "
            "so that the order of a ray's requests is that of an unbounded queue",
            GEOMETRY),
    FS_INT(traversal.spill_cycles, CYCLES, "2 cycles", 0, 1e6, "an entry to block RAM or back", PRICE,
           .from = {"no source", 'A'}),
    FS_INT(traversal.spill_entries, NONE, "2048", 1, 1e9, "entries that find room behind a queue", PRICE),
    FS_INT(traversal.entry, BYTES, "8 B", 1, 4096, "an entry: reference and distance", PRICE,
           .from = {"fpga_engine.md 2", 'I'}),
    FS_INT(traversal.fifo, NONE, "512", 1, 1e6, "rays that wait in block RAM for a unit", PRICE,
           .from = {"no source", 'A'}),

    FS_ENUM(intersection.arbiter, "fixed", fs_arbiter_words,
            "which of the units that ask is served: the lowest number, in turn, the one that waits longest",
            PRICE, .from = {"fpga_engine.md 1", 'P'}),
    FS_INT(intersection.box_depth, CYCLES, "40 cycles", 1, 1e6, "stages of the box pipeline", PRICE,
           .from = {"fpga_engine.md 1", 'P'}),
    FS_INT(intersection.box_interval, CYCLES, "1 cycles", 1, 1e6, "from a box to the next", PRICE,
           .from = {"fpga_engine.md 1", 'P'}),
    FS_INT(intersection.triangle_depth, CYCLES, "84 cycles", 1, 1e6, "stages of the triangle pipeline", PRICE,
           .from = {"fpga_engine.md 1", 'P'}),
    FS_INT(intersection.triangle_interval, CYCLES, "1 cycles", 1, 1e6, "from a triangle to the next", PRICE,
           .from = {"fpga_engine.md 1", 'P'}),

    FS_ENUM(memory.kind, "fixed", memories,
            "fixed: latency and bandwidth; else banks, rows and refresh of that memory", PRICE),
    FS_ENUM(memory.in_flight, "pipeline", flights,
            "requests between arbiter and answer: many; one until its bytes have come (controller); one "
            "until it has left the pipeline",
            PRICE, .from = {"no source", 'A'}),
    FS_REAL(memory.latency, SECONDS, "184 ns", 0, 4e-3,
            "fixed: from the grant to the first byte, in whole cycles of the engine and at least one (EMI: "
            "114 to 180 ns)",
            PRICE, .from = {"fpga_engine.md 2, EMI", 'A'}, .clock = "clock"),
    FS_INT(memory.bandwidth, BYTES_PER_SECOND, "2.4 GB/s", 1e6, 1e13,
           "fixed: bytes a second on the bus; a request takes whole cycles", PRICE,
           .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(memory.burst, BYTES, "8 B", 1, 4096,
           "fixed: memory moves whole multiples of it; widths of nodes and primitives are such multiples",
           PRICE, .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(memory.overhead, CYCLES, "12 cycles", 0, 1e6,
           "banks: cycles of the memory's clock in controller and pins beside the DRAM's own (with a row "
           "miss of ddr2-300 18 in all, as EMI's 18 to 20)",
           PRICE, .from = {"fpga_engine.md 2, EMI", 'I'}),
    FS_ENUM(memory.scheduler, "in_order", fs_dram_schedulers,
            "banks: in order of arrival; open rows first (FR-FCFS); one access at a time", PRICE),
    FS_INT(memory.size, BYTES, "2 GiB", 1, 1e15, "of the board's memory", PRICE,
           .from = {"fpga_engine.md 2", 'P'}),

    FS_ENUM(cache.kind, "none", caches, "a cache of nodes before the memory", PRICE,
            .from = {"fpga_engine.md 1", 'A'}),
    FS_INT(cache.size, BYTES, "32 KiB", 1, 1e12, "bytes of its lines; a line holds a node", PRICE),
    FS_INT(cache.ways, NONE, "4", 1, 64, "associative: lines of a set; the one used longest ago goes", PRICE),
    FS_INT(cache.latency, CYCLES, "2 cycles", 1, 1e6, "from the grant to the first byte of a hit", PRICE,
           .from = {"no source", 'A'}),
    FS_INT(cache.bytes_per_cycle, BYTES_PER_CYCLE, "32 B/cycle", 1, 4096, "of its port", PRICE,
           .from = {"no source", 'A'}),

    FS_ENUM(link.kind, "pcie", fs_link_kinds,
            "to the host; none: rays arrive at once and results load nothing", PRICE,
            .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(link.generation, NONE, "1", 1, FS_LINK_GENERATIONS, "of PCI Express", PRICE,
           .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(link.lanes, NONE, "8", 1, 32, "of the link", PRICE, .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(link.payload, BYTES, "128 B", 1, 4096, "of a packet", PRICE, .from = {"no source", 'A'}),
    FS_INT(link.header, BYTES, "20 B", 0, 4096,
           "framing, numbers, header and check of a packet; 0: the published bandwidth is taken for payload",
           PRICE, .from = {"PCIE", 'P'}),
    FS_INT(link.outstanding, NONE, "16", 1, 1e6, "packets that the board may have asked for at a time", PRICE,
           .from = {"no source", 'A'}),
    FS_REAL(link.latency, SECONDS, "1 us", 0, 0.01,
            "from the board's read to the first byte (uncertain: 0.5 to 2 us)", PRICE,
            .from = {"no source", 'A'}, .clock = "clock"),

    /* Slices of the LX330T have 207,360 registers and as many tables; a quarter of each is used at four units
     * of 32 entries. How the rest divides is assumed. */
    FS_INT(resources.registers, NONE, "207360", 1, 1e12, "registers of the device", PRICE,
           .from = {"DS100", 'P'}),
    FS_INT(resources.luts, NONE, "207360", 1, 1e12, "look-up tables of the device", PRICE,
           .from = {"DS100", 'P'}),
    FS_INT(resources.dsps, NONE, "192", 0, 1e12, "multipliers of the device", PRICE,
           .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(resources.block_ram, BYTES, "1492992 B", 1, 1e12, "block RAM of the device: 11,664 Kbit", PRICE,
           .from = {"fpga_engine.md 2", 'P'}),
    FS_INT(resources.fixed_registers, NONE, "37530", 0, 1e12,
           "registers of all but units and queues: 26 % less those", PRICE,
           .from = {"fpga_engine.md 2", 'I'}),
    FS_INT(resources.fixed_luts, NONE, "35456", 0, 1e12,
           "look-up tables of all but units and queues: 25 % less those", PRICE,
           .from = {"fpga_engine.md 2", 'I'}),
    FS_INT(resources.fixed_dsps, NONE, "144", 0, 1e12,
           "multipliers of both pipelines (uncertain: up to the 192 that there are)", PRICE,
           .from = {"no source", 'A'}),
    FS_INT(resources.fixed_block_ram, BYTES, "223948 B", 0, 1e12, "block RAM of stores and buffers: 15 %",
           PRICE, .from = {"fpga_engine.md 2", 'I'}),
    FS_INT(resources.unit_registers, NONE, "2048", 0, 1e12,
           "registers of a unit without its queues: ray, state, request", PRICE, .from = {"no source", 'A'}),
    FS_INT(resources.unit_luts, NONE, "1024", 0, 1e12, "look-up tables of a unit without its queues", PRICE,
           .from = {"no source", 'A'}),
    FS_INT(resources.unit_block_ram, BYTES, "0 B", 0, 1e12, "block RAM of a unit", PRICE,
           .from = {"no source", 'A'}),
    FS_INT(resources.entry_registers, NONE, "64", 0, 1e12, "registers of an entry of a queue: its bits",
           PRICE, .from = {"fpga_engine.md 2", 'I'}),
    FS_INT(resources.entry_luts, NONE, "96", 0, 1e12,
           "look-up tables of an entry: comparator of 32 bits and the shift's choice of 64", PRICE,
           .from = {"no source", 'A'}),
    FS_FPGA_PRICES(PRICE_ROW) FS_LIMITS_ROWS(M)
        FS_ENUM(resources.check, "error", checks,
                "a device without room for the engine: refuse it, or ask what if it had", NOTHING),
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

const fs_param_table fs_fpga_table = FS_PARAM_TABLE(
    "machine/fpga", "a board with a traversal engine: units, pipelines, memory, cache, link, resources", rows,
    sizeof(fs_fpga_params), .check = check);

uint32_t fs_engine_queue_capacity(const fs_fpga_params *machine) {
    return machine->traversal.spill == FS_SPILL_NONE ? (uint32_t)machine->traversal.queue : 0;
}

const fs_dram_kind *fs_engine_memory_kind(const fs_fpga_params *machine) {
    return machine->memory.kind == FS_MEMORY_FIXED ? NULL : &fs_dram_kinds[machine->memory.kind - 1];
}
