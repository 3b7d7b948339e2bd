/* An experiment's sections with every type and unit, and files in a folder that goes away: for the tests of
 * the configuration. */
#pragma once

#include "sim/base/rng.h"
#include "sim/config/config.h"

typedef struct toy_machine {
    const char *name;
    double clock, width, rate, latency;
    int64_t workers, sram, mode;
    bool reuse;
} toy_machine;

typedef struct toy_quadtree {
    double fill;
} toy_quadtree;

typedef struct toy_fat_tree {
    fs_int_list widths;
    bool widths_given;
    int64_t dispatch;
} toy_fat_tree;

typedef struct toy_scene {
    const char *file;
    double up[3], matrix[16];
    fs_vec3_list points;
    bool up_given, matrix_given, points_given;
    int64_t cells;
} toy_scene;

typedef struct toy_workload {
    int64_t width, payload;
    double fov_y, position[3];
    bool position_given;
    const char *label;
} toy_workload;

typedef struct toy_run {
    int64_t seed, idle, offset;
    double threshold, gain, launch;
} toy_run;

/* machine (machines/), overlay (overlays/; quadtree, fat_tree), scene (scenes/), workload (kind foam), run.
 * workload.camera.width is required. */
enum { TOY_SECTIONS = 5 };
extern const fs_section toy_sections[TOY_SECTIONS];

/* Makes a fresh folder and goes there; end removes it with all its files. */
void toy_folder_begin(void);
void toy_folder_end(void);
/* The same as cmocka's set-up and tear-down of a group. */
int toy_enter(void **state);
int toy_leave(void **state);
/* Writes a file below the folder, making the folders on its way. */
void toy_file(const char *path, const char *text);
void toy_bytes(const char *path, const void *bytes, size_t count);

/* Loads x.yaml with configs/ beside it and up to four --set (the rest NULL). */
fs_config *toy_load(fs_arena *arena, const char *const sets[4], fs_error *err);
/* The same, which must be right; sets may be NULL. And with x.yaml's text. */
fs_config *toy_must_load(fs_arena *arena, const char *const sets[4]);
fs_config *toy_load_text(fs_arena *arena, const char *text);
/* Machines gc200 and bow, a scene, and parts beside the experiment e/x.yaml. */
void toy_parts(void);

/* resolved.yaml or the canonical text of a configuration; arena-owned. */
char *toy_written(fs_arena *arena, const fs_config *config, bool canonical);

/* Any finite double. */
double any_real(fs_rng *rng);
/* Equal bit by bit. */
void assert_real(double a, double b);
