/* Private to validation/cases: a case while it is being read. */
#pragma once

#include "validation/cases/cases.h"

/* A key that variants are made from. */
typedef struct fs_case_axis {
    const char *key;
    const char *const *names; /* [count] */
    fs_node *const *values;   /* [count] */
    const bool *saturated;    /* [count] */
    const bool *again;        /* [count] */
    size_t count;
    bool series; /* a line of the chart each, not a place along x */
} fs_case_axis;

/* A case as it is read: lists that grow. */
typedef struct fs_case_reader {
    const fs_registry *registry;
    const fs_yaml *yaml;
    fs_arena *arena;
    fs_validation_case *c;
    const fs_case_axis *axes; /* [axis_count] at most 2 */
    size_t axis_count;
} fs_case_reader;

/* All papers that cases may name. */
typedef struct fs_papers {
    const fs_paper *paper; /* [count] */
    size_t count;
} fs_papers;

/* One case (case_file.c): all of it but its stand-ins, of which *standins (a list or NULL) and *base are what
 * the file says. */
fs_status fs_case_read(fs_arena *arena, const fs_registry *registry, const char *path,
                       const fs_papers *papers, fs_validation_case *c, const fs_node **standins,
                       fs_node **base, fs_error *err);
void fs_case_read_variants(fs_case_reader *r, const fs_node *root);
void fs_case_read_figures(fs_case_reader *r, const fs_node *root);
void fs_case_read_relations(fs_case_reader *r, const fs_node *root);
fs_claim *fs_case_add_figure(fs_case_reader *r);
/* The variant of that name, reported when there is none; SIZE_MAX. */
size_t fs_case_variant(const fs_case_reader *r, const fs_node *node);
