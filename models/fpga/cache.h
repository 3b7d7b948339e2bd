/* The node cache: a line holds a node, a set is chosen by the node's number, direct-mapped or associative
 * with the line that was used longest ago replaced. A line is valid once the last byte of its node has come
 * from memory; a node that is asked for again until then is read again. */
#ifndef FOAMSIM_MODELS_FPGA_CACHE_H
#define FOAMSIM_MODELS_FPGA_CACHE_H

#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_node_cache {
    uint64_t *line; /* [sets][ways] node + 1, most recently used first; 0: empty */
    uint64_t sets;
    uint32_t ways;
    uint64_t hits, misses;
} fs_node_cache;

/* A cache of `lines` lines, ways at most as many; lines that fill no set are left out. */
void fs_fpga_cache_init(fs_node_cache *cache, fs_arena *arena, uint64_t lines, uint32_t ways);
/* Looks a node up; counts and marks it as used. */
bool fs_fpga_cache_look(fs_node_cache *cache, uint64_t node);
/* A node has come. */
void fs_fpga_cache_fill(fs_node_cache *cache, uint64_t node);

#endif
