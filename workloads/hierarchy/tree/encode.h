/* References of the engine: what stands in a node for a child, and in a queue for what is left to visit
 * (fpga_engine.md 2, FHR). Bits are numbered from 1: bit 32 says primitives; of a node 31 bits of number; of
 * a leaf bits 31 to 28 for its primitives less one, and 27 bits for the first of them. The root is node 0. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_TREE_ENCODE_H
#define FOAMSIM_WORKLOADS_HIERARCHY_TREE_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#define FS_REFERENCE_PRIMITIVES ((uint32_t)1 << 31)
#define FS_REFERENCE_NODES      ((uint32_t)1 << 31) /* nodes that can be told apart */
#define FS_REFERENCE_SLOTS      ((uint32_t)1 << 27) /* primitives that can be told apart */
#define FS_REFERENCE_ROOT       ((uint32_t)0)
/* A child that is not there: all ones (fpga_engine.md 2, LUX). No leaf: it would reach beyond the last slot. */
#define FS_REFERENCE_EMPTY UINT32_MAX
enum { FS_REFERENCE_LEAF = 16 }; /* most primitives of a leaf */

/* id < FS_REFERENCE_NODES. */
static inline uint32_t fs_encoded_node(uint32_t id) {
    return id;
}

/* first + count <= FS_REFERENCE_SLOTS, count in [1, FS_REFERENCE_LEAF]. */
static inline uint32_t fs_encoded_leaf(uint32_t first, uint32_t count) {
    return FS_REFERENCE_PRIMITIVES | ((count - 1) << 27) | first;
}

static inline bool fs_encoded_is_leaf(uint32_t reference) {
    return (reference & FS_REFERENCE_PRIMITIVES) != 0;
}

static inline uint32_t fs_encoded_id(uint32_t reference) {
    return reference & (FS_REFERENCE_NODES - 1);
}

static inline uint32_t fs_encoded_first(uint32_t reference) {
    return reference & (FS_REFERENCE_SLOTS - 1);
}

static inline uint32_t fs_encoded_count(uint32_t reference) {
    return ((reference >> 27) & (FS_REFERENCE_LEAF - 1)) + 1;
}

#endif
