/* Files of STORE.cluster, which several hosts read and write. */
#include "sim/base/alloc.h"
#include "sim/cluster/private.h"
#include "sim/host/file.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAST_BYTES = 2048 };

int64_t fs_cluster_bytes(const char *format, ...) {
    char path[PATH_MAX];
    struct stat s;
    int length;
    FS_VARIADIC(args, format, length = vsnprintf(path, sizeof path, format, args));
    return length < PATH_MAX && stat(path, &s) == 0 ? (int64_t)s.st_size : -1;
}

fs_status fs_cluster_remove(const char *folder, fs_error *err) {
    const int failed = fs_dir_remove(folder);
    return failed == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot be removed: %s", folder, strerror(failed));
}

fs_status fs_cluster_write_json(const char *path, const json_t *root, fs_error *err) {
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (text == NULL)
        fs_no_memory();
    fs_status status = fs_file_write(path, text, strlen(text), FS_DURABLE, err);
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

int fs_cluster_lock(fs_arena *arena, const char *store, bool sent, fs_error *err) {
    const char *folder = fs_cluster_folder(arena, store);
    if (!fs_store_is(store))
        fs_fail(err, FS_INPUT, "%s: is no store of sweeps", store);
    else if (sent && fs_cluster_bytes("%s", folder) < 0)
        fs_fail(err, FS_INPUT, "%s: has nothing on a cluster: no folder %s", store, folder);
    if (err->status || fs_dir_make(folder, err))
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
