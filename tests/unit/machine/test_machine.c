/* The machine's table covers its struct, every row says where it is from, and the machines of configs/ are
 * what they are called. Runs in the root of the checkout. */
#include "models/ipu/machine.h"

#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/foam/foam_params.h"

static size_t size_of(const fs_param *row) {
    switch (row->type) {
    case FS_TYPE_BOOL:
        return sizeof(bool);
    case FS_TYPE_INT_LIST:
        return sizeof(fs_int_list);
    case FS_TYPE_STRING:
    case FS_TYPE_PATH:
        return sizeof(const char *);
    case FS_TYPE_INT:
    case FS_TYPE_ENUM:
        return sizeof(int64_t);
    case FS_TYPE_REAL:
        return sizeof(double);
    default:
        fail_msg("%s: the machine has no such type", row->name);
        return 0;
    }
}

/* Every row writes bytes of its own, and with the `given` flags they fill the struct but for padding. */
TEST(rows_cover_the_struct) {
    fs_arena *arena = test_arena();
    const fs_param_role all[FS_MACHINE_ROLES] = {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""},
                                                 {"e", ""}, {"f", ""}, {"g", ""}, {NULL, NULL}};
    const fs_param_table *table = fs_table_of_roles(arena, &fs_machine_table, all);
    assert_int_equal(table->size, sizeof(fs_machine_params));
    unsigned char *owner = test_keep(calloc(table->size, 1));
    size_t covered = 0;
    for (size_t r = 0; r < table->count; r++) {
        const fs_param *row = &table->rows[r];
        size_t bytes = size_of(row);
        for (size_t b = 0; b < bytes; b++)
            assert_int_equal(owner[row->offset + b]++, 0);
        covered += bytes;
        if (row->given != 0) {
            assert_int_equal(owner[row->given]++, 0);
            covered++;
        }
        for (size_t other = 0; other < r; other++)
            assert_string_not_equal(row->name, table->rows[other].name);
    }
    size_t padding = 0; /* after each bool, or pair of bools, up to eight bytes */
    padding += offsetof(fs_tile_params, dual_issue) - offsetof(fs_tile_params, reuse_idle_slots) - 1;
    padding +=
        offsetof(fs_exchange_params, program_overhead) - offsetof(fs_exchange_params, column_same_given) - 2;
    padding += offsetof(fs_host_params, launch) - offsetof(fs_host_params, fused) - 1;
    padding +=
        4 * (sizeof(int64_t) - sizeof(bool));  /* of fs_noc_options and fs_circuit_options, each by itself */
    padding += sizeof(int64_t) - sizeof(bool); /* fs_chips_params.links_given */
    padding += sizeof(int64_t);                /* tile.clock_permille, which roles give */
    padding += sizeof(int64_t);                /* workers of a spare tile, which runs nothing */
    assert_int_equal(covered + padding, sizeof(fs_machine_params));
}

TEST(rows_say_where_they_are_from) {
    for (size_t r = 0; r < fs_machine_table.count; r++) {
        const fs_param *row = &fs_machine_table.rows[r];
        assert_non_null(row->def);
        assert_true(strlen(row->doc) > 0);
        assert_non_null(strchr("PMRIA-", fs_param_from(row).confidence));
        assert_true((fs_param_from(row).source[0] == '\0') == (fs_param_from(row).confidence == '-'));
        if (row->type != FS_TYPE_STRING && row->type != FS_TYPE_ENUM)
            assert_true(row->min <= row->max);
    }
}

static const fs_machine_params *load(fs_arena *arena, const char *path) {
    static const fs_section_kind kind = {.kind = "", .table = &fs_machine_table};
    static const fs_section section = {
        .name = "machine", .folder = "machines", .kinds = &kind, .count = 1, .default_kind = "ipu"};
    fs_error err = {0};
    const char *kind_name = NULL;
    const fs_machine_params *m =
        fs_config_load_section(arena, path, &section, NULL, 0, "configs", &kind_name, &err);
    assert_got(m, &err);
    return m;
}

/* Values of ipu.md, read through the same parser as a user's. */
TEST(a_gc200_has_the_facts_of_a_gc200) {
    fs_arena *arena = test_arena();
    const fs_machine_params *m = load(arena, "configs/machines/gc200.yaml");
    assert_string_equal(m->name, "gc200");
    assert_true(m->clock == 1.33e9);
    assert_int_equal(fs_geometry_tiles(&m->geometry), 1472);
    assert_int_equal(m->tile.workers, 6);
    assert_int_equal(m->tile.vertex_overhead + m->tile.runall + m->tile.join, 23);
    assert_false(m->tile.reuse_idle_slots);
    assert_int_equal(m->tile.cost[FS_OP_LOAD], 1);
    assert_int_equal(m->tile.cost[FS_OP_STORE_HALF], 5);
    assert_int_equal(m->tile.cost[FS_OP_DIV], 3);
    assert_int_equal(m->tile.cost[FS_OP_INT_DIV], 265);
    assert_true(m->tile.pairing == 100);
    assert_int_equal(m->memory.sram, 638976);
    assert_int_equal(m->memory.reserved, 0x450);
    assert_int_equal(m->memory.check, FS_MEMORY_ERROR);
    assert_int_equal(m->exchange.mode, FS_EXCHANGE_STATIC);
    assert_int_equal(m->exchange.bytes_per_cycle, 4);
    assert_int_equal(m->exchange.latency_base, 52);
    assert_int_equal(m->exchange.column_same.count, 8);
    assert_int_equal(m->exchange.column_same.item[0], -53); /* -26.5 */
    assert_int_equal(m->exchange.column_same.item[7], 24);
    assert_int_equal(m->exchange.column_other.count, 8);
    assert_int_equal(m->exchange.column_other.item[0], -38);
    assert_int_equal(m->exchange.column_other.item[7], 40);
    assert_true(m->exchange.column_same_given); /* the default is a value */
    assert_int_equal(m->sync.base + 22 * m->sync.skew_row + 7 * m->sync.skew_column, 126);
    assert_int_equal(m->sync.external, 600);
    assert_true(m->host.fused);
    assert_true(m->host.launch == 0.2e-3 && m->host.bandwidth == 5.5e9 && m->host.stream_copy == 0.02e-3);
}

/* published.md 1 and RF section 5.2: a tracer with the Bicycle's worst shard takes about 450 kB, a
 * router with ten buffers nearly fills its tile. */
TEST(code_fits_beside_the_data) {
    fs_arena *arena = test_arena();
    fs_machine_params m;
    fs_params_default(arena, &fs_machine_table, &m);
    fs_foam_params p;
    fs_params_default(arena, &fs_foam_table, &p);
    int64_t tracer = 295596 + 115200 + 2400 + p.kernels.code.tracer + m.memory.vertex_state;
    int64_t router = 576000 + p.kernels.code.router + m.memory.vertex_state;
    int64_t words = 57600 / 256 + 1; /* sends of 64 words in a buffer: the most messages a lane can take */
    int64_t lane_code = words * m.memory.exchange_code_per_message;
    assert_in_range(tracer, 440000, 460000);
    assert_in_range(tracer + 2 * lane_code, 440000, 460000);
    assert_in_range(router, 600000, m.memory.sram - m.memory.reserved);
    assert_in_range(router + 10 * lane_code, 600000, m.memory.sram - m.memory.reserved);
}

TEST(bow_is_a_faster_gc200) {
    fs_arena *arena = test_arena();
    const fs_machine_params *bow = load(arena, "configs/machines/bow.yaml");
    const fs_machine_params *gc200 = load(arena, "configs/machines/gc200.yaml");
    assert_string_equal(bow->name, "bow");
    assert_true(bow->clock == 1.85e9);
    assert_memory_equal(&bow->geometry, &gc200->geometry, sizeof bow->geometry);
    assert_memory_equal(bow->tile.cost, gc200->tile.cost, sizeof bow->tile.cost);
    assert_memory_equal(&bow->memory, &gc200->memory, sizeof bow->memory);
}

TEST(gc200_small_has_96_tiles) {
    fs_arena *arena = test_arena();
    const fs_machine_params *m = load(arena, "configs/machines/gc200-small.yaml");
    assert_string_equal(m->name, "gc200-small");
    assert_int_equal(fs_geometry_tiles(&m->geometry), 96);
    assert_true(m->clock == 1.33e9);
}

RUN_TESTS(NULL, NULL)
