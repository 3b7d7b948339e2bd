#include "sim/base/alloc.h"
#include "sim/results/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Removes `name` in the directory `parent`. */
static int remove_at(int parent, const char *name) {
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return 0;
    int reason = errno; /* EISDIR here, EPERM elsewhere, for a folder */
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOTDIR || errno == ELOOP ? reason : errno;
    int failed = fs_tree_clear(fd);
    close(fd);
    if (failed == 0 && unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno != ENOENT)
        failed = errno;
    return failed;
}

int fs_tree_clear(int fd) {
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* closedir takes it along */
    DIR *directory = own < 0 ? NULL : fdopendir(own);
    if (directory == NULL) {
        int reason = errno;
        if (own >= 0)
            close(own);
        return reason;
    }
    int failed = 0;
    for (struct dirent *entry; failed == 0 && (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            failed = remove_at(fd, entry->d_name);
    closedir(directory);
    return failed;
}

int fs_tree_remove(const char *path) {
    return remove_at(AT_FDCWD, path);
}

fs_status fs_tree_make_parents(const char *path, fs_error *err) {
    char *prefix = fs_strdup(path);
    for (char *slash = strchr(prefix + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        struct stat info;
        if (mkdir(prefix, 0777) != 0 &&
            !(errno == EEXIST && stat(prefix, &info) == 0 && S_ISDIR(info.st_mode))) {
            fs_fail(err, FS_IO, "%s: cannot make the folder: %s", prefix,
                    errno == EEXIST ? "a file of that name exists" : strerror(errno));
            free(prefix);
            return FS_IO;
        }
        *slash = '/';
    }
    free(prefix);
    return FS_OK;
}

void fs_tree_sync_parent(const char *path) {
    char *parent = fs_strdup(path);
    char *slash = strrchr(parent, '/');
    if (slash == NULL)
        strcpy(parent, "."); /* path has at least one character */
    else
        slash[slash == parent] = '\0';
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(parent);
}
