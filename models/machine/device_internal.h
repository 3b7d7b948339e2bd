/* Private to the device: its state, and what a level of detail has to provide. */
#ifndef FOAMSIM_MODELS_MACHINE_DEVICE_INTERNAL_H
#define FOAMSIM_MODELS_MACHINE_DEVICE_INTERNAL_H

#include "models/machine/device.h"
#include "sim/kernel/kernel.h"

/* What the host does in a host phase. */
typedef struct fs_host_work {
    uint64_t programs; /* unfused launches, each with an external sync before it */
    bool visit;
    uint64_t link_bytes, broadcast_bytes; /* of the visit */
} fs_host_work;

/* A level of detail. The sequencer calls one of the four phases; the level lets device time pass and then
 * calls fs_device_phase_done. Before the compute phase is over the level books
 * every active tile once (fs_books_tile), and device->idle of the classes holds this iteration's times;
 * `exchange` adds to device->ports. */
typedef struct fs_device_level {
    void *(*create)(fs_device *device, fs_arena *arena); /* the level's state, at elaboration */
    void (*elaborate)(fs_device *device);                /* registers its processes */
    uint32_t *(*counts)(fs_device *device,
                        uint32_t tile); /* where the tile's kernel counts: zero; any thread */
    void (*tile_done)(fs_device *device, uint32_t tile); /* they are filled; the same thread */
    void (*forget)(fs_device *device); /* before an iteration: the active tiles of the last */
    void (*compute)(fs_device *device);
    void (*sync)(fs_device *device);
    void (*exchange)(fs_device *device);
    void (*host)(fs_device *device); /* device->work */
} fs_device_level;

extern const fs_device_level fs_phase_level, fs_event_level;

/* Closed form of an exchange phase. A static one counts its ports at the end of the run. */
uint64_t fs_phase_exchange_cycles(fs_device *device);
/* Closed form of a host phase. */
uint64_t fs_phase_host_cycles(const fs_device *device, const fs_host_work *work);

typedef enum fs_device_step {
    FS_STEP_BEGIN,
    FS_STEP_FIRST_VISIT,
    FS_STEP_COMPUTE,
    FS_STEP_SYNC,
    FS_STEP_EXCHANGE,
    FS_STEP_HOST
} fs_device_step;

/* Sums over the run. An idle tile is not touched in an iteration: it has the idle price of its role in every
 * iteration in which it was not active, and settling at the end books that. */
typedef struct fs_device_books {
    uint64_t compute, sync, exchange, host, first, iterations; /* cycles of phases; count */
    uint64_t *busy, *waiting, *idle;                           /* [tiles * workers] */
    uint64_t *tile_compute;                                    /* [tiles] */
    uint64_t *paced;                                           /* [tiles] */
    uint64_t *active_iterations;                               /* [tiles] iterations as an active tile */
    uint32_t broken;                                           /* 1 + a tile whose times did not add up */
} fs_device_books;

struct fs_device {
    const fs_machine_params *machine;
    const fs_overlay *overlay;
    const fs_device_level *level;
    void *level_state;
    fs_exchange *exchange;
    fs_host_visit first;
    uint32_t tiles, workers;
    /* Tiles with the same program form a class; class 0 runs none. [classes] each: */
    uint32_t classes;
    const uint8_t *class_of; /* [tiles] */
    uint32_t *class_tiles;
    fs_priced_program *priced; /* of class 0: nothing */
    fs_tile_times *idle;       /* the program with no work; zero without a program */

    uint64_t *compute;  /* [tiles] cycles of active tiles in this iteration */
    uint64_t *done;     /* [tiles] 1 + the last iteration in which the tile was active */
    uint64_t *ports[5]; /* [tiles] bytes out, in, busy out, in, waiting out */
    fs_port_counters port_counters;
    uint64_t planned_phases; /* static exchange phases whose ports are counted when the books are settled */
    fs_device_books books;

    /* The run */
    fs_kernel *kernel;
    fs_process_id sequencer;
    const fs_device_client *client;
    fs_error *err;
    fs_status status;
    fs_device_step step;
    uint64_t phase_start; /* cycles */
    fs_iteration iteration;
    const uint32_t *active; /* [active_count], the client's */
    uint32_t active_count;
    uint32_t *idle_tiles;     /* [classes] not active in this iteration */
    const uint32_t *occupied; /* [lanes], the client's */
    fs_host_work work;
    bool stop;
    bool told;                     /* by the client: workers and ports are not booked */
    const uint64_t *told_exchange; /* [iterations], or NULL */
    uint64_t cycles, activations;  /* at the end of the run */
};

/* A level says that its phase has passed. */
void fs_device_phase_done(fs_device *device);
/* Ends the run with an error that the level found. */
void fs_device_fail(fs_device *device, fs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Checks the list of active tiles and counts those of each class that are idle. */
void fs_device_look_at_active(fs_device *device);
/* What the host does in a visit. launches: the iteration's unfused ones too. */
fs_host_work fs_device_work_of(const fs_device *device, const fs_host_visit *visit, bool launches);

/* Longest compute of the iteration over active and idle tiles, and the lowest tile that has it. */
uint64_t fs_device_longest(const fs_device *device, uint32_t *tile);

/* Books what a tile did in this iteration's compute phase; any thread, different tiles at a time. */
void fs_books_tile(fs_device *device, uint32_t tile, const fs_tile_times *times);
void fs_books_create(fs_device *device, fs_arena *arena);
/* Books the compute phase of the iteration, which took `phase` cycles. FS_BROKEN when a tile's times do not
 * add up. */
fs_status fs_books_compute(fs_device *device, uint64_t phase, fs_error *err);
/* Books the idle tiles and checks the identities of the run. */
fs_status fs_books_settle(fs_device *device, fs_error *err);

static inline uint64_t fs_device_since_phase_start(const fs_device *device) {
    return fs_kernel_now(device->kernel) - device->phase_start;
}

#endif
