#define _GNU_SOURCE /* realpath, flock */

/* Folders for as long as a process lives. */
#include "sim/host/scratch.h"

#include "sim/host/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char beginning[] = "foamsim-scratch-"; /* of their names */

/* Whether the open folder is ours and nobody's lock is on it; then it is ours. */
static bool lock(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && info.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/* `place`: without links. */
static void remove_left_ones(fs_arena *arena, const char *place) {
    DIR *all = opendir(place);
    for (struct dirent *e; all != NULL && (e = readdir(all)) != NULL;) {
        if (strncmp(e->d_name, beginning, sizeof beginning - 1) != 0)
            continue;
        const int fd = openat(dirfd(all), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && lock(fd))
            fs_dir_remove(fs_arena_printf(arena, "%s/%s", place, e->d_name));
        if (fd >= 0)
            close(fd);
    }
    if (all != NULL)
        closedir(all);
}

fs_status fs_scratch_make(fs_arena *arena, fs_scratch *out, fs_error *err) {
    enum { MOST_TRIES = 10 };
    const char *place = getenv("TMPDIR");
    char *real = realpath(place != NULL && place[0] != '\0' ? place : "/tmp", NULL);
    *out = (fs_scratch){.fd = -1};
    if (real != NULL)
        remove_left_ones(arena, real);
    for (int n = 0; real != NULL && out->path == NULL && n < MOST_TRIES; n++) {
        char *path = fs_arena_printf(arena, "%s/%sXXXXXX", real, beginning);
        struct stat named, held;
        if (mkdtemp(path) == NULL)
            break;
        out->fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        /* another process may have removed it between our two calls; a host without locks removes none */
        if (out->fd >= 0 && (lock(out->fd) || errno != EWOULDBLOCK) && stat(path, &named) == 0 &&
            fstat(out->fd, &held) == 0 && named.st_ino == held.st_ino)
            out->path = path;
        else if (out->fd >= 0)
            close(out->fd);
    }
    free(real);
    return out->path != NULL ? FS_OK
                             : fs_fail(err, FS_IO, "%s: no folder can be made in it: %s",
                                       place != NULL && place[0] != '\0' ? place : "/tmp", strerror(errno));
}

void fs_scratch_remove(fs_scratch *s) {
    if (s->path == NULL)
        return;
    fs_dir_remove(s->path);
    close(s->fd);
    *s = (fs_scratch){.fd = -1};
}
