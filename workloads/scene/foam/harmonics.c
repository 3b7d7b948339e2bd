/* Spherical harmonics: the basis, and where a scene's coefficients come from. */
#include "workloads/scene/foam/harmonics.h"

#include "sim/base/alloc.h"

#include <math.h>

void fs_harmonics_basis(uint32_t degree, const float d[3], float y[FS_HARMONICS_MOST]) {
    /* sqrt(3/4pi), sqrt(15/4pi), sqrt(5/16pi), sqrt(15/16pi), sqrt(35/32pi), sqrt(105/4pi), sqrt(21/32pi),
     * sqrt(7/16pi), sqrt(105/16pi): what makes the mean square of each over the sphere 1 / 4pi */
    static const float c1 = 0.48860251f, c2 = 1.0925484f, c20 = 0.31539157f, c22 = 0.54627422f,
                       c33 = 0.59004359f, c32 = 2.8906114f, c31 = 0.45704580f, c30 = 0.37317633f,
                       c3_2 = 1.4453057f;
    const float x = d[0], yy = d[1], z = d[2];
    if (degree < 1)
        return;
    y[0] = -c1 * yy;
    y[1] = c1 * z;
    y[2] = -c1 * x;
    if (degree < 2)
        return;
    const float x2 = x * x, y2 = yy * yy, z2 = z * z;
    y[3] = c2 * (x * yy);
    y[4] = -c2 * (yy * z);
    y[5] = c20 * (2.0f * z2 - x2 - y2);
    y[6] = -c2 * (x * z);
    y[7] = c22 * (x2 - y2);
    if (degree < 3)
        return;
    y[8] = -c33 * yy * (3.0f * x2 - y2);
    y[9] = c32 * (x * yy) * z;
    y[10] = -c31 * yy * (4.0f * z2 - x2 - y2);
    y[11] = c30 * z * (2.0f * z2 - 3.0f * x2 - 3.0f * y2);
    y[12] = -c31 * x * (4.0f * z2 - x2 - y2);
    y[13] = c3_2 * z * (x2 - y2);
    y[14] = -c33 * x * (x2 - 3.0f * y2);
}

/* ---- gloss ---- */

/* The unit direction from an occupied site to where its neighbours are empty; false where none is. */
static bool normal_of(const fs_foam *foam, uint32_t site, float n[3]) {
    n[0] = n[1] = n[2] = 0.0f;
    for (uint64_t k = fs_foam_begin(foam, site); k < foam->adjacency_end[site]; k++) {
        const uint32_t other = foam->adjacency[k];
        if (foam->density[other] > 0.0f)
            continue;
        const float to[3] = {foam->x[other] - foam->x[site], foam->y[other] - foam->y[site],
                             foam->z[other] - foam->z[site]};
        const float length = sqrtf((to[0] * to[0] + to[1] * to[1]) + to[2] * to[2]);
        for (int a = 0; a < 3; a++)
            n[a] += to[a] / length;
    }
    const float length = sqrtf((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
    if (!(length > 1e-3f))
        return false;
    for (int a = 0; a < 3; a++)
        n[a] /= length;
    return true;
}

/* The highlight is the eighth power of the cosine between a ray's direction d and the direction a from which
 * the surface mirrors the sun, up to degree 3: sum over l of f_l P_l(d . a), f_l = (2l + 1) / 2 times the
 * integral of x^8 P_l(x) over 0 ... 1; and P_l(d . a) = 4 pi / (2l + 1) sum over m of Y_lm(d) Y_lm(a). */
void fs_harmonics_gloss(uint32_t degree, fs_foam *foam) {
    static const float sun[3] = {0.45f, -0.6f, 0.6614378f}; /* unit */
    static const float lobe[3] = {0.15f, 20.0f / 99.0f, 49.0f / 240.0f}, pi4 = 12.566371f, strength = 1.2f;
    const uint32_t functions = fs_harmonics_functions(degree);
    foam->degree = degree;
    foam->harmonics = fs_calloc((size_t)foam->sites * 3 * functions, sizeof *foam->harmonics);
#pragma omp parallel for schedule(static)
    for (uint32_t site = 0; site < foam->sites; site++) {
        float n[3], mirror[3], y[FS_HARMONICS_MOST];
        float *c = &foam->harmonics[(size_t)site * 3 * functions];
        if (!(foam->density[site] > 0.0f) || !normal_of(foam, site, n))
            continue;
        const float facing = (n[0] * sun[0] + n[1] * sun[1]) + n[2] * sun[2];
        if (!(facing > 0.0f))
            continue;
        for (int a = 0; a < 3; a++)
            mirror[a] = sun[a] - 2.0f * facing * n[a];
        fs_harmonics_basis(degree, mirror, y);
        for (uint32_t k = 0; k < functions; k++) {
            const uint32_t l = k < 3 ? 1 : k < 8 ? 2 : 3;
            const float light = strength * lobe[l - 1] * pi4 / (float)(2 * l + 1) * y[k];
            for (int channel = 0; channel < 3; channel++)
                c[3 * k + (uint32_t)channel] =
                    light * (0.5f + 0.5f * ((float)foam->rgb[3 * (size_t)site + (size_t)channel] / 255.0f));
        }
    }
}

/* ---- a scene's ---- */

fs_status fs_scene_harmonics(const fs_scene_params *params, uint32_t degree, fs_foam *foam, fs_error *err) {
    if (params->file[0] == '\0') {
        fs_harmonics_gloss(degree, foam);
    } else {
        int64_t format = params->import.format;
        if (format == FS_IMPORT_AUTO && fs_scene_sniff(params->file, &format, err))
            return err->status;
        if (format != FS_IMPORT_FOAM)
            return fs_fail(
                err, FS_INPUT,
                "%s: its sites have one colour each; expected workload.harmonics.degree: 0, the PLY of "
                "a Radiant Foam with color_sh_*, or a generated scene; found degree %u",
                params->file, degree);
        if (fs_foam_read_harmonics(params->file, degree, foam, err))
            return err->status;
    }
    fs_digest d;
    fs_digest_begin(&d);
    fs_digest_add(&d, &foam->degree, sizeof foam->degree);
    fs_digest_add(&d, foam->harmonics,
                  (size_t)foam->sites * fs_harmonics_coefficients(degree) * sizeof *foam->harmonics);
    fs_digest_end(&d, foam->harmonics_digest);
    return FS_OK;
}
