/* Private to models/noc/topology: what the kinds share. */
#pragma once

#include "models/noc/kinds.h"

/* Cycles of a link to the next router; usual: where the user has not said. */
static inline uint32_t fs_noc_link_cycles(const fs_noc_options *options, uint32_t usual) {
    return options->link != FS_WORD_VALUE ? (uint32_t)options->link : usual;
}

/* One of so many choices (at most 64), the same for a packet and a place (a level, a dimension, a router) again. */
static inline uint32_t fs_noc_toss(fs_noc_header *header, uint32_t place, uint32_t choices) {
    header->choices = (uint8_t)choices;
    if (header->pick > 0)
        return header->pick - 1u;
    uint64_t x = ((uint64_t)header->number << 32 | place) + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32) % choices;
}

/* All channels of a port: of a link, or of the way out to an end point. */
static inline fs_noc_hop fs_noc_any(uint32_t port, uint32_t channels) {
    return (fs_noc_hop){.port = (uint16_t)port, .first = 0, .count = (uint8_t)channels};
}

/* The product of the sizes; FS_INPUT: more routers than there may be. */
fs_status fs_noc_product(const char *kind, const fs_noc_options *options, uint32_t *product, fs_error *err);
