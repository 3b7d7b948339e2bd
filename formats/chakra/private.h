/* Private to formats/chakra: the nodes of all ranks, and what they wait for. */
#pragma once

#include "formats/bytes.h"
#include "formats/format.h"

enum { FS_CHAKRA_MOST_RANKS = 4096, FS_CHAKRA_NAME = 64 };
#define FS_CHAKRA_NONE UINT32_MAX

/* Kinds of nodes, as the format numbers them. */
enum {
    FS_CHAKRA_METADATA = 1,
    FS_CHAKRA_LOAD,
    FS_CHAKRA_STORE,
    FS_CHAKRA_COMPUTE,
    FS_CHAKRA_SEND,
    FS_CHAKRA_RECEIVE,
    FS_CHAKRA_COLLECTIVE
};
/* Kinds of collectives, as it numbers them. */
enum {
    FS_CHAKRA_ALL_REDUCE,
    FS_CHAKRA_REDUCE,
    FS_CHAKRA_ALL_GATHER,
    FS_CHAKRA_GATHER,
    FS_CHAKRA_SCATTER,
    FS_CHAKRA_BROADCAST,
    FS_CHAKRA_ALL_TO_ALL,
    FS_CHAKRA_REDUCE_SCATTER,
    FS_CHAKRA_REDUCE_SCATTER_BLOCK,
    FS_CHAKRA_BARRIER,
    FS_CHAKRA_COLLECTIVES
};

/* A node; numbers of nodes count over all ranks. */
typedef struct fs_chakra_node {
    uint64_t id, byte; /* byte: of it in its file */
    uint64_t amount;   /* microseconds of a computation, else bytes */
    const char *name;  /* of a collective; NULL: of others */
    uint32_t rank;
    uint32_t first, count; /* of what it waits for, in fs_chakra.after */
    uint32_t peer; /* rank of a send or receive, then the node that it meets; of a collective its number */
    int64_t tag;
    uint16_t group; /* of a collective */
    uint8_t kind, collective;
    bool host; /* on the host's timeline */
} fs_chakra_node;

/* Ranks of a collective: `pg_name`. */
typedef struct fs_chakra_group {
    const char *name;
    uint32_t *rank, ranks; /* [ranks] in the order of its ring */
} fs_chakra_group;

/* The k-th collective of a group: the node of each of its ranks. */
typedef struct fs_chakra_meeting {
    uint16_t group;
    uint32_t came;  /* the node that was read first */
    uint32_t *node; /* [ranks of the group] */
} fs_chakra_meeting;

typedef struct fs_chakra {
    fs_arena *arena;
    fs_notes *notes;
    fs_error *err;
    const char *prefix; /* of the files' names: PREFIX.RANK.et */
    const char **file;  /* [ranks] */
    uint32_t ranks;
    uint32_t *begin; /* [ranks + 1] first node of a rank */
    fs_chakra_node *node;
    uint64_t *after; /* ids, then numbers of nodes; heap */
    uint32_t nodes, afters;
    fs_chakra_group *group;
    uint32_t groups;
    uint32_t *all; /* [ranks] of a group that no file lists; NULL: none yet */
    bool listed;   /* groups are those of the JSON */
    fs_chakra_meeting *meeting;
    uint32_t meetings;
} fs_chakra;

/* An error of a node, "FILE: node 17 (byte 466): ...". Returns false. */
bool fs_chakra_wrong(const fs_chakra *c, const fs_chakra_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Finds the files of all ranks beside one of them, then their groups in PREFIX.json, where that is. */
bool fs_chakra_find(fs_chakra *c, const char *path);
/* fs_format.beside: the files of the other ranks, and that of the groups. */
void fs_chakra_beside(const char *path, fs_format_seen seen, void *self);
/* Reads the nodes of one file, to the end. */
bool fs_chakra_read(fs_chakra *c, uint32_t rank);
/* The number of a group by its name; "": all ranks. FS_CHAKRA_NONE: there is none of that name. */
uint32_t fs_chakra_group_of(fs_chakra *c, const char *name);

/* Ids become numbers of nodes, sends meet their receives, collectives those of the other ranks. */
bool fs_chakra_join(fs_chakra *c);

/* Tasks of the nodes, in an order in which each stands behind those that it waits for. */
typedef struct fs_chakra_order fs_chakra_order;
/* Of the arena of `chakra`. clock: Hz. */
fs_chakra_order *fs_chakra_order_make(const fs_chakra *c, double clock);
/* false: the end, or with an error: nodes wait for each other, more tasks than a run takes. */
bool fs_chakra_order_next(fs_chakra_order *order, fs_task *out, fs_error *err);
