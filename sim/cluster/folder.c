#define _XOPEN_SOURCE 700 /* nftw */

/* Files of STORE.cluster, which several hosts read and write. */
#include "sim/cluster/private.h"
#include "sim/config/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAST_BYTES = 2048, HOST_BYTES = 65 };

fs_status fs_cluster_mkdir(const char *path, fs_error *err) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fs_fail(err, FS_IO, "%s: cannot make the folder: %s", path, strerror(errno));
    return FS_OK;
}

bool fs_cluster_there(const char *path) {
    struct stat s;
    return stat(path, &s) == 0;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where) {
    (void)s;
    (void)kind;
    (void)where;
    return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

fs_status fs_cluster_remove(const char *folder, fs_error *err) {
    enum { OPEN_FOLDERS = 16 };
    if (!fs_cluster_there(folder) || nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0)
        return FS_OK;
    return fs_fail(err, FS_IO, "%s: cannot be removed: %s", folder, strerror(errno));
}

static int write_all(int fd, const char *text, size_t bytes) {
    while (bytes > 0) {
        ssize_t n = write(fd, text, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        text += n;
        bytes -= (size_t)n;
    }
    return fsync(fd) == 0 ? 0 : errno;
}

/* The rename itself is durable after this; not every file system can. */
static void sync_folder_of(fs_arena *arena, const char *path) {
    int fd = open(fs_path_dir(arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

fs_status fs_cluster_write(const char *path, const char *text, size_t bytes, fs_error *err) {
    char host[HOST_BYTES] = "";
    (void)gethostname(host, sizeof host - 1);
    fs_arena *arena = fs_arena_create();
    const char *other = fs_arena_printf(arena, "%s.%s.%ld.partial", path, host, (long)getpid());
    int fd = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), why = fd < 0 ? errno : 0;
    if (fd >= 0) {
        why = write_all(fd, text, bytes);
        if (close(fd) != 0 && why == 0)
            why = errno;
        if (why == 0 && rename(other, path) != 0)
            why = errno;
        if (why != 0)
            unlink(other);
        else
            sync_folder_of(arena, path);
    }
    fs_arena_free(arena);
    return why == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(why));
}

fs_status fs_cluster_write_json(const char *path, const json_t *root, fs_error *err) {
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    FS_ASSERT(text != NULL, "the host has no memory left");
    fs_status status = fs_cluster_write(path, text, strlen(text), err);
    free(text);
    return status;
}

json_t *fs_cluster_read_json(const char *path, fs_error *err) {
    json_error_t what;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &what);
    if (root == NULL)
        fs_fail(err, FS_IO, "%s: cannot be read: %s", path, what.text);
    return root;
}

const char *fs_cluster_last_words(fs_arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return "";
    char text[LAST_BYTES + 1];
    if (fseek(file, -LAST_BYTES, SEEK_END) != 0)
        rewind(file);
    size_t n = fread(text, 1, LAST_BYTES, file);
    fclose(file);
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' '))
        n--;
    text[n] = '\0';
    const char *line = strrchr(text, '\n');
    return fs_arena_strdup(arena, line == NULL ? text : line + 1);
}

const char *fs_cluster_folder(fs_arena *arena, const char *store) {
    return fs_arena_printf(arena, "%s.cluster", fs_path_absolute(arena, "", store));
}

int fs_cluster_lock(fs_arena *arena, const char *store, fs_error *err) {
    const char *folder = fs_cluster_folder(arena, store);
    if (fs_cluster_mkdir(folder, err))
        return -1;
    const char *path = fs_arena_printf(arena, "%s/lock", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), got = -1;
    while (fd >= 0 && (got = flock(fd, LOCK_EX)) != 0 && errno == EINTR) {
    }
    if (fd < 0 || got != 0) {
        fs_fail(err, FS_IO, "%s: cannot be locked: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}
