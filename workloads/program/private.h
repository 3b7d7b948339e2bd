/* Shared by the readers of a program of supersteps: what is known while the file is read. */
#pragma once

#include "sim/config/yaml.h"
#include "workloads/program/supersteps.h"

/* Most occurrences of an event on a tile in a step: one worker may count them all. */
#define FS_SUPERSTEP_COUNT 4000000000

/* Tiles that a program calls by one name. */
typedef struct fs_superstep_group {
    const char *name;
    uint32_t *tile; /* [count] in the order of writing, none twice */
    uint32_t count;
} fs_superstep_group;

/* A table that grows on the arena: elements of `size` bytes. */
typedef struct fs_superstep_list {
    void *item;
    uint32_t count;
} fs_superstep_list;
void *fs_superstep_add(fs_arena *arena, fs_superstep_list *list, size_t size);

typedef struct fs_superstep_reader {
    const fs_yaml *yaml;
    fs_arena *arena;
    const char *file;
    uint32_t tiles, workers; /* of the machine; of a tile */
    const fs_machine_params *machine;
    fs_superstep_list groups, kernels, memory;
    fs_superstep_list definitions; /* of fs_superstep */
    fs_superstep_list step_of;     /* of uint32_t, by the numbers of the plan's steps */
    fs_superstep_list stages;      /* of fs_device_stage */
    uint8_t *timeline_of;        /* [tiles] device group of a tile: 0 is that of all that no timeline names */
    fs_superstep_list timelines; /* of fs_superstep_group; number i is device group i + 1 */
    bool copies;                 /* a kernel of them has been made: */
    uint32_t copying;
    uint64_t iterations, passes; /* of the device; through the loop that is the whole program */
} fs_superstep_reader;

/* The tiles that `node` names: a group, or numbers and ranges. False, and reported, when it names none. */
bool fs_superstep_tiles(fs_superstep_reader *r, const fs_node *node, fs_superstep_group *out);
/* The same for a row; `self` is the reader. */
bool fs_superstep_read_tiles(const fs_yaml *yaml, const fs_node *node, void *self, void *member);
/* A free mapping: any keys. False, and reported, for anything else. */
bool fs_superstep_mapping(const fs_superstep_reader *r, const fs_node *node);
/* A list of `least` items and more, which a message calls `what`. False, and reported, for anything else. */
bool fs_superstep_items(const fs_superstep_reader *r, const fs_node *node, const char *what, size_t least);

/* `kernels:` of the file. */
void fs_superstep_read_kernels(fs_superstep_reader *r, const fs_node *node);
/* The kernel of that name, or UINT32_MAX. */
uint32_t fs_superstep_kernel(const fs_superstep_reader *r, const char *name);
/* A kernel without events of its own: one event for each operation that `ops` counts; counts to `count`
 * [events]. UINT32_MAX, and reported, when something is wrong. */
uint32_t fs_superstep_bare_kernel(fs_superstep_reader *r, const fs_node *ops, uint64_t **count);
/* A product on the matrix unit, {type, rows, inputs, outputs}: a kernel of one event, a cycle of the unit,
 * and how many there are. Launches are part of the unit's closed forms. UINT32_MAX, and reported, when
 * something is wrong. */
uint32_t fs_superstep_matrix_kernel(fs_superstep_reader *r, const fs_node *node, uint64_t **count,
                                    fs_amp_product *product);
extern const char *const fs_superstep_operations[]; /* [FS_OP_COUNT + 1], NULL-terminated */

/* `run:` of a step: calls and which tile runs what. `copy:` is the same of copies on a tile. */
void fs_superstep_read_run(fs_superstep_reader *r, const fs_node *node, fs_superstep *step);
void fs_superstep_read_copies(fs_superstep_reader *r, const fs_node *node, fs_superstep *step);
/* Tiles in several calls run one kernel of them all: the workers of each, one after the other, are dealt to the tile's.
 * Reported, when such kernels cannot go together. */
void fs_superstep_join_calls(fs_superstep_reader *r, const fs_node *node, fs_superstep_list *calls);
/* An entry of `copy:`: where, and how many runs and words; its buffer is noted as memory. False, and reported, when
 * something is wrong. */
bool fs_superstep_read_copy(fs_superstep_reader *r, const fs_node *item, const char *step,
                            fs_superstep_group *on, fs_superstep_call *call);
/* Notes the kernel of each tile of the step's calls. False at a tile that has one already: *twice. */
bool fs_superstep_note_runs(fs_superstep_reader *r, fs_superstep *step, uint32_t *twice);

/* `timelines:` and `steps:` of the file: stages, branches and the places of steps. */
void fs_superstep_read_timelines(fs_superstep_reader *r, const fs_node *node);
void fs_superstep_read_stages(fs_superstep_reader *r, const fs_node *list);
/* Steps [from, to) of the definitions as one branch of all tiles: what a trace is. */
void fs_superstep_stage_of_all(fs_superstep_reader *r, uint32_t from, uint32_t to);

/* Bytes to chips that are alike and run the same program, a pattern of `exchange:`. */
void fs_superstep_read_chips(fs_superstep_reader *r, const fs_node *node, fs_superstep *step);

/* `exchange:` of a step: patterns, in transfers sorted and joined. */
void fs_superstep_read_exchange(fs_superstep_reader *r, const fs_node *node, fs_superstep *step);
/* A transfer while a step is read. */
typedef struct fs_superstep_send {
    fs_transfer of;
    uint32_t message; /* those of one number, from 1 on, are one multicast; 0: alone */
} fs_superstep_send;
/* Gives the step its transfers, of a list of fs_superstep_send: sorted by (src, dst), those of one pair added up. False when a pair has 4 GiB
 * and more. */
bool fs_superstep_give_transfers(fs_superstep_reader *r, fs_superstep *step, fs_superstep_list *list);

/* `trace:` of the file: steps from two CSV tables. */
fs_status fs_superstep_read_trace(fs_superstep_reader *r, const fs_node *node, fs_error *err);
