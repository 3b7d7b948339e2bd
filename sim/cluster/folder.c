#define _XOPEN_SOURCE 700 /* nftw */

/* Files of STORE.cluster, which several hosts read and write. */
#include "sim/base/alloc.h"
#include "sim/cluster/private.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAST_BYTES = 2048 };

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

int fs_cluster_lock(fs_arena *arena, const char *store, fs_error *err) {
    const char *folder = fs_cluster_folder(arena, store);
    if (fs_dir_make(folder, err))
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
