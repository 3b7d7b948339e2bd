/* Least, most, sum and mean of what shards need, by hand. */
#include "tests/support/test.h"
#include "workloads/foam/partition/partition.h"

TEST(by_hand) {
    fs_shard_size size[] = {
        {.cells = 10, .neighbour_cells = 7, .adjacency = 150, .neighbour_shards = 3, .adjacency_bytes = 2},
        {.cells = 40, .neighbour_cells = 9, .adjacency = 500, .neighbour_shards = 1, .adjacency_bytes = 4},
        {.cells = 0, .neighbour_cells = 0, .adjacency = 0, .neighbour_shards = 0, .adjacency_bytes = 2},
        {.cells = 22, .neighbour_cells = 30, .adjacency = 300, .neighbour_shards = 2, .adjacency_bytes = 2},
    };
    const fs_partition partition = {.shards = 4, .leaves = 5, .cut = 77, .size = size};
    fs_partition_stats s;
    fs_partition_stats_make(&partition, &s);
    assert_int_equal(s.shards, 4);
    assert_int_equal(s.leaves, 5);
    assert_int_equal(s.cut, 77);
    static const uint64_t want[FS_SHARD_QUANTITIES][3] = {
        [FS_SHARD_CELLS] = {0, 40, 72},
        [FS_SHARD_NEIGHBOUR_CELLS] = {0, 30, 46},
        [FS_SHARD_ADJACENCY] = {0, 500, 950},
        [FS_SHARD_NEIGHBOUR_SHARDS] = {0, 3, 6},
        [FS_SHARD_ADJACENCY_BYTES] = {0, 2000, 2900},
    };
    for (int q = 0; q < FS_SHARD_QUANTITIES; q++) {
        if (want[q][2] > 0) {
            assert_int_equal(s.of[q].min, want[q][0]);
            assert_int_equal(s.of[q].max, want[q][1]);
            assert_int_equal(s.of[q].sum, want[q][2]);
        }
        assert_true(s.of[q].mean == (double)s.of[q].sum / 4);
    }
    uint64_t most = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t bytes = fs_shard_cell_bytes(&size[i]) + fs_shard_neighbour_bytes(&size[i]) +
                               fs_shard_adjacency_bytes(&size[i]);
        most = bytes > most ? bytes : most;
    }
    assert_int_equal(s.of[FS_SHARD_SRAM_BYTES].max, most);
}

RUN_TESTS(NULL, NULL)
