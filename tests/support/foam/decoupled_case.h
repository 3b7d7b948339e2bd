/* A small frame on any overlay, run decoupled, and under barriers with the same machine. */
#pragma once

#include "tests/support/foam/foam_case.h"
#include "workloads/foam/books/books.h"
#include "workloads/foam/kernels/decoupled/decoupled.h"
#include "workloads/foam/kernels/programs.h"

typedef struct fs_decoupled_case {
    fs_case c;
    fs_kernel_params kernels;
    fs_transfer *transfers;
    fs_device_programs programs;
} fs_decoupled_case;

/* The case, a dynamic exchange, slices of 10,000 cycles. Machine and kernels may be changed before a run; one
 * run to a case. */
void fs_decoupled_case_make(fs_decoupled_case *d, const fs_case_spec *spec);
void fs_decoupled_case_free(fs_decoupled_case *d);

/* What the slices of a run said, summed up. */
typedef struct fs_slice_sums {
    uint64_t slices, cycles, generated, finished, rays, end; /* end: of the last one, host included */
    bool contiguous;
} fs_slice_sums;

/* Runs decoupled; once in a process. On success every ray has ended and all figures are in *out. */
fs_status fs_decoupled_case_run(fs_decoupled_case *d, fs_slice_sums *sums, fs_foam_figures *out,
                                fs_error *err);

/* One ray (a picture of one pixel) under barriers, tile by tile: cycles of its calls, messages and latencies
 * one after the other, and what barriers and supervisor programs add to that until its pixel is written. */
typedef struct fs_lone_ray {
    uint64_t service, barriers;
} fs_lone_ray;
fs_status fs_decoupled_case_lone_ray(fs_decoupled_case *d, fs_lone_ray *out, fs_error *err);

/* Cycles of the same run under barriers with a dynamic exchange, without the host; once in a process. */
fs_status fs_decoupled_case_bsp(fs_decoupled_case *d, uint64_t *cycles, fs_error *err);
