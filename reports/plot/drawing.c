#define _DEFAULT_SOURCE /* realpath */
#include "reports/plot/drawing.h"

#include "reports/page/page_file.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"
#include "sim/host/places.h"
#include "sim/host/process.h"
#include "sim/host/voice.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct fs_drawing {
    fs_arena *arena;
    const char *target, *folder;
    int fd; /* the folder, under a lock that dies with the process */
};

static const char beginning[] = ".drawing-"; /* of the folders' names */

static int open_folder_at(int at, const char *name) {
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* ---- names in a folder ---- */

/* What is in the open folder, but for its two dots. */
static char **names_in(fs_arena *arena, int fd, size_t *count) {
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* closedir takes it along */
    DIR *dir = own < 0 ? NULL : fdopendir(own);
    char **names = NULL;
    *count = 0;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        names = fs_arena_grow(arena, names, *count, sizeof *names);
        names[(*count)++] = fs_arena_strdup(arena, e->d_name);
    }
    if (dir != NULL)
        closedir(dir);
    else if (own >= 0)
        close(own);
    return names;
}

/* Removes the files of a drawing, which has no folders, and the drawing itself. */
static void remove_drawing(fs_arena *arena, int parent, const char *name, int fd) {
    size_t count;
    char **names = names_in(arena, fd, &count);
    for (size_t i = 0; i < count; i++)
        unlinkat(fd, names[i], 0);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Drawings that killed processes left here: ours, and under nobody's lock. */
static void remove_left_ones(fs_arena *arena, const char *parent) {
    int above = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t count = 0;
    char **names = above < 0 ? NULL : names_in(arena, above, &count);
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        if (strncmp(names[i], beginning, sizeof beginning - 1) != 0)
            continue;
        int fd = open_folder_at(above, names[i]);
        if (fd < 0)
            continue;
        if (fstat(fd, &info) == 0 && info.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
            remove_drawing(arena, above, names[i], fd);
        close(fd);
    }
    if (above >= 0)
        close(above);
}

/* ---- opening ---- */

static const char *above(fs_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL   ? "."
           : slash == path ? "/"
                           : fs_arena_printf(arena, "%.*s", (int)(slash - path), path);
}

/* A folder that this user alone puts names into. */
static bool is_own(const char *folder) {
    struct stat info;
    return stat(folder, &info) == 0 && info.st_uid == geteuid() && access(folder, W_OK | X_OK) == 0;
}

const char *fs_drawing_beside(fs_arena *arena, const char *page) {
    const size_t n = strlen(page);
    const bool html = n > 5 && strcmp(page + n - 5, ".html") == 0;
    return fs_arena_printf(arena, "%.*s_pictures", (int)(html ? n - 5 : n), page);
}

fs_status fs_drawing_target(const char *target, fs_error *err) {
    struct stat info;
    if (lstat(target, &info) != 0 || S_ISDIR(info.st_mode))
        return FS_OK;
    return fs_fail(err, FS_INPUT, "%s is %s; pictures go to a folder of that name: move it away", target,
                   S_ISLNK(info.st_mode) ? "a link" : "a file");
}

static bool make_folder_in(fs_drawing *d, const char *parent) {
    char *path = realpath(parent, NULL);
    if (path == NULL)
        return false;
    char *name = fs_arena_printf(d->arena, "%s/%sXXXXXX", path, beginning);
    free(path);
    if (mkdtemp(name) == NULL)
        return false;
    d->folder = name;
    d->fd = open_folder_at(AT_FDCWD, name);
    return d->fd >= 0 && flock(d->fd, LOCK_EX | LOCK_NB) == 0;
}

static fs_status make_folder(fs_drawing *d, fs_error *err) {
    const char *parent = above(d->arena, d->target), *place = getenv("TMPDIR");
    fs_error ignored = {0};
    if (fs_dir_make(parent, &ignored) == FS_OK && is_own(parent)) {
        remove_left_ones(d->arena, parent);
        if (make_folder_in(d, parent))
            return FS_OK;
    }
    if (place == NULL || place[0] != '/')
        place = "/tmp";
    if (make_folder_in(d, place))
        return FS_OK;
    return fs_fail(err, FS_IO, "%s: no folder to draw in can be made: %s", place, strerror(errno));
}

/* ---- scripts ---- */

static bool is_script(const char *name) {
    size_t length = strlen(name);
    return length > 3 && name[0] != '.' && strcmp(name + length - 3, ".gp") == 0;
}

/* Copies the scripts of the folder `from` of reports/. */
static fs_status copy_scripts(const fs_drawing *d, const char *from, fs_error *err) {
    const char *dir = fs_arena_printf(d->arena, "%s/%s", fs_reports_dir(), from);
    DIR *scripts = opendir(dir);
    if (scripts == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", dir, strerror(errno));
    fs_status status = FS_OK;
    for (struct dirent *entry; status == FS_OK && (entry = readdir(scripts)) != NULL;) {
        size_t bytes = 0;
        if (!is_script(entry->d_name))
            continue;
        char *text = fs_page_read(fs_arena_printf(d->arena, "%s/%s", dir, entry->d_name), &bytes, err);
        status = text == NULL ? err->status
                              : fs_file_write(fs_arena_printf(d->arena, "%s/%s", d->folder, entry->d_name),
                                              text, bytes, FS_LIGHT, err);
        free(text);
    }
    closedir(scripts);
    return status;
}

fs_drawing *fs_drawing_open(const char *target, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_drawing *d = FS_NEW(arena, fs_drawing, 1);
    *d = (fs_drawing){.arena = arena, .target = fs_arena_strdup(arena, target), .fd = -1};
    if (fs_drawing_target(target, err) || make_folder(d, err) || copy_scripts(d, "plot", err)) {
        fs_drawing_close(d, false, err);
        return NULL;
    }
    return d;
}

const char *fs_drawing_folder(const fs_drawing *d) {
    return d->folder;
}

fs_status fs_drawing_run(fs_drawing *d, const char *const *names, size_t count, unsigned formats,
                         fs_error *err) {
    if (!fs_process_in_path("gnuplot"))
        return fs_fail(err, FS_INPUT, "gnuplot is not installed (Debian: gnuplot-nox); the plots need it");
    return fs_plot_draw(d->folder, names, count, formats, err);
}

/* ---- closing ---- */

/* Into another file system: written aside under a name of its own, then renamed. */
static int copy_at(int from, int to, const char *name) {
    char bytes[65536], aside[64];
    int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), reason = 0;
    snprintf(aside, sizeof aside, ".%ld.partial", (long)getpid());
    unlinkat(to, aside, 0);
    int out = in < 0 ? -1 : openat(to, aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    ssize_t got = out < 0 ? -1 : 0;
    while (out >= 0 && reason == 0 && (got = read(in, bytes, sizeof bytes)) > 0)
        for (ssize_t at = 0, put; at < got; at += put)
            if ((put = write(out, bytes + at, (size_t)(got - at))) < 0) {
                reason = errno;
                got = put = 0;
            }
    if (got < 0)
        reason = errno;
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && reason == 0)
        reason = errno;
    if (reason == 0 && renameat(to, aside, to, name) != 0)
        reason = errno;
    if (reason != 0)
        unlinkat(to, aside, 0);
    return reason;
}

static fs_status move_all(fs_drawing *d, fs_error *err) {
    if (fs_drawing_target(d->target, err))
        return err->status;
    if (mkdir(d->target, 0777) != 0 && errno != EEXIST) {
        fs_say("%s: the pictures are in the page only: %s", d->target, strerror(errno));
        return FS_OK;
    }
    int to = open_folder_at(AT_FDCWD, d->target), reason = to < 0 ? errno : 0;
    size_t count = 0;
    char **names = names_in(d->arena, d->fd, &count);
    for (size_t i = 0; i < count && reason == 0; i++)
        if (renameat(d->fd, names[i], to, names[i]) != 0)
            reason = errno == EXDEV ? copy_at(d->fd, to, names[i]) : errno;
    if (to >= 0)
        close(to);
    if (reason == EACCES || reason == EROFS || reason == EPERM) {
        fs_say("%s: the pictures are in the page only: %s", d->target, strerror(reason));
        return FS_OK;
    }
    return reason == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot write: %s", d->target, strerror(reason));
}

fs_status fs_drawing_close(fs_drawing *d, bool keep, fs_error *err) {
    if (d == NULL)
        return FS_OK;
    fs_status status = keep ? move_all(d, err) : FS_OK;
    if (d->fd >= 0) {
        remove_drawing(d->arena, AT_FDCWD, d->folder, d->fd);
        close(d->fd);
    }
    fs_arena_free(d->arena);
    return status;
}

fs_status fs_drawing_once(const char *target, const char *name,
                          fs_status (*write)(void *self, const char *folder, fs_error *err), void *self,
                          fs_error *err) {
    fs_drawing *d = fs_drawing_open(target, err);
    if (d == NULL)
        return err->status;
    fs_status status = write(self, d->folder, err);
    if (status == FS_OK)
        status = fs_drawing_run(d, &name, 1, FS_PLOT_PNG, err);
    fs_status closed = fs_drawing_close(d, status == FS_OK, err);
    return status ? status : closed;
}
