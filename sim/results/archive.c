/* Run folders as one file: written. */
#include "sim/results/archive.h"

#include "sim/host/file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

typedef struct packing {
    fs_arena *arena;
    const char *path;
    FILE *out;
    struct archive *archive;
    ZSTD_CCtx *zstd; /* its own, since that of libarchive writes no checksum */
    fs_error *err;
} packing;

/* `how`: ZSTD_e_end: the frame ends with these bytes. */
static fs_status squeeze(packing *p, const void *data, size_t bytes, ZSTD_EndDirective how) {
    char packed[1 << 16];
    ZSTD_inBuffer in = {data, bytes, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {packed, sizeof packed, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, how);
        if (ZSTD_isError(left))
            return fs_fail(p->err, FS_IO, "%s: %s", p->path, ZSTD_getErrorName(left));
        fwrite(packed, 1, out.pos, p->out); /* a failed write shows at the commit */
    } while (how == ZSTD_e_end ? left > 0 : in.pos < in.size);
    return FS_OK;
}

static la_ssize_t take(struct archive *archive, void *self, const void *data, size_t bytes) {
    (void)archive;
    return squeeze(self, data, bytes, ZSTD_e_continue) ? -1 : (la_ssize_t)bytes;
}

/* No time and no owner, so that the same files are the same bits. */
static fs_status put_header(packing *p, const char *name, uint64_t bytes) {
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        fs_no_memory();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)bytes);
    if (archive_write_header(p->archive, entry) != ARCHIVE_OK)
        fs_fail(p->err, FS_INPUT, "%s: an archive does not take it: %s", name,
                archive_error_string(p->archive));
    archive_entry_free(entry);
    return p->err->status;
}

static fs_status put_file(packing *p, const char *path, const char *name, uint64_t bytes) {
    char part[1 << 16];
    FILE *in = fs_file_regular(path);
    if (in == NULL)
        return fs_fail(p->err, FS_IO, "cannot open %s: %s", path, fs_file_reason());
    put_header(p, name, bytes);
    for (uint64_t left = bytes; left > 0 && p->err->status == FS_OK;) {
        const size_t n = fread(part, 1, left < sizeof part ? (size_t)left : sizeof part, in);
        if (n == 0)
            fs_fail(p->err, FS_IO, "%s: it became shorter while it was read", path);
        else if (archive_write_data(p->archive, part, n) < 0)
            fs_fail(p->err, FS_IO, "%s: %s", p->path, archive_error_string(p->archive));
        left -= n;
    }
    fclose(in);
    return p->err->status;
}

static fs_status put_folder(packing *p, const char *path, const char *name, int depth) {
    enum { DEEPEST = 8 };
    if (depth > DEEPEST)
        return FS_OK;
    const char *const *entry = fs_dir_names(p->arena, path);
    if (entry == NULL)
        return fs_fail(p->err, FS_IO, "cannot read %s: %s", path, strerror(errno));
    for (; *entry != NULL && p->err->status == FS_OK; entry++) {
        struct stat info;
        const char *file = fs_arena_printf(p->arena, "%s/%s", path, *entry),
                   *inside = fs_arena_printf(p->arena, "%s/%s", name, *entry);
        if (strcmp(*entry, "pictures") == 0)
            continue;
        if (lstat(file, &info) != 0)
            fs_fail(p->err, FS_IO, "cannot look at %s: %s", file, strerror(errno));
        else if (S_ISREG(info.st_mode))
            put_file(p, file, inside, (uint64_t)info.st_size);
        else if (S_ISDIR(info.st_mode))
            put_folder(p, file, inside, depth + 1);
    }
    return p->err->status;
}

static fs_status put_all(packing *p, const char *folder, const char *name) {
    p->archive = archive_write_new();
    p->zstd = ZSTD_createCCtx();
    if (p->archive == NULL || p->zstd == NULL)
        fs_no_memory();
    ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
    archive_write_set_format_ustar(p->archive);
    if (archive_write_open(p->archive, p, NULL, take, NULL) != ARCHIVE_OK)
        fs_fail(p->err, FS_IO, "%s: %s", p->path, archive_error_string(p->archive));
    else if (put_folder(p, folder, name, 0) == FS_OK && archive_write_close(p->archive) == ARCHIVE_OK)
        squeeze(p, NULL, 0, ZSTD_e_end);
    archive_write_free(p->archive);
    ZSTD_freeCCtx(p->zstd);
    return p->err->status;
}

fs_status fs_archive_write(const char *folder, const char *path, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    char *clean = fs_arena_strdup(arena, folder);
    for (size_t n = strlen(clean); n > 1 && clean[n - 1] == '/'; n--)
        clean[n - 1] = '\0';
    const char *slash = strrchr(clean, '/'), *name = slash == NULL ? clean : slash + 1;
    if (name[0] == '\0' || name[0] == '.')
        name = "run";
    fs_aside aside;
    fs_aside_clear(path);
    if (fs_aside_open(&aside, path, err) == FS_OK) {
        packing p = {.arena = arena, .path = path, .out = aside.file, .err = err};
        if (put_all(&p, clean, name) == FS_OK)
            fs_aside_commit(&aside, FS_DURABLE, err);
        else
            fs_aside_discard(&aside);
    }
    fs_arena_free(arena);
    return err->status;
}
