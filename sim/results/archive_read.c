/* Run folders as one file: read. Whoever made it may have meant harm: nothing is written outside of a fresh folder, nothing but plain
 * files and folders, and no more than is allowed. */
#include "sim/results/archive.h"
#include "sim/results/archive_format.h"

#include "sim/host/file.h"
#include "sim/results/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum {
    MOST_FILES = 100000,
    NAME_BYTES = sizeof((fs_archive_header *)NULL)->name + sizeof((fs_archive_header *)NULL)->prefix + 2
};
static const uint64_t MOST_BYTES = (uint64_t)16 << 30;

typedef struct unpacking {
    const char *path, *scratch;
    FILE *in;
    ZSTD_DCtx *zstd;
    ZSTD_inBuffer packed;
    char buffer[1 << 16];
    bool ended; /* the frame with its checksum */
    uint64_t bytes;
    size_t files;
    char top[NAME_BYTES]; /* the one folder that all is in; "": not known yet */
    fs_error *err;
} unpacking;

static fs_status damaged(unpacking *u, const char *why) {
    return fs_fail(u->err, FS_INPUT, "%s: no run that foamsim has packed: %s", u->path, why);
}

/* Some more bytes, or the frame's end. */
static fs_status step(unpacking *u, ZSTD_outBuffer *out) {
    if (u->packed.pos == u->packed.size) {
        u->packed = (ZSTD_inBuffer){u->buffer, fread(u->buffer, 1, sizeof u->buffer, u->in), 0};
        if (ferror(u->in))
            return fs_fail(u->err, FS_IO, "%s: cannot be read: %s", u->path, strerror(errno));
    }
    const size_t before = out->pos, read = u->packed.pos;
    const size_t left = ZSTD_decompressStream(u->zstd, out, &u->packed);
    if (ZSTD_isError(left))
        return damaged(u, ZSTD_getErrorName(left));
    u->ended = left == 0;
    return u->ended || out->pos > before || u->packed.pos > read ? FS_OK : damaged(u, "it is cut off");
}

/* Exactly so many bytes. */
static fs_status take(unpacking *u, void *to, size_t bytes) {
    ZSTD_outBuffer out = {to, bytes, 0};
    while (out.pos < out.size && u->err->status == FS_OK)
        if (u->ended)
            damaged(u, "it is cut off");
        else
            step(u, &out);
    return u->err->status;
}

/* To the checksum of the whole, over zeros that fill a last record. */
static fs_status take_end(unpacking *u) {
    enum { MOST_FILLING = 1 << 20 };
    char rest[FS_ARCHIVE_BLOCK];
    for (size_t filling = 0; !u->ended && u->err->status == FS_OK;) {
        ZSTD_outBuffer out = {rest, sizeof rest, 0};
        if (step(u, &out) == FS_OK && (filling += out.pos) > MOST_FILLING)
            damaged(u, "it goes on behind its end");
    }
    return u->err->status;
}

static bool octal(const char *text, size_t size, uint64_t *value) {
    size_t i = 0;
    *value = 0;
    for (; i < size && text[i] >= '0' && text[i] <= '7'; i++)
        *value = *value * 8 + (uint64_t)(text[i] - '0');
    return i > 0 && (i == size || text[i] == '\0' || text[i] == ' ');
}

/* Its whole name: below one folder, without a way out of it. */
static bool name_of(const fs_archive_header *h, char name[NAME_BYTES]) {
    snprintf(name, NAME_BYTES, "%.*s%s%.*s", (int)sizeof h->prefix, h->prefix,
             h->prefix[0] == '\0' ? "" : "/", (int)sizeof h->name, h->name);
    size_t length = strlen(name);
    if (h->kind == '5' && length > 0 && name[length - 1] == '/')
        name[--length] = '\0';
    if (length == 0)
        return false;
    for (const char *part = name; part != NULL;
         part = strchr(part, '/') == NULL ? NULL : strchr(part, '/') + 1)
        if (part[0] == '.' || part[0] == '/' || part[0] == '\0')
            return false;
    for (const char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == '\\' || *c == 0x7f)
            return false;
    return true;
}

static bool in_one_folder(unpacking *u, const char *name) {
    const size_t length = strcspn(name, "/");
    if (u->top[0] == '\0')
        memcpy(u->top, name, length);
    return strncmp(u->top, name, length) == 0 && u->top[length] == '\0';
}

/* The folders above a file, and the file itself, new. */
static FILE *new_file(unpacking *u, const char *name) {
    char path[4096];
    const size_t from = strlen(u->scratch) + 1;
    if (snprintf(path, sizeof path, "%s/%s", u->scratch, name) >= (int)sizeof path)
        return NULL;
    for (char *slash = strchr(path + from, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return NULL;
        *slash = '/';
    }
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd < 0 ? NULL : fdopen(fd, "w");
}

static fs_status take_file(unpacking *u, const char *name, uint64_t bytes) {
    char part[1 << 16];
    const uint64_t blocks = (bytes + FS_ARCHIVE_BLOCK - 1) / FS_ARCHIVE_BLOCK * FS_ARCHIVE_BLOCK;
    FILE *out = new_file(u, name);
    if (out == NULL)
        return fs_fail(u->err, FS_IO, "%s: cannot unpack %s into %s: %s", u->path, name, u->scratch,
                       strerror(errno));
    for (uint64_t at = 0; at < blocks && u->err->status == FS_OK;) {
        const size_t n = blocks - at < sizeof part ? (size_t)(blocks - at) : sizeof part;
        if (take(u, part, n))
            break;
        fwrite(part, 1, bytes > at ? (bytes - at < n ? (size_t)(bytes - at) : n) : 0, out);
        at += n;
    }
    const bool failed = ferror(out) != 0;
    if ((fclose(out) != 0 || failed) && u->err->status == FS_OK)
        fs_fail(u->err, FS_IO, "%s: cannot unpack %s into %s: %s", u->path, name, u->scratch,
                strerror(errno));
    return u->err->status;
}

static fs_status take_entry(unpacking *u, const fs_archive_header *h) {
    char name[NAME_BYTES];
    uint64_t sum = 0, bytes = 0;
    if (memcmp(h->magic, "ustar", 5) != 0 || !octal(h->sum, sizeof h->sum, &sum) ||
        sum != fs_archive_sum(h) || !octal(h->size, sizeof h->size, &bytes))
        return damaged(u, "a header is none");
    if (!name_of(h, name) || !in_one_folder(u, name))
        return damaged(u, "a file lies outside of its one folder");
    if (h->kind == '5' && bytes == 0)
        return FS_OK;
    if (h->kind != '0' && h->kind != '\0')
        return damaged(u, "it holds something that is neither file nor folder");
    if (strchr(name, '/') == NULL)
        return damaged(u, "a file lies outside of its one folder");
    if (++u->files > MOST_FILES || bytes > MOST_BYTES || (u->bytes += bytes) > MOST_BYTES)
        return damaged(u, "it is larger than 16 GiB or has more than 100,000 files");
    return take_file(u, name, bytes);
}

static fs_status take_all(unpacking *u) {
    fs_archive_header h;
    static const fs_archive_header none;
    for (;;) {
        if (take(u, &h, sizeof h))
            return u->err->status;
        if (memcmp(&h, &none, sizeof h) == 0)
            break;
        if (take_entry(u, &h))
            return u->err->status;
    }
    if (take_end(u))
        return u->err->status;
    return u->files > 0 ? FS_OK : damaged(u, "it holds no file");
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

fs_status fs_archive_unpack(const char *path, fs_arena *arena, const char **scratch, const char **folder,
                            fs_error *err) {
    const char *place = getenv("TMPDIR");
    char *fresh = fs_arena_printf(arena, "%s/foamsim-unpacked-XXXXXX",
                                  place != NULL && place[0] != '\0' ? place : "/tmp");
    FILE *in = fs_file_regular(path);
    if (in == NULL)
        return fs_fail(err, FS_INPUT, "%s: cannot be opened: %s", path, fs_file_reason());
    if (mkdtemp(fresh) == NULL) {
        fclose(in);
        return fs_fail(err, FS_IO, "cannot make a folder %s: %s", fresh, strerror(errno));
    }
    unpacking *u = fs_calloc(1, sizeof *u);
    u->path = path;
    u->scratch = fresh;
    u->in = in;
    u->err = err;
    u->zstd = ZSTD_createDCtx();
    if (u->zstd == NULL)
        fs_no_memory();
    if (take_all(u) == FS_OK) {
        *scratch = fresh;
        *folder = fs_arena_printf(arena, "%s/%s", fresh, u->top);
    } else
        fs_results_tree_remove(fresh);
    ZSTD_freeDCtx(u->zstd);
    fclose(in);
    free(u);
    return err->status;
}
