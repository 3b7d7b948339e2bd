#define _XOPEN_SOURCE 700 /* realpath */

/* Run folders as one file: read. Whoever made it may have meant harm: it is read whole before anything is written, and then nothing
 * is written outside of a fresh folder, nothing but plain files and folders, and no more than is allowed. */
#include "sim/results/archive.h"

#include "sim/host/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <zstd.h>

enum { MOST_FILES = 100000, NAME_BYTES = 4096 };
static const uint64_t MOST_BYTES = (uint64_t)16 << 30;

typedef struct unpacking {
    const char *path;
    const char *to; /* NULL: nothing is written, it is looked at */
    FILE *in;
    struct archive *archive, *disk;
    ZSTD_DCtx *zstd;
    ZSTD_inBuffer packed;
    char buffer[1 << 16], plain[1 << 16];
    bool ended; /* the frame with its checksum */
    uint64_t bytes;
    size_t files;
    char top[NAME_BYTES]; /* the one folder that all is in; "": not known yet */
    fs_error *err;
} unpacking;

static fs_status damaged(unpacking *u, const char *why) {
    return fs_fail(u->err, FS_INPUT, "%s: no run that foamsim has packed: %s", u->path, why);
}

/* Some more bytes, none at the frame's end. -1: an error. */
static la_ssize_t unfold(struct archive *archive, void *self, const void **data) {
    unpacking *u = self;
    ZSTD_outBuffer out = {u->plain, sizeof u->plain, 0};
    (void)archive;
    *data = u->plain;
    while (!u->ended && out.pos == 0 && u->err->status == FS_OK) {
        if (u->packed.pos == u->packed.size) {
            u->packed = (ZSTD_inBuffer){u->buffer, fread(u->buffer, 1, sizeof u->buffer, u->in), 0};
            if (ferror(u->in))
                fs_fail(u->err, FS_IO, "%s: cannot be read: %s", u->path, strerror(errno));
        }
        const size_t read = u->packed.pos, left = ZSTD_decompressStream(u->zstd, &out, &u->packed);
        if (ZSTD_isError(left))
            damaged(u, ZSTD_getErrorName(left));
        else if (left > 0 && out.pos == 0 && u->packed.pos == read)
            damaged(u, "it is cut off");
        u->ended = left == 0;
    }
    return u->err->status == FS_OK ? (la_ssize_t)out.pos : -1;
}

/* To the checksum of the whole, over zeros that fill a last record. */
static fs_status take_end(unpacking *u) {
    enum { MOST_FILLING = 1 << 20 };
    la_ssize_t n;
    for (size_t filling = 0; (n = unfold(NULL, u, &(const void *){NULL})) > 0;)
        if ((filling += (size_t)n) > MOST_FILLING)
            return damaged(u, "it goes on behind its end");
    return u->err->status;
}

/* Below one folder, without a way out of it. */
static bool is_inside(unpacking *u, const char *name, bool folder) {
    const size_t first = strcspn(name, "/"), length = strlen(name);
    for (const char *c = name, *part = name; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == '\\' || *c == 0x7f || (c == part && (*c == '.' || *c == '/')))
            return false;
        part = *c == '/' ? c + 1 : part;
    }
    if (first == 0 || length >= NAME_BYTES || (!folder && (name[first] == '\0' || name[length - 1] == '/')))
        return false;
    if (u->top[0] == '\0')
        memcpy(u->top, name, first);
    return strncmp(u->top, name, first) == 0 && u->top[first] == '\0';
}

static fs_status take_file(unpacking *u, struct archive_entry *entry, const char *name) {
    char path[2 * NAME_BYTES];
    struct stat there;
    if (snprintf(path, sizeof path, "%s/%s", u->to, name) >= (int)sizeof path)
        return damaged(u, "a name is too long");
    if (lstat(path, &there) == 0)
        return damaged(u, "it holds two files of one name");
    archive_entry_set_pathname(entry, path);
    archive_entry_set_perm(entry, 0600);
    if (archive_read_extract2(u->archive, entry, u->disk) >= ARCHIVE_WARN)
        return FS_OK;
    const char *why = archive_error_string(u->archive);
    return fs_fail(u->err, FS_IO, "%s: cannot unpack %s into %s: %s", u->path, name, u->to, why);
}

static fs_status take_entry(unpacking *u, struct archive_entry *entry) {
    const char *name = archive_entry_pathname(entry);
    const bool folder = archive_entry_filetype(entry) == AE_IFDIR;
    const la_int64_t bytes = archive_entry_size(entry);
    if (name == NULL || !is_inside(u, name, folder))
        return damaged(u, "a file lies outside of its one folder");
    if (folder && bytes == 0)
        return FS_OK;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != NULL)
        return damaged(u, "it holds something that is neither file nor folder");
    if (++u->files > MOST_FILES || (uint64_t)bytes > MOST_BYTES || (u->bytes += (uint64_t)bytes) > MOST_BYTES)
        return damaged(u, "it is larger than 16 GiB or has more than 100,000 files");
    return u->to == NULL ? FS_OK : take_file(u, entry, name);
}

static fs_status take_all(unpacking *u) {
    struct archive_entry *entry;
    int found;
    archive_read_support_format_tar(u->archive);
    if (archive_read_open(u->archive, u, NULL, unfold, NULL) == ARCHIVE_OK)
        while ((found = archive_read_next_header(u->archive, &entry)) >= ARCHIVE_WARN && found != ARCHIVE_EOF)
            if (take_entry(u, entry))
                return u->err->status;
    if (archive_errno(u->archive) != 0 && u->err->status == FS_OK)
        return damaged(u, archive_error_string(u->archive));
    if (take_end(u))
        return u->err->status;
    return u->files > 0 ? FS_OK : damaged(u, "it holds no file");
}

/* Once through the file; to NULL: writes nothing, and bytes are how many it would. */
static fs_status pass(unpacking *u, const char *to) {
    enum { SAFE = ARCHIVE_EXTRACT_SECURE_NODOTDOT | ARCHIVE_EXTRACT_SECURE_SYMLINKS };
    u->to = to;
    u->archive = archive_read_new();
    u->disk = archive_write_disk_new();
    u->zstd = ZSTD_createDCtx();
    if (u->archive == NULL || u->disk == NULL || u->zstd == NULL)
        fs_no_memory();
    u->packed = (ZSTD_inBuffer){0};
    u->ended = false;
    u->bytes = u->files = 0;
    rewind(u->in);
    archive_write_disk_set_options(u->disk, SAFE);
    take_all(u);
    archive_read_free(u->archive);
    if (archive_write_free(u->disk) != ARCHIVE_OK && u->err->status == FS_OK)
        fs_fail(u->err, FS_IO, "%s: cannot unpack it into %s", u->path, to);
    ZSTD_freeDCtx(u->zstd);
    return u->err->status;
}

static fs_status check_room(const unpacking *u, const char *folder, fs_error *err) {
    struct statvfs host;
    const uint64_t blocks = statvfs(folder, &host) != 0 ? UINT64_MAX : host.f_bavail;
    if (blocks == UINT64_MAX || u->bytes / host.f_frsize < blocks)
        return FS_OK;
    return fs_fail(err, FS_IO, "%s: it unpacks to %.1f GiB, and %s has room for %.1f GiB", u->path,
                   (double)u->bytes / (1 << 30), folder, (double)blocks * (double)host.f_frsize / (1 << 30));
}

bool fs_archive_is(const char *path) {
    static const unsigned char zstd[4] = {0x28, 0xb5, 0x2f, 0xfd};
    unsigned char begin[4];
    FILE *in = fs_file_regular(path);
    const bool is = in != NULL && fread(begin, 1, 4, in) == 4 && memcmp(begin, zstd, 4) == 0;
    if (in != NULL)
        fclose(in);
    return is;
}

fs_status fs_archive_unpack(const char *path, fs_arena *arena, fs_scratch *scratch, const char **folder,
                            fs_error *err) {
    FILE *in = fs_file_regular(path);
    if (in == NULL)
        return fs_fail(err, FS_INPUT, "%s: cannot be opened: %s", path, fs_file_reason());
    unpacking *u = fs_calloc(1, sizeof *u);
    u->path = path;
    u->in = in;
    u->err = err;
    if (pass(u, NULL) == FS_OK && fs_scratch_make(arena, scratch, err) == FS_OK) {
        if (check_room(u, scratch->path, err) || pass(u, scratch->path))
            fs_scratch_remove(scratch);
        else
            *folder = fs_arena_printf(arena, "%s/%s", scratch->path, u->top);
    }
    fclose(in);
    free(u);
    return err->status;
}
