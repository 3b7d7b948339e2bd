/* The traversal engine against closed forms worked out by hand, in each detail. */
#include "models/fpga/machine.h"
#include "models/fpga/power.h"
#include "tests/support/engine_case.h"
#include "tests/support/test.h"

static fs_engine_results run(const fs_fpga_params *m, const fs_engine_itinerary *it,
                             fs_engine_detail detail) {
    fs_engine_results results;
    fs_error err = {0};
    assert_ok(fs_engine_run(m, it, detail, NULL, test_arena(), &results, &err), &err);
    return results;
}

static void assert_cycles(const fs_fpga_params *m, const fs_engine_itinerary *it, uint64_t cycles) {
    assert_int_equal(run(m, it, FS_ENGINE_PHASE).cycles, cycles);
    assert_int_equal(run(m, it, FS_ENGINE_CYCLE).cycles, cycles);
    assert_int_equal(engine_event_cycles(m, it), cycles);
}

/* 12 in the unit, 46 to the first byte, 12 and 20 on the bus, 40 and 84 in the pipelines. */
enum { ROOT = 12 + 46 + 12 + 40, LEAF = 12 + 46 + 20 + 84 };

TEST(one_ray) {
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 1, 1, 4);
    for (m.memory.in_flight = 0; m.memory.in_flight <= FS_IN_FLIGHT_PIPELINE; m.memory.in_flight++)
        assert_cycles(&m, &it, 272);
    assert_int_equal(ROOT + LEAF, 272);
}

TEST(four_rays) {
    static const uint64_t cycles[] = {
        [FS_IN_FLIGHT_MANY] = 332, [FS_IN_FLIGHT_CONTROLLER] = 592, [FS_IN_FLIGHT_PIPELINE] = 1004};
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 4, 1, 4);
    for (m.memory.in_flight = 0; m.memory.in_flight <= FS_IN_FLIGHT_PIPELINE; m.memory.in_flight++)
        assert_cycles(&m, &it, cycles[m.memory.in_flight]);
}

/* In one unit rays follow each other, whatever the blocking. */
TEST(rays_of_one_unit) {
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 9, 3, 4);
    m.traversal.units = 1;
    for (m.memory.in_flight = 0; m.memory.in_flight <= FS_IN_FLIGHT_PIPELINE; m.memory.in_flight++)
        assert_cycles(&m, &it, 9 * (ROOT + 3 * LEAF));
}

/* The bus never rests between the first root's byte and the last leaf's: bytes / 9.6, as every request fills
 * whole cycles, and what stands before and behind. */
TEST(saturated_bus) {
    fs_fpga_params m = engine_board(test_arena());
    fs_engine_itinerary it = engine_rays(test_arena(), 600, 2, 4);
    fs_engine_request *request = FS_NEW(test_arena(), fs_engine_request, it.first[it.rays]);
    for (uint64_t i = 0; i < it.first[it.rays]; i++) {
        request[i] = it.request[i];
        request[i].bytes = 192;
    }
    it.request = request;
    it.tree_bytes = 4096;
    m.traversal.units = 30;
    m.memory.in_flight = FS_IN_FLIGHT_MANY;
    const fs_engine_results r = run(&m, &it, FS_ENGINE_PHASE);
    assert_int_equal(r.bus_bytes, 600 * 3 * 192);
    assert_int_equal(r.memory.busy * 48, r.bus_bytes * 5); /* 9.6 B a cycle */
    assert_int_equal(r.cycles, 7 + 46 + r.memory.busy + 84 + 5);
    assert_cycles(&m, &it, r.cycles);
}

/* An arbiter in turn, or of the oldest, lets the root of unit 2 go before the second request of unit 0. */
TEST(fair_arbiters) {
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 4, 1, 4);
    m.memory.in_flight = FS_IN_FLIGHT_CONTROLLER;
    for (m.intersection.arbiter = FS_ARBITER_ROUND_ROBIN; m.intersection.arbiter <= FS_ARBITER_OLDEST;
         m.intersection.arbiter++)
        assert_cycles(&m, &it, 7 + 4 * 58 + 4 * 66 + 84 + 5);
}

/* An interval longer than the bytes take makes the pipeline the limit: four boxes at 10 cycles enter from the
 * third cycle on, a quarter of 12. */
TEST(slow_pipeline) {
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 1, 1, 4);
    m.intersection.box_interval = 10;
    assert_cycles(&m, &it, 12 + 46 + 3 + 3 * 10 + 40 + LEAF);
}

/* Rays come over the link at 148 / 128 x 36 B / 8 B a cycle, behind its latency; results of 16 B go back. */
TEST(over_the_link) {
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 1, 1, 4);
    m.link.kind = FS_LINK_PCIE;
    /* 36 B and one header of 20: 7 cycles; 16 B and 20: 4.5 */
    assert_cycles(&m, &it, 250 + 7 + 272 + 5);
    assert_int_equal(run(&m, &it, FS_ENGINE_PHASE).upload_cycles, 250 + (304 + 3 * 20 + 7) / 8);
}

/* Spilled to block RAM: a queue of one entry and three leaves: two go out and come back, one by one. */
TEST(spilled_entries) {
    fs_fpga_params m = engine_board(test_arena());
    fs_engine_itinerary it = engine_rays(test_arena(), 1, 3, 4);
    it.queue = 0;
    m.traversal.queue = 1;
    m.traversal.spill = FS_SPILL_BLOCK_RAM;
    assert_cycles(&m, &it, ROOT + 3 * LEAF + 4 * 2);
    const fs_engine_results r = run(&m, &it, FS_ENGINE_PHASE);
    assert_int_equal(r.spilled, 2);
    assert_int_equal(r.refilled, 2);
    /* To memory: three accesses of 16, 8 and 8 B, each the latency and 2 or 1 cycles, without the 5 cycles of
     * the answer, which are there in any case. */
    m.traversal.spill = FS_SPILL_DRAM;
    assert_cycles(&m, &it, ROOT + 3 * LEAF + 3 * 46 + 2 + 1 + 1);
    assert_int_equal(run(&m, &it, FS_ENGINE_PHASE).spill_accesses, 3);
}

/* The second ray finds the root in the cache: 2 cycles and 4 of 32 B instead of 46 and 12. */
TEST(cached_root) {
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 2, 1, 4);
    m.traversal.units = 1;
    for (m.cache.kind = FS_CACHE_DIRECT; m.cache.kind <= FS_CACHE_ASSOCIATIVE; m.cache.kind++) {
        const fs_engine_results r = run(&m, &it, FS_ENGINE_CYCLE);
        assert_int_equal(r.cycles, 2 * 272 - 46 - 12 + 2 + 4);
        assert_int_equal(engine_event_cycles(&m, &it), r.cycles);
        assert_int_equal(r.cache_hits, 1);
        assert_int_equal(r.cache_misses, 1);
    }
}

/* A module of two ranks at 150 MHz, no overhead: the root misses (activate 3, CL 3), the leaf hits; bytes of
 * 4 and 7 bursts (192 B from byte 112 on) of two cycles. Edges of 150 MHz: a request of cycle 7 arrives at
 * edge 5, its bytes come at edges 11 to 19, cycles 19 to 32; the answer is there 40 later. The leaf is asked
 * for in cycle 84, edge 51, and hits: edges 54 to 68, cycles 90 to 114. */
TEST(module_of_two_ranks) {
    fs_fpga_params m = engine_board(test_arena());
    const fs_engine_itinerary it = engine_rays(test_arena(), 1, 1, 4);
    m.memory.kind = 1;
    m.memory.overhead = 0;
    const fs_engine_results r = run(&m, &it, FS_ENGINE_CYCLE);
    assert_int_equal(r.cycles, 114 + 84 + 5);
    assert_int_equal(engine_event_cycles(&m, &it), r.cycles);
    assert_int_equal(r.dram.misses, 1);
    assert_int_equal(r.dram.hits, 3 + 7);
}

TEST(what_phase_does_not_do) {
    const fs_engine_itinerary it = engine_rays(test_arena(), 1, 1, 4);
    fs_fpga_params m = engine_board(test_arena());
    fs_engine_results results;
    fs_error err = {0};
    m.memory.kind = 1;
    assert_fails(fs_engine_run(&m, &it, FS_ENGINE_PHASE, NULL, test_arena(), &results, &err), FS_INPUT, &err,
                 "run.detail");
    m = engine_board(test_arena());
    m.memory.size = 100;
    err = (fs_error){0};
    assert_fails(fs_engine_run(&m, &it, FS_ENGINE_EVENT, NULL, test_arena(), &results, &err), FS_INPUT, &err,
                 "machine.memory.size");
    m = engine_board(test_arena());
    m.memory.burst = 64;
    err = (fs_error){0};
    assert_fails(fs_engine_run(&m, &it, FS_ENGINE_EVENT, NULL, test_arena(), &results, &err), FS_INPUT, &err,
                 "machine.memory.burst");
}

/* A thousand cycles of what the engine takes of the device: per look-up table, register and multiplier, per KiB of
 * block RAM; 8 bits of each byte that leaves it; leakage by the second. */
TEST(energy_of_a_run) {
    fs_fpga_params m = engine_board(test_arena());
    fs_resource r[FS_RESOURCE_KINDS];
    fs_resources_of(&m, r);
    const fs_engine_results results = {
        .cycles = 1000, .bus_bytes = 300, .link_bytes_in = 20, .link_bytes_out = 5};
    const fs_fpga_power_figures f = fs_fpga_power_of(&m, &results);
    const double hand[FS_FPGA_PARTS] = {
        [FS_FPGA_LUTS] = 1e3 * (double)r[FS_RESOURCE_LUTS].used * m.energy.lut,
        [FS_FPGA_REGISTERS] = 1e3 * (double)r[FS_RESOURCE_REGISTERS].used * m.energy.reg,
        [FS_FPGA_DSPS] = 1e3 * (double)r[FS_RESOURCE_DSPS].used * m.energy.dsp,
        [FS_FPGA_BLOCK_RAM] = 1e3 * (double)r[FS_RESOURCE_BLOCK_RAM].used / 1024 * m.energy.ram,
        [FS_FPGA_DRAM] = 2400 * m.energy.dram_bit,
        [FS_FPGA_HOST] = 200 * m.energy.link_bit,
        [FS_FPGA_LEAKAGE] = 1e3 / (double)m.clock * m.energy.leakage,
    };
    double sum = 0;
    for (int p = 0; p < FS_FPGA_PARTS; p++) {
        sum += hand[p];
        if (!(hand[p] > 0) || fabs(f.part[p] / hand[p] - 1) > 1e-3) /* prices are whole attojoules */
            fail_msg("part %d: %g, by hand %g", p, f.part[p], hand[p]);
    }
    assert_true(fabs(f.energy.joules / sum - 1) < 1e-3);
}

RUN_TESTS(NULL, NULL)
