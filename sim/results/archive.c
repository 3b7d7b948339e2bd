/* Run folders as one file: written. */
#include "sim/results/archive.h"
#include "sim/results/archive_format.h"

#include "sim/host/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

typedef struct packing {
    fs_arena *arena;
    const char *path;
    FILE *out;
    ZSTD_CCtx *zstd;
    fs_error *err;
} packing;

/* `last`: the frame ends with these bytes. */
static fs_status put(packing *p, const void *data, size_t bytes, bool last) {
    char packed[1 << 16];
    ZSTD_inBuffer in = {data, bytes, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {packed, sizeof packed, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return fs_fail(p->err, FS_IO, "%s: %s", p->path, ZSTD_getErrorName(left));
        fwrite(packed, 1, out.pos, p->out); /* a failed write shows at the commit */
    } while (last ? left > 0 : in.pos < in.size);
    return FS_OK;
}

static fs_status put_header(packing *p, const char *name, uint64_t bytes) {
    fs_archive_header h = {.mode = "0000644", .uid = "0000000", .gid = "0000000", .mtime = "00000000000"};
    size_t cut = 0; /* what stands in front of it goes into the prefix */
    const size_t length = strlen(name);
    while (length - cut > sizeof h.name && cut < length) {
        const char *slash = strchr(name + cut, '/');
        cut = slash == NULL ? length : (size_t)(slash - name) + 1;
    }
    if (cut >= length || cut > sizeof h.prefix + 1)
        return fs_fail(p->err, FS_INPUT, "%s: the name is too long for an archive", name);
    if (bytes >> 33 != 0) /* eleven octal digits */
        return fs_fail(p->err, FS_INPUT, "%s: an archive takes files up to 8 GiB", name);
    memcpy(h.name, name + cut, length - cut);
    if (cut > 0)
        memcpy(h.prefix, name, cut - 1);
    snprintf(h.size, sizeof h.size, "%011llo", (unsigned long long)bytes);
    h.kind = '0';
    memcpy(h.magic, "ustar", 6);
    memcpy(h.version, "00", 2);
    memset(h.sum, ' ', sizeof h.sum);
    snprintf(h.sum, sizeof h.sum, "%06o", fs_archive_sum(&h));
    h.sum[7] = ' ';
    return put(p, &h, sizeof h, false);
}

static fs_status put_file(packing *p, const char *path, const char *name, uint64_t bytes) {
    static const char zeros[FS_ARCHIVE_BLOCK];
    char part[1 << 16];
    FILE *in = fs_file_regular(path);
    uint64_t left = bytes;
    if (in == NULL)
        return fs_fail(p->err, FS_IO, "cannot open %s: %s", path, fs_file_reason());
    fs_status status = put_header(p, name, bytes);
    while (status == FS_OK && left > 0) {
        const size_t n = fread(part, 1, left < sizeof part ? (size_t)left : sizeof part, in);
        status = n == 0 ? fs_fail(p->err, FS_IO, "%s: it became shorter while it was read", path)
                        : put(p, part, n, false);
        left -= n;
    }
    fclose(in);
    const size_t over = (size_t)(bytes % FS_ARCHIVE_BLOCK);
    return status == FS_OK && over > 0 ? put(p, zeros, FS_ARCHIVE_BLOCK - over, false) : status;
}

static int is_wanted(const struct dirent *entry) {
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "pictures") != 0;
}

/* In the order of the letters, whatever the locale is. */
static int by_letters(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static fs_status put_folder(packing *p, const char *path, const char *name, int depth) {
    enum { DEEPEST = 8 };
    struct dirent **entry = NULL;
    const int count = depth > DEEPEST ? 0 : scandir(path, &entry, is_wanted, by_letters);
    if (count < 0)
        fs_fail(p->err, FS_IO, "cannot read %s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        struct stat info;
        const char *file = fs_arena_printf(p->arena, "%s/%s", path, entry[i]->d_name),
                   *inside = fs_arena_printf(p->arena, "%s/%s", name, entry[i]->d_name);
        free(entry[i]);
        if (p->err->status != FS_OK)
            continue;
        if (lstat(file, &info) != 0)
            fs_fail(p->err, FS_IO, "cannot look at %s: %s", file, strerror(errno));
        else if (S_ISREG(info.st_mode))
            put_file(p, file, inside, (uint64_t)info.st_size);
        else if (S_ISDIR(info.st_mode))
            put_folder(p, file, inside, depth + 1);
    }
    free(entry);
    return p->err->status;
}

fs_status fs_archive_write(const char *folder, const char *path, fs_error *err) {
    static const char end[2 * FS_ARCHIVE_BLOCK];
    fs_arena *arena = fs_arena_create();
    char *clean = fs_arena_strdup(arena, folder);
    for (size_t n = strlen(clean); n > 1 && clean[n - 1] == '/'; n--)
        clean[n - 1] = '\0';
    const char *slash = strrchr(clean, '/'), *name = slash == NULL ? clean : slash + 1;
    if (name[0] == '\0' || name[0] == '.')
        name = "run";
    fs_aside aside;
    if (fs_aside_open(&aside, path, err) == FS_OK) {
        packing p = {.arena = arena, .path = path, .out = aside.file, .zstd = ZSTD_createCCtx(), .err = err};
        if (p.zstd == NULL)
            fs_no_memory();
        ZSTD_CCtx_setParameter(p.zstd, ZSTD_c_checksumFlag, 1);
        if (put_folder(&p, clean, name, 0) == FS_OK)
            put(&p, end, sizeof end, true);
        ZSTD_freeCCtx(p.zstd);
        if (err->status == FS_OK)
            fs_aside_commit(&aside, FS_DURABLE, err);
        else
            fs_aside_discard(&aside);
    }
    fs_arena_free(arena);
    return err->status;
}
