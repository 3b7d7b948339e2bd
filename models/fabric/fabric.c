/* The contract: each call goes to the fabric's kind. */
#include "models/fabric/fabric.h"

#include "models/fabric/kind.h"
#include "sim/base/arith.h"

fs_fabric *fs_fabric_create(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                            fs_error *err) {
    if (chip->exchange->kind == FS_FABRIC_CIRCUIT)
        return fs_fabric_circuits(arena, chip, lanes, err);
    return chip->exchange->kind == FS_FABRIC_NOC ? fs_fabric_noc(arena, chip, lanes, err)
                                                 : fs_fabric_ports(arena, chip, lanes, err);
}

void fs_fabric_set(fs_fabric *f, const fs_transfer *transfers, uint32_t count) {
    FS_ASSERT(f->kind->set != NULL, "a fabric whose ways are made once");
    f->kind->set(f, transfers, count);
}

uint32_t fs_fabric_latency(const fs_fabric *f, uint32_t src, uint32_t dst) {
    return f->kind->latency(f, src, dst);
}

uint64_t fs_fabric_port_cycles(const fs_fabric *f, uint64_t bytes) {
    return f->kind->port_cycles(f, bytes);
}

uint64_t fs_fabric_send_cycles(const fs_fabric *f, uint64_t bytes) {
    const uint64_t header = f->ports != NULL ? (uint64_t)f->chip.exchange->header : 0;
    return f->kind->port_cycles(f, bytes + header);
}

uint64_t fs_fabric_broadcast(const fs_fabric *f, uint32_t src, uint64_t bytes) {
    return f->kind->broadcast(f, src, bytes);
}

uint32_t fs_fabric_message(const fs_fabric *f, uint32_t transfer, uint32_t occupied) {
    return f->kind->message(f, transfer, occupied);
}

uint64_t fs_fabric_transfer_cycles(const fs_fabric *f, uint32_t transfer, uint64_t bytes) {
    return f->ports != NULL ? fs_exchange_transfer_cycles(f->ports, transfer, bytes)
                            : f->kind->port_cycles(f, bytes);
}

uint64_t fs_fabric_phase(fs_fabric *f, const uint32_t *occupied, const fs_port_counters *counters) {
    return f->kind->phase(f, occupied, counters);
}

bool fs_fabric_samples(const fs_fabric_chip *chip) {
    return chip->exchange->kind == FS_FABRIC_NOC && chip->noc->detail == FS_NOC_SAMPLED;
}

fs_status fs_fabric_settle(fs_fabric *f, uint64_t added, const fs_port_counters *counters, fs_error *err) {
    return f->kind->settle != NULL ? f->kind->settle(f, added, counters, err) : FS_OK;
}

/* ---- stepped ---- */

bool fs_fabric_is_stepped(const fs_fabric *f) {
    return f->kind->step != NULL;
}

void fs_fabric_offer(fs_fabric *f, uint64_t cycle, uint32_t transfer, uint32_t bytes, uint32_t tag) {
    f->kind->offer(f, cycle, transfer, bytes, tag);
}

uint64_t fs_fabric_next(const fs_fabric *f) {
    return f->kind->next(f);
}

const fs_fabric_event *fs_fabric_step(fs_fabric *f, uint32_t *count) {
    return f->kind->step(f, count);
}

uint32_t fs_fabric_open(fs_fabric *f, uint64_t cycle, const uint32_t *occupied) {
    return f->kind->open(f, cycle, occupied);
}

void fs_fabric_close(fs_fabric *f, const fs_port_counters *counters) {
    f->kind->close(f, counters);
}

fs_status fs_fabric_check(const fs_fabric *f, fs_error *err) {
    return f->kind->check != NULL ? f->kind->check(f, err) : FS_OK;
}

bool fs_fabric_links_of(const fs_fabric *f, fs_fabric_links *out) {
    return f->kind->links != NULL && f->kind->links(f, out);
}

const fs_fabric_network *fs_fabric_network_of(const fs_fabric *f) {
    return f->kind->network != NULL ? f->kind->network(f) : NULL;
}

uint32_t fs_fabric_flit(const fs_fabric *f) {
    return (uint32_t)f->chip.noc->width;
}

uint64_t fs_fabric_flits(const fs_fabric *f, uint64_t message) {
    const fs_noc_options *o = f->chip.noc;
    const uint64_t width = (uint64_t)o->width, header = (uint64_t)o->header,
                   whole = (uint64_t)o->packet + header * width, rest = message % whole;
    return message / whole * (header + fs_up((uint64_t)o->packet, width)) +
           (rest > 0 ? header + fs_up(rest - header * width, width) : 0);
}

uint64_t fs_fabric_flit_hops(const fs_fabric *f, const uint32_t *occupied) {
    return f->kind->flit_hops != NULL ? f->kind->flit_hops(f, occupied) : 0;
}

fs_noc_way fs_fabric_way_of(const fs_fabric *f, uint32_t src, uint32_t dst) {
    return f->kind->way_of(f, src, dst);
}

/* ---- planned ---- */

static const fs_exchange *planned(const fs_fabric *f) {
    FS_ASSERT(f->ports != NULL, "a fabric of another kind than ports has no plan");
    return f->ports;
}

uint64_t fs_fabric_static_start(const fs_fabric *f, uint32_t transfer) {
    return fs_exchange_static_start(planned(f), transfer);
}

bool fs_fabric_is_planned(const fs_fabric *f) {
    return f->kind->is_planned != NULL ? f->kind->is_planned(f) : fs_fabric_plans(f->chip.exchange);
}

fs_status fs_fabric_plan(fs_fabric *const *fabrics, uint32_t count, fs_error *err) {
    return count > 0 && fabrics[0]->kind->make_plans != NULL
               ? fabrics[0]->kind->make_plans(fabrics, count, err)
               : FS_OK;
}

fs_exchange_plan fs_fabric_plan_of(const fs_fabric *f) {
    return f->kind->plan != NULL ? f->kind->plan(f) : fs_exchange_plan_of(planned(f));
}

void fs_fabric_count_planned(const fs_fabric *f, uint64_t phases, const fs_port_counters *counters) {
    if (f->kind->count_planned != NULL)
        f->kind->count_planned(f, phases, counters);
    else
        fs_exchange_count_planned(planned(f), phases, counters);
}

uint32_t fs_fabric_sent_with(const fs_fabric *f, uint32_t transfer) {
    return f->ports != NULL ? fs_exchange_sent_with(f->ports, transfer) : transfer;
}

uint64_t fs_fabric_wide_bytes(const fs_fabric *f) {
    return f->ports != NULL ? fs_exchange_wide_bytes(f->ports) : 0;
}
