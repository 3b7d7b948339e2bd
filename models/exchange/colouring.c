/* Edge colouring of a bipartite multigraph with alternating paths (Koenig 1916). Each transfer takes a colour
 * that is free at its sender and one that is free at its receiver; when they differ, the path from the
 * receiver that alternates between the two is recoloured, which frees the sender's colour at the receiver
 * too. In a bipartite graph that path cannot end at the sender, so it always works. */
#include "models/exchange/schedule.h"

#include "sim/base/alloc.h"

#include <stdlib.h>

static const uint32_t NONE = UINT32_MAX; /* no transfer has that colour here */

typedef struct colouring {
    const fs_schedule_job *job;
    uint32_t colours;
    uint32_t *sends;    /* [tiles * colours] the transfer of that colour at a sender, or NONE */
    uint32_t *receives; /* the same at a receiver */
    uint32_t *path;     /* [count] */
} colouring;

static uint32_t receiver_of(const fs_schedule_job *job, uint32_t message) {
    return job->to[job->message[message].first];
}

static uint32_t most_transfers_at_a_port(const fs_schedule_job *job) {
    uint32_t *out = fs_calloc(2 * (size_t)job->tiles, sizeof *out), *in = out + job->tiles, most = 0;
    for (uint32_t t = 0; t < job->count; t++) {
        if (job->message[t].cycles == 0)
            continue;
        uint32_t sends = ++out[job->message[t].src], receives = ++in[receiver_of(job, t)];
        most = sends > most ? sends : most;
        most = receives > most ? receives : most;
    }
    free(out);
    return most;
}

static uint32_t *send_slot(const colouring *c, uint32_t transfer, uint32_t colour) {
    return &c->sends[(size_t)c->job->message[transfer].src * c->colours + colour];
}

static uint32_t *receive_slot(const colouring *c, uint32_t transfer, uint32_t colour) {
    return &c->receives[(size_t)receiver_of(c->job, transfer) * c->colours + colour];
}

static uint32_t free_colour(const uint32_t *slots) {
    uint32_t colour = 0;
    while (slots[colour] != NONE)
        colour++;
    return colour;
}

/* Exchanges colours a and b along the path that leaves the receiver of `transfer` by its edge of colour a. */
static void swap_path(colouring *c, uint32_t transfer, uint32_t a, uint32_t b) {
    uint32_t length = 0;
    for (uint32_t edge = *receive_slot(c, transfer, a); edge != NONE; length++) {
        c->path[length] = edge;
        edge = length % 2 == 0 ? *send_slot(c, edge, b) : *receive_slot(c, edge, a);
    }
    for (uint32_t i = 0; i < length; i++) {
        *send_slot(c, c->path[i], i % 2 == 0 ? a : b) = NONE;
        *receive_slot(c, c->path[i], i % 2 == 0 ? a : b) = NONE;
    }
    for (uint32_t i = 0; i < length; i++) {
        *send_slot(c, c->path[i], i % 2 == 0 ? b : a) = c->path[i];
        *receive_slot(c, c->path[i], i % 2 == 0 ? b : a) = c->path[i];
    }
}

static void place(colouring *c, uint32_t transfer) {
    uint32_t at_sender = free_colour(send_slot(c, transfer, 0));
    uint32_t at_receiver = free_colour(receive_slot(c, transfer, 0));
    if (*receive_slot(c, transfer, at_sender) != NONE)
        swap_path(c, transfer, at_sender, at_receiver);
    *send_slot(c, transfer, at_sender) = transfer;
    *receive_slot(c, transfer, at_sender) = transfer;
}

uint32_t fs_schedule_colour(const fs_schedule_job *job, uint32_t *colour) {
    colouring c = {.job = job, .colours = most_transfers_at_a_port(job)};
    size_t slots = (size_t)job->tiles * c.colours;
    c.sends = fs_malloc(slots * sizeof *c.sends);
    c.receives = fs_malloc(slots * sizeof *c.receives);
    c.path = fs_malloc(job->count * sizeof *c.path);
    for (size_t i = 0; i < slots; i++)
        c.sends[i] = c.receives[i] = NONE;
    for (uint32_t t = 0; t < job->count; t++) {
        colour[t] = FS_NO_COLOUR;
        if (job->message[t].cycles > 0)
            place(&c, t);
    }
    for (size_t i = 0; i < slots; i++)
        if (c.sends[i] != NONE)
            colour[c.sends[i]] = (uint32_t)(i % c.colours);
    free(c.sends);
    free(c.receives);
    free(c.path);
    return c.colours;
}
