#define _GNU_SOURCE /* sync_file_range */

/* Files and folders: written aside and renamed, written in place, without a name. */
#include "sim/host/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TRIES = 1000, NUMBER_BYTES = 48 };

static fs_status cannot_write(const char *path, int reason, fs_error *err) {
    /* Without a reason it is long gone, but what is missing stays missing. */
    return fs_fail(err, FS_IO, "%s: cannot write: %s", path,
                   reason == 0 ? "not everything reached the disk" : strerror(reason));
}

/* ---- written aside ---- */

/* Whether another process removed the file, taking it for a killed one's, before our lock was on it. Where the
 * host has no locks, nobody removes. */
static bool was_taken(int fd) {
    struct stat info;
    return flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &info) == 0 && info.st_nlink == 0;
}

/* A descriptor of a file that did not exist, under the name that is left in `partial`; -1 and errno. */
static int open_new(const char *path, char *partial, size_t size) {
    for (unsigned n = 0; n < MOST_TRIES; n++) {
        snprintf(partial, size, "%s.%ld-%u.partial", path, (long)getpid(), n);
        int fd = open(partial, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if ((fd >= 0 && !was_taken(fd)) || (fd < 0 && errno != EEXIST))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* Whether `name` is BASE.PROCESS-N.partial. */
static bool is_aside(const char *name, const char *base) {
    static const char digits[] = "0123456789";
    const size_t n = strlen(base);
    if (strncmp(name, base, n) != 0 || name[n] != '.')
        return false;
    const char *at = name + n + 1, *dash = at + strspn(at, digits), *end = dash + 1;
    if (dash == at || *dash != '-')
        return false;
    at = end;
    end += strspn(end, digits);
    return end > at && strcmp(end, ".partial") == 0;
}

void fs_aside_clear(const char *path) {
    char *folder = fs_strdup(path);
    char *slash = strrchr(folder, '/');
    const char *base = slash == NULL ? path : path + (slash - folder) + 1;
    if (slash != NULL)
        slash[slash == folder] = '\0';
    DIR *all = opendir(slash == NULL ? "." : folder);
    for (struct dirent *e; all != NULL && (e = readdir(all)) != NULL;) {
        struct stat info;
        if (!is_aside(e->d_name, base))
            continue;
        const int fd = openat(dirfd(all), e->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
            flock(fd, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(all), e->d_name, 0);
        if (fd >= 0)
            close(fd);
    }
    if (all != NULL)
        closedir(all);
    free(folder);
}

void fs_file_clear_irregular(const char *path) {
    struct stat info;
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        unlink(path);
}

fs_status fs_aside_open(fs_aside *aside, const char *path, fs_error *err) {
    struct stat about;
    const size_t size = strlen(path) + NUMBER_BYTES;
    const bool replaced = stat(path, &about) != 0 || S_ISREG(about.st_mode);
    *aside = (fs_aside){.path = fs_strdup(path)};
    int fd;
    if (replaced) {
        aside->partial = fs_malloc(size);
        fd = open_new(path, aside->partial, size);
    } else {
        fd = open(path, O_WRONLY | O_CLOEXEC);
    }
    aside->file = fd < 0 ? NULL : fdopen(fd, replaced ? "w+b" : "wb");
    if (aside->file != NULL)
        return FS_OK;
    cannot_write(path, errno, err);
    if (fd >= 0)
        close(fd);
    if (fd < 0) { /* the file of that name is not ours to remove */
        free(aside->partial);
        aside->partial = NULL;
    }
    fs_aside_discard(aside);
    return FS_IO;
}

/* Syncs what can be synced: a pipe, say, cannot. */
static bool sync_to_disk(FILE *file) {
    return fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS;
}

fs_status fs_aside_commit(fs_aside *aside, fs_lasting lasting, fs_error *err) {
    bool failed = ferror(aside->file) != 0;
    int reason = 0;
    if (fflush(aside->file) != 0 || (lasting == FS_DURABLE && !sync_to_disk(aside->file)))
        reason = errno;
    if (fclose(aside->file) != 0 && reason == 0)
        reason = errno;
    aside->file = NULL;
    failed |= reason != 0;
    if (!failed && aside->partial != NULL && rename(aside->partial, aside->path) != 0) {
        reason = errno;
        failed = true;
    }
    if (failed)
        cannot_write(aside->path, reason, err);
    else if (lasting == FS_DURABLE && aside->partial != NULL)
        fs_dir_sync_above(aside->path);
    if (!failed) { /* nothing is left to remove */
        free(aside->partial);
        aside->partial = NULL;
    }
    fs_aside_discard(aside);
    return failed ? FS_IO : FS_OK;
}

void fs_aside_discard(fs_aside *aside) {
    if (aside->file != NULL)
        fclose(aside->file);
    if (aside->partial != NULL)
        unlink(aside->partial);
    free(aside->partial);
    free(aside->path);
    *aside = (fs_aside){.file = NULL};
}

fs_status fs_file_write(const char *path, const void *data, size_t bytes, fs_lasting lasting, fs_error *err) {
    fs_aside aside;
    if (fs_dir_make_above(path, err) || fs_aside_open(&aside, path, err))
        return err->status;
    fwrite(data, 1, bytes, aside.file);
    return fs_aside_commit(&aside, lasting, err);
}

fs_status fs_file_stream(const char *path, fs_memory *memory, fs_lasting lasting, fs_error *err) {
    fs_memory_close(memory);
    if (err->status == FS_OK)
        fs_file_write(path, memory->text, memory->bytes, lasting, err);
    free(memory->text);
    return err->status;
}

fs_status fs_file_put(const char *path, fs_memory *memory, fs_error *err) {
    const bool standard = strcmp(path, "-") == 0;
    fs_aside aside = {.file = stdout};
    fs_memory_close(memory);
    if (err->status == FS_OK && (standard || fs_aside_open(&aside, path, err) == FS_OK)) {
        fwrite(memory->text, 1, memory->bytes, aside.file);
        if (!standard)
            fs_aside_commit(&aside, FS_DURABLE, err);
        else if (ferror(stdout) != 0 || fflush(stdout) != 0)
            fs_fail(err, FS_IO, "-: cannot write all of it");
    }
    free(memory->text);
    return err->status;
}

/* ---- read ---- */

FILE *fs_file_regular(const char *path) {
    struct stat about;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    int reason = fstat(fd, &about) != 0   ? errno
                 : S_ISREG(about.st_mode) ? 0
                 : S_ISDIR(about.st_mode) ? EISDIR
                                          : EINVAL;
    FILE *file = reason == 0 ? fdopen(fd, "rb") : NULL;
    if (file == NULL) {
        reason = reason == 0 ? errno : reason;
        close(fd);
        errno = reason;
    }
    return file;
}

const char *fs_file_reason(void) {
    return errno == EINVAL ? "not a regular file" : strerror(errno);
}

char *fs_file_table(fs_arena *arena, const char *path, fs_error *err) {
    enum { MOST = 1 << 30 };
    FILE *in = fs_file_regular(path);
    struct stat info;
    if (in == NULL)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: cannot open: %s", path, fs_file_reason());
    const bool known = fstat(fileno(in), &info) == 0, fits = known && info.st_size < MOST;
    char *text = fs_arena_alloc(arena, fits ? (size_t)info.st_size + 1 : 1, 1);
    const size_t size = fits ? fread(text, 1, (size_t)info.st_size, in) : 0;
    const bool bad = !known || ferror(in) != 0;
    fclose(in);
    if (bad)
        return FS_FAIL_NULL(err, FS_IO, "%s: cannot read", path);
    if (!fits || strlen(text) < size)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: expected a table of less than 1 GiB of text", path);
    return text;
}

/* ---- written in place ---- */

FILE *fs_file_open(const char *path, fs_error *err) {
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        cannot_write(path, errno, err);
    return file;
}

static void begin_writing(int fd) {
#if defined(SYNC_FILE_RANGE_WRITE)
    (void)sync_file_range(fd, 0, 0,
                          SYNC_FILE_RANGE_WRITE); /* a hint; a failure is reported when it is waited for */
#else
    (void)fd;
#endif
}

fs_status fs_file_close(FILE *file, const char *path, fs_error *err) {
    int failed_before = ferror(file), reason = fflush(file) != 0 ? errno : 0;
    begin_writing(fileno(file));
    if (fclose(file) != 0 && reason == 0)
        reason = errno;
    return reason != 0 || failed_before ? cannot_write(path, reason, err) : FS_OK;
}

fs_status fs_file_sync(const char *path, fs_error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC), reason = 0;
    if (fd < 0 || fsync(fd) != 0)
        reason = errno;
    if (fd >= 0)
        close(fd);
    return reason == 0 ? FS_OK : cannot_write(path, reason, err);
}

/* ---- without a name ---- */

FILE *fs_file_nameless(fs_error *err) {
    FILE *file = tmpfile();
    int own = file == NULL ? -1 : fcntl(fileno(file), F_DUPFD_CLOEXEC, 3); /* never one of the three */
    FILE *kept = own < 0 ? NULL : fdopen(own, "w+");
    if (kept == NULL) {
        fs_fail(err, FS_IO, "a temporary file cannot be made: %s", strerror(errno));
        if (own >= 0)
            close(own);
    }
    if (file != NULL)
        fclose(file);
    return kept;
}

char *fs_file_text_from(fs_arena *arena, FILE *file, size_t from, size_t most_bytes) {
    struct stat info;
    size_t size = fstat(fileno(file), &info) != 0 || info.st_size < 0 ? 0 : (size_t)info.st_size;
    size = size > from ? size - from : 0;
    size_t most = size > most_bytes ? most_bytes : size, used = 0;
    char *text = FS_NEW(arena, char, most + 1);
    for (ssize_t got = 1; used < most && got > 0; used += got > 0 ? (size_t)got : 0)
        got = pread(fileno(file), text + used, most - used, (off_t)(from + used));
    text[used] = '\0';
    return text;
}

char *fs_file_text(fs_arena *arena, FILE *file, size_t most_bytes) {
    return fs_file_text_from(arena, file, 0, most_bytes);
}

/* ---- folders ---- */

static fs_status make_one(const char *path, fs_error *err) {
    struct stat info;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return FS_OK;
    return fs_fail(err, FS_IO, "%s: cannot make the folder: %s", path,
                   errno == EEXIST ? "a file of that name exists" : strerror(errno));
}

fs_status fs_dir_make_above(const char *path, fs_error *err) {
    char *prefix = fs_strdup(path);
    fs_status status = FS_OK;
    char *slash = prefix[0] == '\0' ? NULL : strchr(prefix + 1, '/');
    for (; slash != NULL && status == FS_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        status = make_one(prefix, err);
        *slash = '/';
    }
    free(prefix);
    return status;
}

fs_status fs_dir_make(const char *path, fs_error *err) {
    fs_status status = fs_dir_make_above(path, err);
    return status ? status : make_one(path, err);
}

void fs_dir_sync_above(const char *path) {
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
