/* The kernel of a process that has none: the library for C prices, and runs are processes of the program. Linked in the place of
 * kernel.cpp, so that whoever loads the library loads no SystemC, whose state belongs to a whole process. */
#include "sim/kernel/kernel.h"

fs_kernel *fs_kernel_create(fs_error *err) {
    return FS_FAIL_NULL(err, FS_RUN, "the library has no event kernel: a simulation of events is a run");
}

void fs_kernel_free(fs_kernel *kernel) {
    (void)kernel;
}

fs_process_id fs_kernel_process(fs_kernel *kernel, const char *name, fs_process_fn fn, void *self) {
    (void)kernel;
    (void)name;
    (void)fn;
    (void)self;
    return 0;
}

void fs_kernel_wake(fs_kernel *kernel, fs_process_id process, uint64_t delay) {
    (void)kernel;
    (void)process;
    (void)delay;
}

fs_status fs_kernel_run(fs_kernel *kernel, fs_error *err) {
    (void)kernel;
    return fs_fail(err, FS_RUN, "the library has no event kernel");
}

void fs_kernel_stop(fs_kernel *kernel) {
    (void)kernel;
}

uint64_t fs_kernel_now(const fs_kernel *kernel) {
    (void)kernel;
    return 0;
}

uint64_t fs_kernel_activations(const fs_kernel *kernel) {
    (void)kernel;
    return 0;
}
