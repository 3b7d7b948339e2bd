/* Private to the fabric: what a kind provides. */
#pragma once

#include "models/fabric/fabric.h"

/* As the calls of fabric.h with the same names. */
typedef struct fs_fabric_kind {
    uint32_t (*latency)(const fs_fabric *f, uint32_t src, uint32_t dst);
    uint64_t (*port_cycles)(const fs_fabric *f, uint64_t bytes);
    uint64_t (*broadcast)(const fs_fabric *f, uint32_t src, uint64_t bytes);
    uint32_t (*message)(const fs_fabric *f, uint32_t transfer, uint32_t occupied);
    uint64_t (*phase)(fs_fabric *f, const uint32_t *occupied, const fs_port_counters *counters);
    void (*set)(fs_fabric *f, const fs_transfer *transfers,
                uint32_t count); /* NULL: its ways are made once */
    /* of kinds that are stepped */
    void (*offer)(fs_fabric *f, uint64_t cycle, uint32_t transfer, uint32_t bytes, uint32_t tag);
    uint64_t (*next)(const fs_fabric *f);
    const fs_fabric_event *(*step)(fs_fabric *f, uint32_t *count);
    uint32_t (*open)(fs_fabric *f, uint64_t cycle, const uint32_t *occupied);
    void (*close)(fs_fabric *f, const fs_port_counters *counters);
    fs_status (*settle)(fs_fabric *f, uint64_t added, const fs_port_counters *counters, fs_error *err);
    fs_status (*check)(const fs_fabric *f, fs_error *err);
    const fs_fabric_network *(*network)(const fs_fabric *f);
    bool (*links)(const fs_fabric *f, fs_fabric_links *out);
    uint64_t (*flit_hops)(const fs_fabric *f, const uint32_t *occupied);
    /* of a network, whose phases may be known in advance */
    bool (*is_planned)(const fs_fabric *f);
    fs_status (*make_plans)(fs_fabric *const *fabrics, uint32_t count, fs_error *err);
    fs_exchange_plan (*plan)(const fs_fabric *f);
    void (*count_planned)(const fs_fabric *f, uint64_t phases, const fs_port_counters *counters);
    fs_noc_way (*way_of)(const fs_fabric *f, uint32_t src, uint32_t dst);
} fs_fabric_kind;

/* A kind's own state begins with it. */
struct fs_fabric {
    const fs_fabric_kind *kind;
    fs_fabric_chip chip;
    const fs_exchange *ports; /* of kind ports: what plans and multicasts are asked of; NULL: another kind */
};

fs_fabric *fs_fabric_ports(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                           fs_error *err);
fs_fabric *fs_fabric_circuits(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                              fs_error *err);
fs_fabric *fs_fabric_noc(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                         fs_error *err);
