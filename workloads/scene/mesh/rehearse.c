/* A try in a process of its own, for a library that may end its process at a file that it did not expect. */
#include "sim/host/process.h"
#include "workloads/scene/mesh/files_private.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BYTES_OF_A_BYTE = 64 }; /* of memory, for one of the file */
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

typedef struct rehearsal {
    const fs_mesh_patience *patience;
    fs_mesh_try try;
    void *self;
    size_t bytes; /* of the file */
} rehearsal;

/* What the library says is not heard. */
static void rehearse(void *self) {
    const rehearsal *r = self;
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)r->patience->computing);
    if (!SANITIZED)
        limit(RLIMIT_DATA, least_bytes + BYTES_OF_A_BYTE * (rlim_t)r->bytes);
    r->try(r->self);
}

fs_status fs_mesh_rehearse(const char *path, size_t bytes, const fs_mesh_patience *patience, fs_mesh_try try,
                           void *self, fs_error *err) {
    rehearsal r = {patience, try, self, bytes};
    fs_process_end end;
    if (fs_process_aside(path, rehearse, &r, patience->waiting, &end, err) || end.status == 0)
        return err->status;
    if (end.out_of_time)
        return fs_fail(err, FS_INPUT, "%s: assimp cannot read it: it is not done after %.0f s", path,
                       patience->waiting);
    return fs_fail(err, FS_INPUT, "%s: assimp cannot read it: it ends at this file (%s %d)", path,
                   end.signal > 0 ? "signal" : "status", end.signal > 0 ? end.signal : end.status);
}
