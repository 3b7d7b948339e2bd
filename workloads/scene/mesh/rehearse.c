/* A try in a process of its own, for a library that may end its process at a file that it did not expect. */
#include "sim/base/host.h"
#include "sim/host/signals.h"
#include "workloads/scene/mesh/files_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    BYTES_OF_A_BYTE = 64, /* of memory, for one of the file */
    LOOK_NANOSECONDS = 2000000,
};
/* AddressSanitizer's own memory is beyond any limit. gcc and clang say it each in their way. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif
static const rlim_t least_bytes = (rlim_t)2 << 30;
const fs_mesh_patience fs_mesh_patience_usual = {.computing = 120, .waiting = 900};

static void limit(int what, rlim_t most) {
    const struct rlimit bound = {most, most};
    if (setrlimit(what, &bound) != 0)
        _exit(1);
}

/* No signal that this program catches reaches it, what the library says is not heard, and it ends with its
 * parent. */
static _Noreturn void rehearse(const fs_mesh_patience *patience, fs_mesh_try try, void *self, size_t bytes,
                               pid_t parent) {
    static const int ends[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU};
    sigset_t caught;
    sigfillset(&caught);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        signal(ends[i], SIG_DFL);
        sigdelset(&caught, ends[i]);
    }
    sigprocmask(SIG_BLOCK, &caught, NULL);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)patience->computing);
    if (!SANITIZED)
        limit(RLIMIT_DATA, least_bytes + BYTES_OF_A_BYTE * (rlim_t)bytes);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(1);
    try(self);
    _exit(0);
}

fs_status fs_mesh_rehearse(const char *path, size_t bytes, const fs_mesh_patience *patience, fs_mesh_try try,
                           void *self, fs_error *err) {
    const struct timespec nap = {.tv_nsec = LOOK_NANOSECONDS};
    const pid_t parent = getpid();
    const double begin = fs_host_wall_seconds();
    int how = 0;
    fflush(NULL); /* nothing that is buffered may be written twice */
    const pid_t worker = fork();
    if (worker == 0)
        rehearse(patience, try, self, bytes, parent);
    if (worker < 0)
        return fs_fail(err, FS_RUN, "%s: cannot be tried: the host has no process left", path);
    bool stopped = false, late = false;
    for (pid_t ended = waitpid(worker, &how, WNOHANG); ended != worker;
         ended = waitpid(worker, &how, WNOHANG)) {
        if (ended < 0 && errno != EINTR)
            return fs_fail(err, FS_RUN, "%s: cannot be tried: no process came back", path);
        if (fs_interrupted() && !stopped)
            stopped = kill(worker, SIGKILL) == 0;
        else if (fs_host_wall_seconds() - begin > patience->waiting &&
                 !late) /* it may wait, and compute nothing */
            late = kill(worker, SIGKILL) == 0;
        nanosleep(&nap, NULL);
    }
    if (stopped)
        return fs_fail(err, FS_RUN, "interrupted");
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return FS_OK;
    if (late)
        return fs_fail(err, FS_INPUT, "%s: assimp cannot read it: it is not done after %.0f s", path,
                       patience->waiting);
    return fs_fail(err, FS_INPUT, "%s: assimp cannot read it: it ends at this file (%s %d)", path,
                   WIFSIGNALED(how) ? "signal" : "status",
                   WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
}
