/* Entries of the cache of foams: a foam as it lies in memory, to be read straight into its arrays.
 *
 * A head, a check (sim/base/check.h) for each piece of the arrays, then the arrays one behind the other. The
 * check in the head is of the head and of all other checks, so a byte that differs anywhere is noticed; the
 * file's size follows from the head. The content's digest stands in the head and is not worked out again.
 */
#include "sim/base/alloc.h"
#include "sim/base/check.h"
#include "workloads/foam/scene_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARRAYS = 7, PIECE = 1 << 19 }; /* bytes: fits the second cache */
enum { PARALLEL_FROM = 4 };           /* pieces; below, waking the threads takes longer than the work */

typedef struct head {
    char magic[8];       /* the last digit is the format's */
    uint32_t byte_order; /* 0x01020304 as this host writes it */
    uint32_t sites;
    uint64_t faces;
    char digest[FS_DIGEST_HEX + 7];
    uint64_t check; /* of what stands before it, and of the table */
} head;
_Static_assert(sizeof(head) == 104, "no padding, whose bytes no check could know");

static head head_of(const fs_foam *foam) {
    head h = {.magic = {'f', 's', 'f', 'o', 'a', 'm', '1', '\n'},
              .byte_order = 0x01020304u,
              .sites = foam->sites,
              .faces = foam->faces};
    memcpy(h.digest, foam->digest, sizeof foam->digest);
    return h;
}

typedef struct extent {
    void *data;
    size_t bytes;
} extent;

/* The arrays in the order of the file. */
static void arrays_of(const fs_foam *foam, extent array[ARRAYS]) {
    const size_t n = foam->sites;
    const extent all[ARRAYS] = {{foam->x, n * sizeof *foam->x},
                                {foam->y, n * sizeof *foam->y},
                                {foam->z, n * sizeof *foam->z},
                                {foam->density, n * sizeof *foam->density},
                                {foam->rgb, n * 3},
                                {foam->adjacency_end, n * sizeof *foam->adjacency_end},
                                {foam->adjacency, foam->faces * sizeof *foam->adjacency}};
    memcpy(array, all, sizeof all);
}

static uint32_t pieces_of(const extent array[ARRAYS]) {
    size_t pieces = 0;
    for (int k = 0; k < ARRAYS; k++)
        pieces += (array[k].bytes + PIECE - 1) / PIECE;
    return (uint32_t)pieces;
}

/* Piece number p, and where its first byte lies behind the table. */
static extent piece_at(const extent array[ARRAYS], uint32_t p, size_t *offset) {
    size_t before = 0;
    int k = 0;
    for (; (size_t)p * PIECE >= (array[k].bytes + PIECE - 1) / PIECE * PIECE; k++) {
        p -= (uint32_t)((array[k].bytes + PIECE - 1) / PIECE);
        before += array[k].bytes;
    }
    const size_t begin = (size_t)p * PIECE, left = array[k].bytes - begin;
    *offset = before + begin;
    return (extent){(unsigned char *)array[k].data + begin, left < PIECE ? left : PIECE};
}

static uint64_t check_of(const head *h, const uint64_t *table, uint32_t pieces) {
    return fs_check64(fs_check64(0, h, offsetof(head, check)), table, pieces * sizeof *table);
}

/* ---- reading ---- */

static bool read_at(int fd, void *to, size_t bytes, size_t offset) {
    unsigned char *at = to;
    while (bytes > 0) {
        ssize_t got = pread(fd, at, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        offset += (size_t)got;
        bytes -= (size_t)got;
    }
    return true;
}

static void allocate(fs_foam *foam) {
    const size_t n = foam->sites;
    foam->x = fs_malloc(n * sizeof *foam->x);
    foam->y = fs_malloc(n * sizeof *foam->y);
    foam->z = fs_malloc(n * sizeof *foam->z);
    foam->density = fs_malloc(n * sizeof *foam->density);
    foam->rgb = fs_malloc(n * 3);
    foam->adjacency_end = fs_malloc(n * sizeof *foam->adjacency_end);
    foam->adjacency = fs_malloc(foam->faces * sizeof *foam->adjacency);
    fs_prefer_huge_pages(foam->adjacency, foam->faces * sizeof *foam->adjacency);
}

/* Reads the pieces and looks at each while it is in the cache. */
static bool read_pieces(int fd, const extent array[ARRAYS], const uint64_t *table, uint32_t pieces) {
    const size_t begin = sizeof(head) + pieces * sizeof *table;
    bool whole = true;
#pragma omp parallel for schedule(dynamic, 4) reduction(&& : whole) if (pieces >= PARALLEL_FROM)
    for (uint32_t p = 0; p < pieces; p++) {
        size_t offset;
        const extent piece = piece_at(array, p, &offset);
        whole = whole && read_at(fd, piece.data, piece.bytes, begin + offset) &&
                fs_check64(0, piece.data, piece.bytes) == table[p];
    }
    return whole;
}

/* The head says how large the file is: with another size nothing else of it is believed. */
static bool read_open(int fd, fs_foam *foam) {
    head h;
    struct stat about;
    if (fstat(fd, &about) != 0 || !read_at(fd, &h, sizeof h, 0))
        return false;
    *foam = (fs_foam){.sites = h.sites, .faces = h.faces};
    memcpy(foam->digest, h.digest, sizeof foam->digest);
    head expected = head_of(foam);
    expected.check = h.check;
    if (memcmp(&h, &expected, sizeof h) != 0 || h.faces > UINT32_MAX)
        return false;
    extent array[ARRAYS];
    arrays_of(foam, array);
    const uint32_t pieces = pieces_of(array);
    uint64_t *table = fs_malloc((pieces + 1) * sizeof *table);
    size_t bytes = sizeof h + pieces * sizeof *table;
    for (int k = 0; k < ARRAYS; k++)
        bytes += array[k].bytes;
    bool whole = bytes == (uint64_t)about.st_size && read_at(fd, table, pieces * sizeof *table, sizeof h) &&
                 check_of(&h, table, pieces) == h.check;
    if (whole) {
        allocate(foam);
        arrays_of(foam, array);
        whole = read_pieces(fd, array, table, pieces);
    }
    free(table);
    return whole;
}

bool fs_foam_read_cached(const char *path, fs_foam *out) {
    *out = (fs_foam){0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool whole = read_open(fd, out);
    close(fd);
    if (!whole)
        fs_foam_free(out);
    return whole;
}

/* ---- writing ---- */

/* False: something could not be written, errno tells what. */
static bool write_all(const char *path, const fs_foam *foam) {
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    extent array[ARRAYS];
    arrays_of(foam, array);
    const uint32_t pieces = pieces_of(array);
    uint64_t *table = fs_malloc((pieces + 1) * sizeof *table);
    for (uint32_t p = 0; p < pieces; p++) {
        size_t offset;
        const extent piece = piece_at(array, p, &offset);
        table[p] = fs_check64(0, piece.data, piece.bytes);
    }
    head h = head_of(foam);
    h.check = check_of(&h, table, pieces);
    fwrite(&h, sizeof h, 1, file);
    fwrite(table, sizeof *table, pieces, file);
    for (int k = 0; k < ARRAYS; k++)
        fwrite(array[k].data, 1, array[k].bytes, file);
    free(table);
    bool good = fflush(file) == 0 && !ferror(file);
    return fclose(file) == 0 && good;
}

fs_status fs_foam_write_cached(const char *path, const fs_foam *foam, fs_error *err) {
    const size_t size = strlen(path) + 32;
    char *partial = fs_malloc(size);
    snprintf(partial, size, "%s.%ld.partial", path, (long)getpid());
    fs_status status = FS_OK;
    if (!write_all(partial, foam) || rename(partial, path) != 0) {
        status = fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(errno));
        remove(partial);
    }
    free(partial);
    return status;
}
