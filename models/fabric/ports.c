/* Kind ports: the exchange. */
#include "models/fabric/kind.h"

typedef struct ports {
    fs_fabric fabric;
    fs_exchange *exchange;
} ports;

static fs_exchange *exchange_of(const fs_fabric *f) {
    return ((const ports *)f)->exchange;
}

static uint32_t latency(const fs_fabric *f, uint32_t src, uint32_t dst) {
    return fs_exchange_latency(exchange_of(f), src, dst);
}

static uint64_t port_cycles(const fs_fabric *f, uint64_t bytes) {
    return fs_exchange_port_cycles(exchange_of(f), bytes);
}

static uint64_t broadcast(const fs_fabric *f, uint32_t src, uint64_t bytes) {
    return fs_exchange_broadcast(exchange_of(f), src, bytes);
}

static uint32_t message(const fs_fabric *f, uint32_t transfer, uint32_t occupied) {
    return fs_exchange_message(exchange_of(f), transfer, occupied);
}

static uint64_t phase(fs_fabric *f, const uint32_t *occupied, const fs_port_counters *counters) {
    return fs_exchange_phase(exchange_of(f), occupied, counters);
}

static void set(fs_fabric *f, const fs_transfer *transfers, uint32_t count) {
    fs_exchange_set(exchange_of(f), transfers, count);
}

static const fs_fabric_kind kind = {.latency = latency,
                                    .port_cycles = port_cycles,
                                    .broadcast = broadcast,
                                    .message = message,
                                    .phase = phase,
                                    .set = set};

fs_fabric *fs_fabric_ports(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                           fs_error *err) {
    ports *p = FS_NEW(arena, ports, 1);
    p->exchange = fs_exchange_create(arena, chip->exchange, chip->geometry, chip->tiles, lanes, err);
    p->fabric = (fs_fabric){.kind = &kind, .chip = *chip, .ports = p->exchange};
    return p->exchange != NULL ? &p->fabric : NULL;
}
