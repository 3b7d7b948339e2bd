#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/results/private.h"
#include "sim/results/results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
    char *name;
    FILE *file; /* while it is open */
    json_t *columns, *units;
    long long bytes;
    char sha256[FS_DIGEST_HEX];
} entry;

struct fs_results {
    char *dir, *partial, *aside; /* DIR, DIR.partial, DIR.old.partial */
    char *path;                  /* of fs_results_path */
    bool force;
    int fd; /* the partial folder, under a lock that dies with the process */
    entry *entries;
    size_t count, room;
    json_t *notes;
};

static char *joined(const char *a, const char *b, const char *c) {
    size_t bytes = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = fs_malloc(bytes);
    snprintf(text, bytes, "%s%s%s", a, b, c);
    return text;
}

static void results_free(fs_results *r) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->entries[i].file != NULL)
            fclose(r->entries[i].file);
        json_decref(r->entries[i].columns);
        json_decref(r->entries[i].units);
        free(r->entries[i].name);
    }
    if (r->fd >= 0)
        close(r->fd);
    json_decref(r->notes);
    free(r->entries);
    free(r->dir);
    free(r->partial);
    free(r->aside);
    free(r->path);
    free(r);
}

/* Whether `dir` may become a run folder's name: free, or a run folder or empty folder to be replaced. */
static fs_status check_target(const char *dir, bool force, fs_error *err) {
    struct stat info;
    if (lstat(dir, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR ? FS_OK
                                                   : fs_fail(err, FS_IO, "%s: %s", dir, strerror(errno));
    if (!force)
        return fs_fail(err, FS_INPUT,
                       "%s exists already: choose another folder with --out, or replace it with --force",
                       dir);
    DIR *directory = S_ISDIR(info.st_mode) ? opendir(dir) : NULL;
    if (directory == NULL)
        return fs_fail(err, FS_INPUT, "%s is not a folder that --force can replace", dir);
    bool empty = true, ours = false;
    for (struct dirent *e; (e = readdir(directory)) != NULL;) {
        empty = empty && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
        ours = ours || strcmp(e->d_name, "manifest.json") == 0;
    }
    closedir(directory);
    if (!empty && !ours)
        return fs_fail(err, FS_INPUT,
                       "%s is not a run folder (it has no manifest.json), so --force does not replace it",
                       dir);
    return FS_OK;
}

/* Opens and locks the partial folder. Another run may rename or remove it between our open and our lock, so
 * the locked one has to be the one that still has the name. */
static fs_status lock_partial(fs_results *r, fs_error *err) {
    for (;;) {
        if (mkdir(r->partial, 0777) != 0 && errno != EEXIST)
            return fs_fail(err, FS_IO, "%s: cannot make the folder: %s", r->partial, strerror(errno));
        r->fd = open(r->partial, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (r->fd < 0 && errno == ENOENT)
            continue;
        if (r->fd < 0)
            return fs_fail(err, FS_IO, "%s: cannot open the folder: %s", r->partial, strerror(errno));
        if (flock(r->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return fs_fail(err, FS_INPUT,
                           "%s is being written by another run: choose another folder with --out", r->dir);
        struct stat held, named;
        if (fstat(r->fd, &held) == 0 && lstat(r->partial, &named) == 0 && held.st_dev == named.st_dev &&
            held.st_ino == named.st_ino)
            return FS_OK;
        close(r->fd);
        r->fd = -1;
    }
}

/* Undoes what a killed run left: a folder that it had put aside comes back unless its successor is in place.
 */
static fs_status recover(fs_results *r, fs_error *err) {
    struct stat info;
    int failed = 0;
    if (lstat(r->dir, &info) == 0 || (rename(r->aside, r->dir) != 0 && errno != ENOENT))
        failed = fs_tree_remove(r->aside);
    if (failed != 0)
        return fs_fail(err, FS_IO, "%s: cannot remove: %s", r->aside, strerror(failed));
    failed = fs_tree_clear(r->fd);
    return failed == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot empty: %s", r->partial, strerror(failed));
}

fs_results *fs_results_open(const char *dir, bool force, fs_error *err) {
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    const char *name = dir + length;
    while (name > dir && name[-1] != '/')
        name--;
    size_t name_length = (size_t)(dir + length - name);
    if (name_length == 0 || strncmp(name, "..", name_length) == 0) {
        fs_fail(err, FS_INPUT, "\"%s\" does not name a folder for the results", dir);
        return NULL;
    }
    fs_results *r = fs_calloc(1, sizeof *r);
    r->fd = -1;
    r->force = force;
    r->dir = fs_strdup(dir);
    r->dir[length] = '\0';
    r->partial = joined(r->dir, ".partial", "");
    r->aside = joined(r->dir, ".old.partial", "");
    r->notes = json_object();
    if (check_target(r->dir, force, err) || fs_tree_make_parents(r->partial, err) || lock_partial(r, err)) {
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
    free(r->path);
    r->path = joined(r->partial, "/", name);
    return r->path;
}

void fs_results_note(fs_results *r, const char *key, const char *text) {
    json_object_set_new(r->notes, key, json_string(text));
}

static bool listed(const fs_results *r, const char *name) {
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->entries[i].name, name) == 0)
            return true;
    return false;
}

static entry *add_entry(fs_results *r, const char *name) {
    FS_ASSERT(!listed(r, name), "%s is written twice", name);
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 16;
        r->entries = fs_realloc(r->entries, r->room * sizeof *r->entries);
    }
    entry *e = &r->entries[r->count++];
    *e = (entry){.name = fs_strdup(name)};
    return e;
}

static json_t *text_array(const char *const *texts, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_string(texts[i]));
    return array;
}

static bool ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
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
    if (ends_with(name, ".csv")) {
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
    int failed = fs_tree_remove(path);
    return failed == 0 ? FS_OK : fs_fail(err, FS_IO, "%s: cannot remove: %s", path, strerror(failed));
}

/* A run folder inside this one stands for itself by its manifest, which has the digests of all its files. */
static fs_status list_folder(fs_results *r, const char *name, fs_error *err) {
    char *manifest = joined(name, "/manifest.json", "");
    struct stat info;
    fs_status status = FS_OK;
    if (lstat(fs_results_path(r, manifest), &info) == 0 && S_ISREG(info.st_mode))
        status = take_digest(r, add_entry(r, manifest), err);
    free(manifest);
    return status;
}

/* Files of writers that asked for a path only, and run folders. */
static fs_status list_others(fs_results *r, fs_error *err) {
    DIR *directory = opendir(r->partial);
    if (directory == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", r->partial, strerror(errno));
    fs_status status = FS_OK;
    for (struct dirent *d; status == FS_OK && (d = readdir(directory)) != NULL;) {
        struct stat info;
        if (d->d_name[0] == '.' || listed(r, d->d_name) || lstat(fs_results_path(r, d->d_name), &info) != 0)
            continue;
        if (S_ISREG(info.st_mode))
            status = take_digest(r, add_entry(r, d->d_name), err);
        else if (S_ISDIR(info.st_mode))
            status = list_folder(r, d->d_name, err);
    }
    closedir(directory);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name); /* names are unique */
}

/* They tell where each value came from, which may differ between runs of one configuration. */
static bool tells_origins(const char *name) {
    return strcmp(name, "resolved.yaml") == 0 || strcmp(name, "parameters.csv") == 0;
}

static fs_status write_manifest(fs_results *r, fs_error *err) {
    fs_status status = list_others(r, err);
    if (status)
        return status;
    if (r->count > 0)
        qsort(r->entries, r->count, sizeof *r->entries, by_name);
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
    return file == NULL ? FS_IO : fs_file_finish(file, path, err);
}

/* From here on DIR is whole or, between the two renames of a replacement, not there. */
static fs_status move_into_place(fs_results *r, fs_error *err) {
    fs_status status = check_target(r->dir, r->force, err); /* again: hours may lie between */
    if (status)
        return status;
    bool replaced = r->force && rename(r->dir, r->aside) == 0;
    if (rename(r->partial, r->dir) != 0) {
        fs_fail(err, FS_IO, "%s: cannot rename to %s: %s", r->partial, r->dir, strerror(errno));
        if (replaced)
            rename(r->aside, r->dir);
        return FS_IO;
    }
    fs_tree_sync_parent(r->dir);
    if (replaced)
        fs_tree_remove(r->aside); /* what resists is harmless, and the next run tries again */
    return FS_OK;
}

/* All files together: the host's file system has begun with the first ones while the last were written, and
 * has to commit less often. */
static fs_status sync_files(fs_results *r, fs_error *err) {
    fs_status status = FS_OK;
    for (size_t i = 0; i < r->count && status == FS_OK; i++)
        status = fs_file_sync(fs_results_path(r, r->entries[i].name), err);
    return status;
}

fs_status fs_results_commit(fs_results *r, fs_error *err) {
    fs_status status = write_manifest(r, err);
    if (status == FS_OK)
        status = sync_files(r, err);
    if (status == FS_OK)
        fsync(r->fd);
    if (status == FS_OK)
        status = move_into_place(r, err);
    if (status)
        fs_results_discard(r);
    else
        results_free(r);
    return status;
}

void fs_results_discard(fs_results *r) {
    if (r == NULL)
        return;
    if (fs_tree_clear(r->fd) == 0)
        rmdir(r->partial);
    results_free(r);
}
