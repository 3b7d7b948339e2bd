/* Discrete-event kernel: a C face on SystemC. kernel.cpp is the only file that includes SystemC.
 *
 * Time is an integer number of tile-clock cycles. A process is a C function that runs to completion each time
 * it is woken (an SC_METHOD); it never blocks. Wake-ups for the same process replace a later pending one,
 * never an earlier one (the rule of sc_event::notify).
 *
 * Order: processes woken for the same cycle run in ascending order of their id, whatever the order in which
 * they were notified. A wake-up with delay 0 runs in a later round of the same cycle, again in order of id.
 *
 * One simulation to a process: fs_kernel_create may be called once in the life of the process, a second call
 * fails with FS_RUN. Tests fork. Not thread-safe: call from the thread that runs the kernel.
 *
 *     fs_kernel *k = fs_kernel_create(&err);
 *     fs_process_id p = fs_kernel_process(k, "sequencer", step, self);
 *     fs_kernel_wake(k, p, 0);
 *     status = fs_kernel_run(k, &err);          // until no wake-up is pending or fs_kernel_stop
 */
#pragma once

#include "sim/base/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fs_kernel fs_kernel;
typedef uint32_t fs_process_id;
typedef void (*fs_process_fn)(void *self);

/* NULL with an error when there was a kernel before in this process. Owner: caller, fs_kernel_free. */
fs_kernel *fs_kernel_create(fs_error *err);
void fs_kernel_free(fs_kernel *kernel); /* NULL is allowed */

/* Registers a process before the run starts. `name` must be unique (a duplicate is an assertion failure,
 * never a silent renaming); copied. `fn(self)` is called at each wake-up; the kernel does not own self. */
fs_process_id fs_kernel_process(fs_kernel *kernel, const char *name, fs_process_fn fn, void *self);

/* Wakes `process` `delay` cycles from now. */
void fs_kernel_wake(fs_kernel *kernel, fs_process_id process, uint64_t delay);

/* Runs until nothing is pending or fs_kernel_stop was called. An exception inside SystemC comes back as
 * FS_RUN with its text; none crosses into C. */
fs_status fs_kernel_run(fs_kernel *kernel, fs_error *err);
void fs_kernel_stop(fs_kernel *kernel);          /* from within a process: ends the run after this round */
uint64_t fs_kernel_now(const fs_kernel *kernel); /* cycles since the start */
uint64_t
fs_kernel_activations(const fs_kernel *kernel); /* processes run so far: a measure of simulation cost */

#ifdef __cplusplus
}
#endif
