/* Folders: the names in them; removed with all that is in them, links themselves and not what they point to. */
#include "sim/host/file.h"

#include "sim/base/arith.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Removes `name` in the directory `parent`. */
static int remove_at(int parent, const char *name) {
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return 0;
    int reason = errno; /* EISDIR here, EPERM elsewhere, for a folder */
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOTDIR || errno == ELOOP ? reason : errno;
    int failed = fs_dir_clear(fd, NULL);
    close(fd);
    if (failed == 0 && unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno != ENOENT)
        failed = errno;
    return failed;
}

/* A stream of its own over the open folder. NULL: errno says why. */
static DIR *list(int fd) {
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* closedir takes it along */
    DIR *directory = own < 0 ? NULL : fdopendir(own);
    if (directory == NULL && own >= 0) {
        int reason = errno;
        close(own);
        errno = reason;
    }
    return directory;
}

static bool is_inside(const char *name) {
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

int fs_dir_clear(int fd, const char *but) {
    DIR *directory = list(fd);
    if (directory == NULL)
        return errno;
    int failed = 0;
    for (struct dirent *entry; failed == 0 && (entry = readdir(directory)) != NULL;)
        if (is_inside(entry->d_name) && (but == NULL || strcmp(entry->d_name, but) != 0))
            failed = remove_at(fd, entry->d_name);
    closedir(directory);
    return failed;
}

int fs_dir_is_empty(int fd, bool *empty) {
    DIR *directory = list(fd);
    if (directory == NULL)
        return errno;
    *empty = true;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        *empty = *empty && !is_inside(entry->d_name);
    closedir(directory);
    return 0;
}

const char *const *fs_dir_names(fs_arena *arena, const char *path) {
    DIR *directory = opendir(path);
    if (directory == NULL)
        return NULL;
    const char **names = NULL;
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.') {
            names = fs_arena_grow(arena, names, count, sizeof *names);
            names[count++] = fs_arena_strdup(arena, entry->d_name);
        }
    closedir(directory);
    names = fs_arena_grow(arena, names, count, sizeof *names);
    names[count] = NULL;
    qsort(names, count, sizeof *names, fs_by_text);
    return names;
}

int fs_dir_remove(const char *path) {
    return remove_at(AT_FDCWD, path);
}
