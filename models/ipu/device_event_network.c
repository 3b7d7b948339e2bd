/* The exchange phase over a network that is stepped: its process makes the cycles in which something is under
 * way, and the last arrival ends the phase. And what lies between chips. */
#include "models/ipu/device_event.h"

#include <stdio.h>

static event_network *network_of(const fs_device *d) {
    return &event_state_of(d)->network;
}

/* The supervisor's program has passed: all messages are handed over. */
static void open_phase(fs_device *d, event_network *n) {
    const fs_step *s = n->branch->step;
    n->opened = true;
    n->left = fs_fabric_open(s->fabric, fs_kernel_now(d->kernel), s->occupied);
}

static void network_wakes(void *self) {
    fs_device *d = self;
    event_network *n = network_of(d);
    fs_branch *b = n->branch;
    fs_fabric *f = b->step->fabric;
    if (!n->opened)
        open_phase(d, n);
    uint32_t count = 0;
    const fs_fabric_event *e = n->left > 0 ? fs_fabric_step(f, &count) : NULL;
    for (uint32_t i = 0; i < count; i++)
        n->left -= e[i].arrived;
    if (n->left > 0) {
        fs_kernel_wake(d->kernel, n->process, fs_fabric_next(f) - fs_kernel_now(d->kernel));
        return;
    }
    fs_fabric_close(f, &d->books.port_counters);
    fs_branch_phase_done(b);
}

void event_network_exchange(fs_branch *b) {
    fs_device *d = b->device;
    event_network *n = network_of(d);
    n->branch = b;
    n->opened = false;
    fs_kernel_wake(d->kernel, n->process, (uint64_t)d->machine->exchange.program_overhead);
}

void event_network_elaborate(fs_device *d) {
    if (fs_fabric_is_stepped(d->steps[0].fabric))
        network_of(d)->process = fs_kernel_process(d->kernel, "network", network_wakes, d);
}

/* ---- between chips ---- */

static event_chips *chips_of(const fs_device *d) {
    return &event_state_of(d)->chips;
}

static void wait_for(event_chips *c, event_chips_state state, uint64_t cycles) {
    c->state = state;
    fs_kernel_wake(c->branch->device->kernel, c->process, cycles);
}

/* An edge or a port is through; the last one leaves what is still on its way. */
static void carrier_wakes(void *self) {
    event_chips *c = ((event_carrier *)self)->of;
    if (--c->left == 0)
        wait_for(c, CHIPS_ARRIVE, c->branch->step->external->latency);
}

static void carry(event_chips *c, uint32_t carrier, uint64_t cycles) {
    if (cycles == 0)
        return;
    c->left++;
    fs_kernel_wake(c->branch->device->kernel, c->carrier[carrier].process, cycles);
}

static void open_edges(event_chips *c) {
    const fs_device *d = c->branch->device;
    const fs_external *x = c->branch->step->external;
    const uint32_t edges = fs_chips_edges(d->chips);
    c->left = 0;
    for (uint32_t e = 0; e < edges; e++)
        carry(c, e, fs_chips_busy(d->chips, e));
    for (uint32_t p = 0; p < x->ports; p++)
        carry(c, edges + p, fs_external_port_cycles(d, &x->port[p]));
    if (c->left == 0)
        fs_branch_phase_done(c->branch);
}

static void chips_wake(void *self) {
    event_chips *c = self;
    if (c->state == CHIPS_OPEN)
        open_edges(c);
    else
        fs_branch_phase_done(c->branch);
}

void event_chips_meet(fs_branch *b) {
    event_chips *c = chips_of(b->device);
    c->branch = b;
    wait_for(c, CHIPS_MEET, fs_external_sync(b->device));
}

void event_chips_exchange(fs_branch *b) {
    wait_for(chips_of(b->device), CHIPS_OPEN, (uint64_t)b->device->machine->exchange.program_overhead);
}

void event_chips_create(fs_device *d, fs_arena *arena) {
    event_chips *c = chips_of(d);
    uint32_t ports = 0;
    for (uint32_t s = 0; s < d->step_count; s++)
        if (d->steps[s].external != NULL && d->steps[s].external->most_ports > ports)
            ports = d->steps[s].external->most_ports;
    c->carriers = ports > 0 ? fs_chips_edges(d->chips) + ports : 0;
    c->carrier = FS_NEW(arena, event_carrier, c->carriers);
}

void event_chips_elaborate(fs_device *d) {
    event_chips *c = chips_of(d);
    char name[64];
    if (c->carriers == 0)
        return;
    c->process = fs_kernel_process(d->kernel, "chips", chips_wake, c);
    for (uint32_t i = 0; i < c->carriers; i++) {
        snprintf(name, sizeof name, "chips_%u", i);
        c->carrier[i] = (event_carrier){c, fs_kernel_process(d->kernel, name, carrier_wakes, &c->carrier[i])};
    }
}
