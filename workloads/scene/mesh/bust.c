/* A head on shoulders for the box: it stands in for the bust of the public program (IRL, monkey_bust.glb),
 * which is a file. Like that one it has 4,000 triangles with flat normals, so no corner is shared. */
#include "sim/base/detmath.h"
#include "workloads/scene/mesh/mesh_private.h"

#include <math.h>

enum { AROUND = 50, BANDS = 41 }; /* 2 x AROUND x (BANDS - 1) = 4,000 triangles: one row at each end */

static double bell(double x, double width) {
    return fs_exp(-(x / width) * (x / width));
}

/* Distance from the axis at height s (0 ... 1) and angle phi; the face is at phi = 0, the ears at the sides. */
static double radius(double s, double phi) {
    if (s <= 0 || s >= 1)
        return 0;
    const double from_head = (s - 0.66) / 0.34;
    const double head = from_head * from_head < 1 ? 0.33 * sqrt(1 - from_head * from_head) : 0;
    const double shoulders = 0.46 * bell(s, 0.2), neck = s < 0.6 ? 0.15 : 0;
    const double sine = fs_sin(phi), cosine = fs_cos(phi);
    const double ears = 0.16 * bell(s - 0.7, 0.08) * bell(1 - fabs(sine), 0.05);
    const double nose = 0.1 * bell(s - 0.6, 0.09) * bell(1 - cosine, 0.06);
    const double eyes = 0.04 * bell(s - 0.74, 0.04) * bell(fabs(sine) - 0.4, 0.15) * (cosine > 0 ? 1 : 0);
    double out = head;
    out = shoulders > out ? shoulders : out;
    out = neck > out ? neck : out;
    return out + ears + nose - eyes;
}

static void point(int band, int column, float out[3]) {
    const double s = (double)band / BANDS, phi = FS_TURN * (column % AROUND) / AROUND;
    const double r = radius(s, phi);
    out[0] = (float)(r * fs_sin(phi));
    out[1] = (float)s;
    out[2] = (float)(r * fs_cos(phi));
}

static void add(fs_mesh_builder *b, const int at[3][2]) {
    uint32_t corner[3];
    for (int i = 0; i < 3; i++) {
        float p[3];
        point(at[i][0], at[i][1], p);
        corner[i] = fs_mesh_add_vertex(b, p, NULL);
    }
    fs_mesh_add_triangle(b, corner[0], corner[1], corner[2]);
}

void fs_mesh_build_bust(fs_mesh_builder *b, uint32_t material) {
    fs_mesh_begin(b, material);
    for (int band = 0; band < BANDS; band++)
        for (int c = 0; c < AROUND; c++) {
            if (band > 0) /* the lowest band has one point below */
                add(b, (const int[3][2]){{band, c}, {band, c + 1}, {band + 1, c + 1}});
            if (band < BANDS - 1)
                add(b, (const int[3][2]){{band, c}, {band + 1, c + 1}, {band + 1, c}});
        }
}
