/* Entries of the cache of foams: a foam as it lies in memory, to be read straight into its arrays.
 *
 * A head, a check (sim/base/check.h) for each piece of the arrays, then the arrays one after the other. The
 * check in the head is of the head and of all other checks, so a byte that differs anywhere is noticed; the
 * file's size follows from the head. The content's digest stands in the head and is not worked out again.
 */
#define _GNU_SOURCE /* getentropy */
#include "sim/base/alloc.h"
#include "sim/base/check.h"
#include "sim/host/file.h"
#include "workloads/scene/foam/scene_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARRAYS = 7, PIECE = 1 << 19 };                 /* bytes: fits the second cache */
enum { PARALLEL_FROM = 4, PARALLEL_SITES = 1 << 16 }; /* pieces, sites; below, waking threads takes longer */

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

void fs_foam_allocate(fs_foam *foam) {
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

/* What a pair of sites weighs. */
static inline uint64_t weight_of(const uint64_t key[2], uint64_t low, uint64_t high) {
    uint64_t weight = ((high << 32 | low) ^ key[0]) * UINT64_C(0x9e3779b97f4a7c15);
    weight = ((weight ^ weight >> 32) + key[1]) * UINT64_C(0xbf58476d1ce4e5b9);
    return weight ^ weight >> 29;
}

/* The list of site i ascends within the foam and leaves the site out. balance: plus the weights of pairs where the
 * list leads up, minus where it leads down. */
static bool list_fits(const fs_foam *foam, const uint64_t key[2], uint32_t i, uint64_t *balance) {
    const uint32_t *begin = foam->adjacency + fs_foam_begin(foam, i), *at = begin,
                   *end = foam->adjacency + foam->adjacency_end[i];
    uint64_t sum = 0;
    for (int64_t last = -1; at < end && *at<i && * at> last; last = *at++)
        sum -= weight_of(key, *at, i);
    for (int64_t last = i; at<end && * at> last; last = *at++)
        sum += weight_of(key, i, *at);
    *balance += sum;
    return at == end && (end == begin || end[-1] < foam->sites);
}

/* Right checks do not make right numbers: a cache may be another user's. One pass over what the march follows
 * and reckons with: lists that ascend within the foam, no site that is its own neighbour, finite numbers, and
 * neighbours that are each other's. For the last all weights must balance. They are drawn anew each time, so
 * that no entry can be made for them; one that is not symmetric balances in one of 2^64 draws. */
static bool fits(const fs_foam *foam) {
    uint64_t key[2] = {0}, balance = 0;
    bool fits = foam->sites > 0 && foam->adjacency_end[foam->sites - 1] == foam->faces &&
                strspn(foam->digest, "0123456789abcdef") == FS_DIGEST_HEX - 1 &&
                getentropy(key, sizeof key) == 0;
#pragma omp parallel for schedule(static) reduction(&& : fits) reduction(+ : balance) if (foam->sites >= PARALLEL_SITES)
    for (uint32_t i = 0; i < foam->sites; i++) {
        const uint64_t begin = fs_foam_begin(foam, i), end = foam->adjacency_end[i];
        fits = fits && begin <= end && end <= foam->faces && isfinite(foam->x[i]) && isfinite(foam->y[i]) &&
               isfinite(foam->z[i]) && isfinite(foam->density[i]) && foam->density[i] >= 0.0f &&
               list_fits(foam, key, i, &balance);
    }
    return fits && balance == 0;
}

/* The head says how large the file is: with another size nothing else of it is believed. */
static bool read_open(int fd, fs_foam *foam) {
    head h;
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || !read_at(fd, &h, sizeof h, 0))
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
        fs_foam_allocate(foam);
        arrays_of(foam, array);
        whole = read_pieces(fd, array, table, pieces) && fits(foam);
    }
    free(table);
    return whole;
}

bool fs_foam_read_cached(const char *path, fs_foam *out) {
    *out = (fs_foam){0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would be waited for */
    if (fd < 0)
        return false;
    const bool whole = read_open(fd, out);
    close(fd);
    if (!whole)
        fs_foam_free(out);
    return whole;
}

/* ---- writing ---- */

static void write_all(FILE *file, const fs_foam *foam) {
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
}

fs_status fs_foam_write_cached(const char *path, const fs_foam *foam, fs_error *err) {
    fs_aside aside;
    fs_aside_clear(path); /* a killed run's may be large */
    fs_file_clear_irregular(path);
    if (fs_dir_make_above(path, err) || fs_aside_open(&aside, path, err))
        return err->status;
    write_all(aside.file, foam);
    return fs_aside_commit(&aside, FS_LIGHT, err);
}
