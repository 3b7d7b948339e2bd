/* The board's table covers its struct and says where its numbers are from; what can't be built is refused at
 * its place. Runs in the root of the checkout. */
#include "models/fpga/engine.h"
#include "models/fpga/machine.h"
#include "sim/config/config.h"
#include "tests/support/engine_case.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <unistd.h>

static char configs[4096];

TEST(rows_cover_the_struct) {
    const fs_param_table *table = &fs_fpga_table;
    unsigned char *owner = test_keep(calloc(table->size, 1));
    size_t covered = 0;
    assert_int_equal(table->size, sizeof(fs_fpga_params));
    for (size_t r = 0; r < table->count; r++) {
        const fs_param *row = &table->rows[r];
        const size_t bytes = row->type == FS_TYPE_STRING ? sizeof(const char *) : sizeof(int64_t);
        assert_true(row->type == FS_TYPE_STRING || row->type == FS_TYPE_INT || row->type == FS_TYPE_ENUM ||
                    row->type == FS_TYPE_REAL);
        for (size_t b = 0; b < bytes; b++)
            assert_int_equal(owner[row->offset + b]++, 0);
        covered += bytes;
        assert_non_null(row->def);
        assert_true((fs_param_from(row).source[0] == '\0') == (fs_param_from(row).confidence == '-'));
    }
    /* No member without a row but limits of a die that is designed here; all are of 8 bytes. */
    const size_t of_a_die = sizeof(fs_limits_params) - offsetof(fs_limits_params, sram);
    assert_int_equal(covered + of_a_die, sizeof(fs_fpga_params));
}

/* The machine of an experiment, of which the scratch folder has the file. */
static const fs_fpga_params *load(fs_arena *arena, const char *const *sets, size_t count, fs_error *err) {
    static const fs_section_kind kind = {.kind = "fpga", .table = &fs_fpga_table};
    static const fs_section section = {
        .name = "machine", .folder = "machines", .kinds = &kind, .count = 1, .default_kind = "fpga"};
    FILE *file = fopen("x.yaml", "w");
    assert_non_null(file);
    fputs("machine: virtex5\n", file);
    fclose(file);
    const fs_config *config = fs_config_load(arena, "x.yaml", &section, 1, sets, count, configs, err);
    return config == NULL ? NULL : fs_config_section(config, "machine");
}

/* fpga_engine.md 2, through the parser of a user's file. */
TEST(a_virtex5_has_the_facts_of_the_paper) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const fs_fpga_params *m = load(arena, NULL, 0, &err);
    assert_non_null(m);
    assert_int_equal(m->clock, 250000000);
    assert_int_equal(m->traversal.units, 4);
    assert_int_equal(m->traversal.queue, 32);
    assert_int_equal(fs_engine_queue_capacity(m), 32);
    assert_int_equal(m->intersection.box_depth, 40);
    assert_int_equal(m->intersection.triangle_depth, 84);
    assert_int_equal(m->intersection.arbiter, FS_ARBITER_FIXED);
    assert_int_equal(m->memory.bandwidth, 2400000000); /* 9.6 B a cycle */
    assert_int_equal(m->memory.size, (int64_t)2 << 30);
    assert_null(fs_engine_memory_kind(m));
    assert_int_equal(fs_link_bandwidth(&m->link), 2000000000);
    fs_resource r[FS_RESOURCE_KINDS];
    fs_resources_of(m, r);
    assert_int_equal(r[FS_RESOURCE_REGISTERS].used * 1000 / r[FS_RESOURCE_REGISTERS].available, 260);
    assert_int_equal(r[FS_RESOURCE_LUTS].used * 1000 / r[FS_RESOURCE_LUTS].available, 250);
    assert_int_equal(r[FS_RESOURCE_BLOCK_RAM].used * 1000 / r[FS_RESOURCE_BLOCK_RAM].available, 149);
    assert_int_equal((r[FS_RESOURCE_BLOCK_RAM].available - r[FS_RESOURCE_BLOCK_RAM].used) / 1024, 1239);
    /* 2^28 entries of 2^36 registers leave 64 bits, and do not come to nothing. */
    fs_fpga_params large = *m;
    large.traversal.units = 1024;
    large.traversal.rays = 64;
    large.traversal.queue = 4096;
    large.resources.entry_registers = INT64_C(1) << 36;
    fs_resources_of(&large, r);
    assert_true(r[FS_RESOURCE_REGISTERS].used == UINT64_MAX);
}

TEST(memories_are_named_as_modules) {
    for (size_t r = 0; r < fs_fpga_table.count; r++) {
        const fs_param *row = &fs_fpga_table.rows[r];
        if (strcmp(row->name, "memory.kind") != 0)
            continue;
        for (int k = 0; k < FS_DRAM_KINDS; k++)
            assert_string_equal(row->choices[1 + k], fs_dram_kinds[k].name);
        assert_null(row->choices[1 + FS_DRAM_KINDS]);
        return;
    }
    fail();
}

/* ---- what can't be built ---- */

static void refused(const char *set, const char *also, const char *key, const char *words) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const char *const sets[] = {set, also};
    if (load(arena, sets, also == NULL ? 1 : 2, &err) != NULL)
        fail_msg("%s was taken", set);
    assert_int_equal(err.status, FS_INPUT);
    if (strstr(err.text, key) == NULL || strstr(err.text, words) == NULL)
        fail_msg("%s: expected %s and \"%s\", found %s", set, key, words, err.text);
}

static void accepted(const char *set, const char *also) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const char *const sets[] = {set, also};
    if (load(arena, sets, also == NULL ? 1 : 2, &err) == NULL)
        fail_msg("%s: %s", set, err.text);
}

TEST(bad_boards_are_refused) {
    refused("machine.clock=249.999 MHz", "machine.memory.kind=ddr4-3200", "machine.clock", "common tick");
    accepted("machine.clock=249.999 MHz", NULL); /* of a fixed memory nothing has to meet */
    refused("machine.traversal.units=5000", NULL, "machine.traversal.units", "1024");
    refused("machine.traversal.queue=-1", NULL, "machine.traversal.queue", "4096");
    accepted("machine.traversal.queue=0", NULL); /* unbounded */
    refused("machine.traversal.queue=0", "machine.traversal.spill=dram", "machine.traversal.spill",
            "unbounded queue");
    refused("machine.traversal.units=50", NULL, "machine.resources.luts", "%");
    accepted("machine.traversal.units=50", "machine.resources.check=ignore");
    refused("machine.cache.kind=direct", "machine.cache.size=1300 KiB", "machine.resources.block_ram", "%");
    accepted("machine.cache.kind=direct", "machine.cache.size=1239 KiB");
    refused("machine.traversal.spill=block_ram", "machine.traversal.spill_entries=50000",
            "machine.resources.block_ram", "%");
    refused("machine.resources.fixed_dsps=193", NULL, "machine.resources.dsps", "%");
    refused("machine.intersection.box_interval=41 cycles", NULL, "machine.intersection.box_interval",
            "at most the depth");
    refused("machine.intersection.triangle_interval=85 cycles", NULL,
            "machine.intersection.triangle_interval", "at most the depth");
    refused("machine.memory.in_flight=one", NULL, "machine.memory.in_flight", "controller");
    refused("machine.memory.latency=-1 ns", NULL, "machine.memory.latency", "from 0 s");
    accepted("machine.memory.latency=46 cycles", NULL); /* of yesterday's files */
    refused("machine.memory.kind=ddr5", NULL, "machine.memory.kind", "ddr2-300");
    refused("machine.link.generation=6", NULL, "machine.link.generation", "5");
}

/* ---- what a run refuses of its itinerary ---- */

static void run_refuses(fs_fpga_params m, const fs_engine_itinerary *it, const char *key) {
    fs_arena *arena = test_arena();
    fs_engine_results results;
    fs_error err = {0};
    assert_int_equal(fs_engine_run(&m, it, FS_ENGINE_CYCLE, NULL, arena, &results, &err), FS_INPUT);
    assert_says(err.text, key);
}

TEST(runs_that_do_not_fit) {
    fs_arena *arena = test_arena();
    const fs_fpga_params board = engine_board(arena);
    fs_engine_itinerary it = engine_rays(arena, 2, 20, 4);
    fs_fpga_params m = board;
    m.cache.kind = FS_CACHE_ASSOCIATIVE;
    m.cache.size = 4 * ENGINE_NODE_BYTES - 1;
    run_refuses(m, &it, "machine.cache.size");
    m = board;
    m.memory.size = (int64_t)it.tree_bytes - 1;
    run_refuses(m, &it, "machine.memory.size");
    m = board;
    m.traversal.queue = 4;
    m.traversal.spill = FS_SPILL_BLOCK_RAM;
    m.traversal.spill_entries = 15;
    it.queue = 0;
    run_refuses(m, &it, "machine.traversal.spill_entries");
    m = board;
    m.link.kind = FS_LINK_PCIE;
    m.clock = 99999999999;
    it.tree_bytes = (uint64_t)1 << 30;
    run_refuses(m, &it, "machine.clock");
}

/* ---- itineraries ---- */

static void broken(fs_engine_itinerary it, const char *words) {
    fs_error err = {0};
    assert_int_equal(fs_engine_itinerary_check(&it, &err), FS_BROKEN);
    assert_says(err.text, words);
}

TEST(itineraries_that_are_none) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    const fs_engine_itinerary good = engine_rays(arena, 3, 2, 4);
    fs_engine_request *r = FS_NEW(arena, fs_engine_request, 9);
    fs_engine_itinerary it = good;
    it.request = r;
    assert_int_equal(fs_engine_itinerary_check(&good, &err), FS_OK);
#define BROKEN(member, value, words)                                                                         \
    memcpy(r, good.request, 9 * sizeof *r);                                                                  \
    r[3].member = value;                                                                                     \
    broken(it, words)
    BROKEN(bytes, 0, "no bytes");
    BROKEN(items, 0, "no bytes");
    BROKEN(address, good.tree_bytes, "beyond the tree");
    BROKEN(inserted, 0, "taken out");
    BROKEN(lost, 9, "loses more");
    BROKEN(lost, 1, "with room");
    memcpy(r, good.request, 9 * sizeof *r);
    r[4].inserted = 1;
    broken(it, "a leaf brings");
    it = good;
    it.queue = 1;
    broken(it, "beyond it");
    const uint64_t empty[] = {0, 3, 3, 9};
    it = good;
    it.first = empty;
    broken(it, "no request");
    const bool missed[] = {true, false, true};
    const uint64_t cut[] = {0, 3, 5, 8};
    it = good;
    it.first = cut;
    it.hit = missed;
    broken(it, "hit nothing");
}

static int enter(void **state) {
    char here[2048];
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    snprintf(configs, sizeof configs, "%s/configs", here);
    return scratch_enter(state);
}

RUN_TESTS(enter, scratch_leave)
