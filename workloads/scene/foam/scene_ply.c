/* Radiant Foam PLY (scenes.md 1): element `vertex` (x y z red green blue density adjacency_offset, then
 * spherical harmonics), element `adjacency` (one index a record). The offset of a site is the CSR end of its
 * list. */
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/host/file.h"
#include "workloads/scene/files/ply.h"
#include "workloads/scene/foam/foam_scene.h"
#include "workloads/scene/foam/harmonics.h"
#include "workloads/scene/foam/scene_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static fs_status read_vertices(fs_ply *ply, fs_foam *foam, fs_error *err) {
    uint32_t n = foam->sites;
    uint32_t *end = fs_malloc(n * sizeof *end);
    const fs_ply_column columns[] = {
        {"x", FS_PLY_F32, foam->x, 1},
        {"y", FS_PLY_F32, foam->y, 1},
        {"z", FS_PLY_F32, foam->z, 1},
        {"red", FS_PLY_U8, foam->rgb, 3},
        {"green", FS_PLY_U8, foam->rgb + 1, 3},
        {"blue", FS_PLY_U8, foam->rgb + 2, 3},
        {"density", FS_PLY_F32, foam->density, 1},
        {"adjacency_offset", FS_PLY_U32, end, 1},
    };
    fs_status status = fs_ply_read(ply, "vertex", columns, sizeof columns / sizeof columns[0], err);
    for (uint32_t i = 0; status == FS_OK && i < n; i++)
        foam->adjacency_end[i] = end[i];
    free(end);
    return status;
}

static fs_status check_sites(const fs_ply *ply, const fs_foam *foam, fs_error *err) {
    char where[128];
    for (uint32_t i = 0; i < foam->sites; i++) {
        const float value[4] = {foam->x[i], foam->y[i], foam->z[i], foam->density[i]};
        static const char *const name[4] = {"x", "y", "z", "density"};
        for (int k = 0; k < 4; k++)
            if (!isfinite(value[k]))
                return fs_fail(err, FS_INPUT, "%s: %s: %s is not finite: %g", ply->path,
                               fs_ply_where(ply, "vertex", i, where, sizeof where), name[k],
                               (double)value[k]);
        if (foam->density[i] < 0)
            return fs_fail(
                err, FS_INPUT, "%s: %s: density %.9g is negative: expected an extinction of at least 0",
                ply->path, fs_ply_where(ply, "vertex", i, where, sizeof where), (double)foam->density[i]);
    }
    uint32_t first, second;
    if (fs_points_repeated(foam->x, foam->y, foam->z, foam->sites, &first, &second))
        return fs_fail(err, FS_INPUT,
                       "%s: %s has the same position as vertex %" PRIu32 ", (%.9g, %.9g, %.9g)", ply->path,
                       fs_ply_where(ply, "vertex", second, where, sizeof where), first,
                       (double)foam->x[first], (double)foam->y[first], (double)foam->z[first]);
    return FS_OK;
}

static fs_status check_offsets(const fs_ply *ply, const fs_foam *foam, fs_error *err) {
    char where[128];
    for (uint32_t i = 0; i < foam->sites; i++)
        if (foam->adjacency_end[i] < fs_foam_begin(foam, i) || foam->adjacency_end[i] > foam->faces)
            return fs_fail(err, FS_INPUT,
                           "%s: %s: adjacency_offset %" PRIu64 " is out of order: expected %" PRIu64
                           " (that of the site before) to %" PRIu64 " (the number of adjacencies)",
                           ply->path, fs_ply_where(ply, "vertex", i, where, sizeof where),
                           foam->adjacency_end[i], fs_foam_begin(foam, i), foam->faces);
    if (foam->adjacency_end[foam->sites - 1] != foam->faces)
        return fs_fail(err, FS_INPUT,
                       "%s: the last adjacency_offset is %" PRIu64 ", but there are %" PRIu64 " adjacencies",
                       ply->path, foam->adjacency_end[foam->sites - 1], foam->faces);
    return FS_OK;
}

/* Range, no site its own neighbour, no neighbour twice; lists that are not ascending are sorted. */
static fs_status check_lists(const fs_ply *ply, fs_foam *foam, fs_error *err) {
    char where[128];
    for (uint32_t i = 0; i < foam->sites; i++) {
        uint64_t begin = fs_foam_begin(foam, i), end = foam->adjacency_end[i];
        bool ascending = true;
        for (uint64_t k = begin; k < end; k++) {
            uint32_t j = foam->adjacency[k];
            if (j >= foam->sites)
                return fs_fail(err, FS_INPUT,
                               "%s: %s: neighbour %" PRIu32 " of site %" PRIu32
                               " is out of range: there are %" PRIu32 " sites",
                               ply->path, fs_ply_where(ply, "adjacency", k, where, sizeof where), j, i,
                               foam->sites);
            if (j == i)
                return fs_fail(err, FS_INPUT, "%s: %s: site %" PRIu32 " is its own neighbour", ply->path,
                               fs_ply_where(ply, "adjacency", k, where, sizeof where), i);
            ascending = ascending && (k == begin || foam->adjacency[k - 1] < j);
        }
        if (ascending)
            continue;
        qsort(foam->adjacency + begin, end - begin, sizeof *foam->adjacency, fs_by_u32);
        for (uint64_t k = begin + 1; k < end; k++)
            if (foam->adjacency[k] == foam->adjacency[k - 1])
                return fs_fail(err, FS_INPUT, "%s: vertex %" PRIu32 ": neighbour %" PRIu32 " is listed twice",
                               ply->path, i, foam->adjacency[k]);
    }
    return FS_OK;
}

/* With ascending lists the sites that name j appear in ascending order while walking all lists, just as j's
 * own list has them: one cursor for each list finds the first difference. */
static fs_status check_symmetry(const fs_ply *ply, const fs_foam *foam, fs_error *err) {
    uint64_t *cursor = fs_malloc(foam->sites * sizeof *cursor);
    fs_status status = FS_OK;
    for (uint32_t i = 0; i < foam->sites; i++)
        cursor[i] = fs_foam_begin(foam, i);
    for (uint32_t i = 0; i < foam->sites && status == FS_OK; i++)
        for (uint64_t k = fs_foam_begin(foam, i); k < foam->adjacency_end[i] && status == FS_OK; k++) {
            uint32_t j = foam->adjacency[k];
            if (cursor[j] < foam->adjacency_end[j] && foam->adjacency[cursor[j]] == i) {
                cursor[j]++;
                continue;
            }
            bool skipped = cursor[j] < foam->adjacency_end[j] && foam->adjacency[cursor[j]] < i;
            uint32_t a = skipped ? j : i, b = skipped ? foam->adjacency[cursor[j]] : j;
            status = fs_fail(err, FS_INPUT,
                             "%s: the adjacency is not symmetric: site %" PRIu32 " lists %" PRIu32
                             ", but site %" PRIu32 " does not list %" PRIu32,
                             ply->path, a, b, b, a);
        }
    free(cursor);
    return status;
}

static fs_status read_foam(fs_ply *ply, fs_foam *foam, fs_error *err) {
    uint64_t sites, faces;
    if (fs_ply_count(ply, "vertex", UINT32_MAX - 1, &sites, err) ||
        fs_ply_count(ply, "adjacency", UINT32_MAX, &faces, err))
        return err->status;
    if (sites == 0)
        return fs_fail(err, FS_INPUT, "%s: the scene is empty: element vertex has no records", ply->path);
    foam->sites = (uint32_t)sites;
    foam->faces = faces;
    fs_foam_allocate(foam);
    const fs_ply_column column = {"adjacency", FS_PLY_U32, foam->adjacency, 1};
    return read_vertices(ply, foam, err) || check_sites(ply, foam, err) || check_offsets(ply, foam, err) ||
                   fs_ply_read(ply, "adjacency", &column, 1, err) || fs_ply_expect_end(ply, err) ||
                   check_lists(ply, foam, err) || check_symmetry(ply, foam, err)
               ? err->status
               : FS_OK;
}

fs_status fs_foam_read_ply(const char *path, fs_foam *out, fs_error *err) {
    fs_ply ply;
    *out = (fs_foam){0};
    if (fs_ply_open(path, &ply, err))
        return err->status;
    if (read_foam(&ply, out, err))
        fs_foam_free(out);
    else
        fs_foam_seal(out);
    fs_ply_close(&ply);
    return err->status;
}

/* ---- harmonics ---- */

/* How many properties color_sh_0, color_sh_1 ... the vertices have. */
static uint32_t coefficients_of(const fs_ply *ply) {
    const fs_ply_element *vertex = fs_ply_element_named(ply, "vertex");
    uint32_t count = 0;
    char name[FS_PLY_NAME];
    for (; vertex != NULL; count++) {
        snprintf(name, sizeof name, "color_sh_%" PRIu32, count);
        if (fs_ply_property_named(vertex, name) == NULL)
            break;
    }
    return count;
}

static fs_status check_coefficients(const fs_ply *ply, const fs_foam *foam, uint32_t stride, fs_error *err) {
    char where[128];
    for (size_t i = 0; i < (size_t)foam->sites * stride; i++)
        if (!isfinite(foam->harmonics[i]))
            return fs_fail(err, FS_INPUT, "%s: %s: color_sh_%zu is not finite: %g", ply->path,
                           fs_ply_where(ply, "vertex", i / stride, where, sizeof where), i % stride,
                           (double)foam->harmonics[i]);
    return FS_OK;
}

static fs_status read_coefficients(fs_ply *ply, uint32_t degree, fs_foam *foam, fs_error *err) {
    const uint32_t stride = fs_harmonics_coefficients(degree), found = coefficients_of(ply);
    char name[3 * FS_HARMONICS_MOST][16];
    fs_ply_column columns[3 * FS_HARMONICS_MOST];
    uint64_t sites;
    if (fs_ply_count(ply, "vertex", UINT32_MAX - 1, &sites, err))
        return err->status;
    if (found < stride)
        return fs_fail(err, FS_INPUT,
                       "%s: %" PRIu32 " properties color_sh_*: expected %" PRIu32
                       " for workload.harmonics.degree: %" PRIu32 ", 9 for degree 1, 24 for 2, 45 for 3",
                       ply->path, found, stride, degree);
    if (sites != foam->sites)
        return fs_fail(err, FS_IO, "%s has changed while it was read", ply->path);
    foam->degree = degree;
    foam->harmonics = fs_malloc((size_t)foam->sites * stride * sizeof *foam->harmonics);
    for (uint32_t k = 0; k < stride; k++) {
        snprintf(name[k], sizeof name[k], "color_sh_%" PRIu32, k);
        columns[k] = (fs_ply_column){name[k], FS_PLY_F32, foam->harmonics + k, stride};
    }
    return fs_ply_read(ply, "vertex", columns, stride, err) ? err->status
                                                            : check_coefficients(ply, foam, stride, err);
}

fs_status fs_foam_read_harmonics(const char *path, uint32_t degree, fs_foam *foam, fs_error *err) {
    fs_ply ply;
    if (fs_ply_open(path, &ply, err))
        return err->status;
    const fs_status status = read_coefficients(&ply, degree, foam, err);
    fs_ply_close(&ply);
    return status;
}

/* ---- writing ---- */

static void write_header(FILE *file, const fs_foam *foam) {
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\ncomment Radiant Foam written by foamsim\ncomment content "
            "sha256 %s\n"
            "element vertex %" PRIu32 "\nproperty float x\nproperty float y\nproperty float z\n"
            "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float density\n"
            "property uint adjacency_offset\n",
            foam->digest, foam->sites);
    for (uint32_t k = 0; k < fs_harmonics_coefficients(foam->degree); k++)
        fprintf(file, "property float color_sh_%" PRIu32 "\n", k);
    fprintf(file, "element adjacency %" PRIu64 "\nproperty uint adjacency\nend_header\n", foam->faces);
}

static void write_vertices(FILE *file, const fs_foam *foam) {
    for (uint32_t i = 0; i < foam->sites; i++) {
        unsigned char record[23];
        const float xyz[3] = {foam->x[i], foam->y[i], foam->z[i]};
        uint32_t end = (uint32_t)foam->adjacency_end[i];
        memcpy(record, xyz, 12);
        memcpy(record + 12, foam->rgb + (size_t)i * 3, 3);
        memcpy(record + 15, &foam->density[i], 4);
        memcpy(record + 19, &end, 4);
        fwrite(record, 1, sizeof record, file);
        if (foam->degree > 0) {
            const uint32_t stride = fs_harmonics_coefficients(foam->degree);
            fwrite(foam->harmonics + (size_t)i * stride, sizeof *foam->harmonics, stride, file);
        }
    }
}

fs_status fs_foam_write_ply(const char *path, const fs_foam *foam, fs_error *err) {
    fs_aside aside;
    fs_aside_clear(path); /* a killed run's may be large */
    if (fs_aside_open(&aside, path, err))
        return err->status;
    write_header(aside.file, foam);
    write_vertices(aside.file, foam);
    fwrite(foam->adjacency, sizeof *foam->adjacency, foam->faces, aside.file);
    return fs_aside_commit(&aside, FS_DURABLE, err);
}
