/* The exchange phase over a network that is stepped: its process makes the cycles in which something is under
 * way, and the last arrival ends the phase. */
#include "models/ipu/device_event.h"

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
