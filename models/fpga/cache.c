/* Sets of lines, most recently used first. */
#include "models/fpga/engine_internal.h"

#include "sim/base/error.h"

#include <string.h>

void fs_fpga_cache_init(fs_node_cache *cache, fs_arena *arena, uint64_t lines, uint32_t ways) {
    FS_ASSERT(ways > 0 && lines >= ways, "a cache of %llu lines in %u ways", (unsigned long long)lines, ways);
    *cache = (fs_node_cache){.sets = lines / ways, .ways = ways};
    cache->line = FS_NEW(arena, uint64_t, cache->sets * ways);
}

static uint64_t *set_of(const fs_node_cache *cache, uint64_t node) {
    return cache->line + node % cache->sets * cache->ways;
}

/* Puts a line in front; those before its place move back. */
static void use(uint64_t *set, uint32_t place, uint64_t line) {
    memmove(set + 1, set, place * sizeof *set);
    set[0] = line;
}

static uint32_t find(const fs_node_cache *cache, const uint64_t *set, uint64_t line) {
    uint32_t way = 0;
    while (way < cache->ways && set[way] != line)
        way++;
    return way;
}

bool fs_fpga_cache_look(fs_node_cache *cache, uint64_t node) {
    uint64_t *set = set_of(cache, node);
    const uint32_t way = find(cache, set, node + 1);
    if (way == cache->ways) {
        cache->misses++;
        return false;
    }
    cache->hits++;
    use(set, way, node + 1);
    return true;
}

void fs_fpga_cache_fill(fs_node_cache *cache, uint64_t node) {
    uint64_t *set = set_of(cache, node);
    const uint32_t way = find(cache, set, node + 1);
    use(set, way < cache->ways ? way : cache->ways - 1, node + 1);
}
