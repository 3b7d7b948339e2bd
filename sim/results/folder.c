/* The run folder: written beside its name under a lock, recovered, moved into place as a whole. */
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/digest.h"
#include "sim/base/version.h"
#include "sim/results/private.h"
#include "sim/results/results.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".partial", note[] = "foamsim"; /* the latter of every manifest */

typedef struct entry {
    const char *name; /* first, for fs_by_text */
    FILE *file;       /* while it is open */
    json_t *columns, *units;
    long long bytes;
    char sha256[FS_DIGEST_HEX];
} entry;

struct fs_results {
    fs_arena *arena;
    const char *dir, *partial, *aside; /* DIR, DIR.partial, DIR.old.partial */
    bool force;
    int fd; /* the partial folder, under a lock that dies with the process */
    entry *entries;
    size_t count;
    json_t *notes;
};

static void results_free(fs_results *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->entries[i].file != NULL)
            fclose(r->entries[i].file);
        json_decref(r->entries[i].columns);
        json_decref(r->entries[i].units);
    }
    if (r->fd >= 0)
        close(r->fd);
    json_decref(r->notes);
    free(r->entries);
    fs_arena_free(r->arena);
    free(r);
}

static int open_folder(const char *path) {
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Whether foamsim wrote the open folder: its manifest says with which version. Programs of all kinds leave a
 * manifest.json. */
static bool is_run_folder(int fd) {
    enum { MOST_BYTES = 1 << 26 };
    int opened = openat(fd, "manifest.json", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    bool readable =
        opened >= 0 && fstat(opened, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MOST_BYTES;
    FILE *file = readable ? fdopen(opened, "r") : NULL; /* json_loadfd reads byte by byte */
    json_t *manifest = file != NULL ? json_loadf(file, 0, NULL) : NULL;
    bool ours =
        json_is_string(json_object_get(manifest, note)) && json_is_array(json_object_get(manifest, "files"));
    json_decref(manifest);
    if (file != NULL)
        fclose(file);
    else if (opened >= 0)
        close(opened);
    return ours;
}

/* Whether `dir` may become a run folder's name: free, or a run folder or empty folder to be replaced. */
static fs_status check_target(const char *dir, bool force, fs_error *err) {
    struct stat info;
    if (lstat(dir, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR ? FS_OK
                                                   : fs_fail(err, FS_IO, "%s: %s", dir, strerror(errno));
    if (!force)
        return fs_fail(err, FS_INPUT,
                       "%s exists already: choose another folder with --output, or replace it with --force",
                       dir);
    int fd = open_folder(dir);
    if (fd < 0)
        return fs_fail(err, FS_INPUT, "%s is not a folder that --force can replace", dir);
    bool empty = false;
    int failed = fs_dir_is_empty(fd, &empty);
    if (failed == 0 && !empty && !is_run_folder(fd))
        fs_fail(
            err, FS_INPUT,
            "%s is not a run folder (its manifest.json is none of foamsim's), so --force does not replace it",
            dir);
    close(fd);
    return failed == 0 ? err->status : fs_fail(err, FS_IO, "%s: cannot be read: %s", dir, strerror(failed));
}

/* ---- folders in the making ---- */

/* A folder that this program empties or removes holds a file of this name. Anybody may have called a folder
 * DIR.partial; without the mark it is nobody's but theirs. */
static const char mark[] = ".foamsim-partial";

static bool is_marked(int fd) {
    struct stat info;
    return fstatat(fd, mark, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode);
}

/* 0 or errno. */
static int set_mark(int fd) {
    int file = openat(fd, mark, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

/* Makes the folder of `fd` a marked one that is empty otherwise; one that holds anything without being
 * marked is refused. */
static fs_status own(const char *path, int fd, fs_error *err) {
    bool empty = false;
    int failed = is_marked(fd) ? 0 : fs_dir_is_empty(fd, &empty);
    if (failed == 0 && !empty && !is_marked(fd))
        return fs_fail(err, FS_INPUT,
                       "%s exists and was not left by a run (it has no %s): move it away, or choose another "
                       "folder with --output",
                       path, mark);
    if (failed == 0)
        failed = set_mark(fd);
    if (failed == 0)
        failed = fs_dir_clear(fd, mark);
    return failed == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot empty: %s", path, strerror(failed));
}

/* Removes a marked folder, the mark last, so that a kill on the way leaves a marked one. 0 or errno. */
static int remove_marked(const char *path, int fd) {
    int failed = fs_dir_clear(fd, mark);
    if (failed == 0 && unlinkat(fd, mark, 0) != 0 && errno != ENOENT)
        failed = errno;
    if (failed == 0 && rmdir(path) != 0 && errno != ENOENT)
        failed = errno;
    return failed;
}

/* Opens and locks the partial folder. Another run may rename or remove it between our open and our lock, so
 * the locked one has to be the one that still has the name. */
static fs_status lock_partial(fs_results *r, fs_error *err) {
    for (;;) {
        if (mkdir(r->partial, 0777) != 0 && errno != EEXIST)
            return fs_fail(err, FS_IO, "%s: cannot make the folder: %s", r->partial, strerror(errno));
        r->fd = open_folder(r->partial);
        if (r->fd < 0 && errno == ENOENT)
            continue;
        if (r->fd < 0) {
            int reason = errno;
            rmdir(
                r->partial); /* a umask may make folders that nobody enters; one that holds anything stays */
            return fs_fail(err, FS_IO, "%s: cannot open the folder: %s", r->partial, strerror(reason));
        }
        if (flock(r->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return fs_fail(err, FS_INPUT,
                           "%s is being written by another run: choose another folder with --output", r->dir);
        struct stat held, named;
        if (fstat(r->fd, &held) == 0 && lstat(r->partial, &named) == 0 && held.st_dev == named.st_dev &&
            held.st_ino == named.st_ino)
            return FS_OK;
        close(r->fd);
        r->fd = -1;
    }
}

/* A folder that a killed run had put aside comes back unless its successor is in place; then it goes. One
 * that no run put there stays where it is, and is in the way of --force only. */
static fs_status take_back(fs_results *r, fs_error *err) {
    struct stat info;
    bool replaced = lstat(r->dir, &info) == 0;
    int fd = open_folder(r->aside), failed = 0;
    if (fd < 0 && errno == ENOENT)
        return FS_OK;
    bool ours = fd >= 0 && is_marked(fd), empty = false;
    if (ours && replaced)
        failed = remove_marked(r->aside, fd);
    else if (ours && (rename(r->aside, r->dir) != 0 || (unlinkat(fd, mark, 0) != 0 && errno != ENOENT)))
        failed = errno;
    else if (!ours && fd >= 0)
        failed = fs_dir_is_empty(fd, &empty);
    if (fd >= 0)
        close(fd);
    if (failed != 0)
        return fs_fail(err, FS_IO, "%s: cannot remove: %s", r->aside, strerror(failed));
    if (!ours && !empty && r->force && replaced)
        return fs_fail(
            err, FS_INPUT,
            "%s exists and was not left by a run (it has no %s): --force needs the name; move it away",
            r->aside, mark);
    return FS_OK;
}

/* Undoes what a killed run left. */
static fs_status recover(fs_results *r, fs_error *err) {
    return take_back(r, err) ? err->status : own(r->partial, r->fd, err);
}

/* The partial folder goes, unless what is in it is not ours. */
void fs_results_discard(fs_results *r) {
    if (r != NULL && is_marked(r->fd))
        remove_marked(r->partial, r->fd);
    else if (r != NULL)
        rmdir(r->partial); /* one that holds anything stays */
    if (r != NULL)
        results_free(r);
}

fs_results *fs_results_open(const char *dir, bool force, fs_error *err) {
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    const char *name = dir + length;
    while (name > dir && name[-1] != '/')
        name--;
    size_t name_length = (size_t)(dir + length - name);
    if (name_length == 0 || strncmp(name, "..", name_length) == 0)
        return FS_FAIL_NULL(err, FS_INPUT, "\"%s\" does not name a folder for the results", dir);
    if (length >= strlen(suffix) && strncmp(dir + length - strlen(suffix), suffix, strlen(suffix)) == 0)
        return FS_FAIL_NULL(err, FS_INPUT,
                            "%s: a name that ends in %s is that of a folder in the making; choose another",
                            dir, suffix);
    fs_results *r = fs_calloc(1, sizeof *r);
    r->fd = -1;
    r->force = force;
    r->arena = fs_arena_create();
    r->dir = fs_arena_printf(r->arena, "%.*s", (int)length, dir);
    r->partial = fs_arena_printf(r->arena, "%s%s", r->dir, suffix);
    r->aside = fs_arena_printf(r->arena, "%s.old.partial", r->dir);
    r->notes = json_object();
    fs_results_note(r, note, FS_VERSION);
    if (check_target(r->dir, force, err) || fs_dir_make_above(r->partial, err) || lock_partial(r, err)) {
        results_free(r);
        return NULL;
    }
    if (recover(r, err) || check_target(r->dir, force, err)) {
        fs_results_discard(r);
        return NULL;
    }
    return r;
}

const char *fs_results_path(fs_results *r, const char *name) {
    return fs_arena_printf(r->arena, "%s/%s", r->partial, name);
}

void fs_results_note(fs_results *r, const char *key, const char *text) {
    json_object_set_new(r->notes, key, json_string(text));
}

static bool listed(const fs_results *r, const char *name) {
    return FS_HAS(r->entries, r->count, name, name);
}

static entry *add_entry(fs_results *r, const char *name) {
    FS_ASSERT(!listed(r, name), "%s is written twice", name);
    r->entries = fs_grow(r->entries, r->count, sizeof *r->entries);
    entry *e = &r->entries[r->count++];
    *e = (entry){.name = fs_arena_strdup(r->arena, name)};
    return e;
}

static json_t *text_array(const char *const *texts, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_string(texts[i]));
    return array;
}

FILE *fs_results_create(fs_results *r, const char *name, const char *const *columns, const char *const *units,
                        size_t count, fs_error *err) {
    FILE *file = fs_file_open(fs_results_path(r, name), err);
    if (file == NULL)
        return NULL;
    entry *e = add_entry(r, name);
    e->file = file;
    if (columns == NULL)
        return file;
    e->columns = text_array(columns, count);
    e->units = text_array(units, count);
    if (fs_path_ends(name, ".csv")) {
        for (size_t i = 0; i < count; i++)
            fprintf(file, "%s%s", i > 0 ? "," : "", columns[i]);
        fputc('\n', file);
    }
    return file;
}

static fs_status take_digest(fs_results *r, entry *e, fs_error *err) {
    const char *path = fs_results_path(r, e->name);
    struct stat info;
    if (stat(path, &info) != 0)
        return fs_fail(err, FS_IO, "%s: %s", path, strerror(errno));
    e->bytes = (long long)info.st_size;
    return fs_digest_file(path, e->sha256, err);
}

fs_status fs_results_close(fs_results *r, FILE *file, fs_error *err) {
    entry *e = r->entries;
    while (e < r->entries + r->count && e->file != file)
        e++;
    FS_ASSERT(file != NULL && e < r->entries + r->count, "a file is closed that is not open");
    e->file = NULL;
    fs_status status = fs_file_close(file, fs_results_path(r, e->name), err);
    return status ? status : take_digest(r, e, err);
}

fs_status fs_results_remove(fs_results *r, const char *name, fs_error *err) {
    const char *path = fs_results_path(r, name);
    int failed = fs_dir_remove(path);
    return failed == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot remove: %s", path, strerror(failed));
}

/* A run folder inside this one stands for itself by its manifest, which has the digests of all its files. */
static fs_status list_folder(fs_results *r, const char *name, fs_error *err) {
    const char *manifest = fs_arena_printf(r->arena, "%s/manifest.json", name);
    struct stat info;
    return lstat(fs_results_path(r, manifest), &info) == 0 && S_ISREG(info.st_mode)
               ? take_digest(r, add_entry(r, manifest), err)
               : FS_OK;
}

/* Files of writers that asked for a path only, and run folders. */
static fs_status list_others(fs_results *r, fs_error *err) {
    const char *const *name = fs_dir_names(r->arena, r->partial);
    if (name == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", r->partial, strerror(errno));
    for (struct stat info; err->status == FS_OK && *name != NULL; name++) {
        if (listed(r, *name) || lstat(fs_results_path(r, *name), &info) != 0)
            continue;
        if (S_ISREG(info.st_mode))
            take_digest(r, add_entry(r, *name), err);
        else if (S_ISDIR(info.st_mode))
            list_folder(r, *name, err);
    }
    return err->status;
}

/* They tell where each value came from, which may differ between runs of one configuration. */
static bool tells_origins(const char *name) {
    return strcmp(name, "resolved.yaml") == 0 || strcmp(name, "parameters.csv") == 0;
}

static fs_status write_manifest(fs_results *r, fs_error *err) {
    if (list_others(r, err))
        return err->status;
    if (r->count > 0)
        qsort(r->entries, r->count, sizeof *r->entries, fs_by_text);
    json_t *root = json_deep_copy(r->notes), *files = json_array();
    json_object_set_new(root, "files", files);
    for (size_t i = 0; i < r->count; i++) {
        const entry *e = &r->entries[i];
        FS_ASSERT(e->file == NULL, "%s is still open at commit", e->name);
        if (strcmp(e->name, "host.json") == 0)
            continue;
        json_t *item = json_object();
        json_object_set_new(item, "file", json_string(e->name));
        if (!tells_origins(e->name)) {
            json_object_set_new(item, "bytes", json_integer(e->bytes));
            json_object_set_new(item, "sha256", json_string(e->sha256));
        }
        if (e->columns != NULL) {
            json_object_set(item, "columns", e->columns);
            json_object_set(item, "units", e->units);
        }
        json_array_append_new(files, item);
    }
    const char *path = fs_results_path(r, "manifest.json");
    FILE *file = fs_file_open(path, err);
    if (file != NULL)
        fs_json_write(root, file);
    json_decref(root);
    return file == NULL || fs_file_close(file, path, err) ? FS_IO : fs_file_sync(path, err);
}

/* Renames DIR, a run folder or an empty one, to DIR.old.partial, marked before, so that the next run knows
 * it after a kill. */
static fs_status put_aside(fs_results *r, fs_error *err) {
    int fd = open_folder(r->dir);
    if (fd < 0 && errno == ENOENT)
        return FS_OK;
    int failed = fd < 0 ? errno : set_mark(fd);
    if (failed == 0 && rename(r->dir, r->aside) != 0) {
        failed = errno;
        unlinkat(fd, mark, 0);
    }
    if (fd >= 0)
        close(fd);
    return failed == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot be replaced: %s", r->dir, strerror(failed));
}

/* From here on DIR is whole or, between the two renames of a replacement, not there. */
static fs_status move_into_place(fs_results *r, fs_error *err) {
    if (check_target(r->dir, r->force, err) ||
        (r->force && put_aside(r, err))) /* again: hours may lie between */
        return err->status;
    if (rename(r->partial, r->dir) != 0) {
        fs_fail(err, FS_IO, "%s: cannot rename to %s: %s", r->partial, r->dir, strerror(errno));
        fs_error ignored = {0};
        take_back(r, &ignored);
        return FS_IO;
    }
    unlinkat(r->fd, mark, 0);
    fs_dir_sync_above(r->dir);
    if (r->force) { /* what resists is harmless, and the next run tries again */
        fs_error ignored = {0};
        take_back(r, &ignored);
    }
    return FS_OK;
}

/* All files together: the host's file system has begun with the first ones while the last were written, and
 * has to commit less often. */
static fs_status sync_files(fs_results *r, fs_error *err) {
    for (size_t i = 0; i < r->count; i++)
        if (fs_file_sync(fs_results_path(r, r->entries[i].name), err))
            return err->status;
    fsync(r->fd);
    return FS_OK;
}

fs_status fs_results_commit(fs_results *r, fs_error *err) {
    if (write_manifest(r, err) || sync_files(r, err) || move_into_place(r, err))
        fs_results_discard(r);
    else
        results_free(r);
    return err->status;
}
