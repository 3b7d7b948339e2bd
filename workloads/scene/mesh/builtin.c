/* The two scenes of the paper that need no file, and soups.
 *
 * The box is the Cornell box as measured by its makers (Cornell University Program of Computer Graphics: The
 * Cornell Box, 1998), with what the public program adds to it (neural_path_tracing.md 2; IRL). */
#include "sim/base/detmath.h"
#include "sim/base/rng.h"
#include "workloads/scene/mesh/mesh_private.h"

#include <math.h>

typedef float quad[4][3];

static void add_quads(fs_mesh_builder *b, uint32_t material, const quad *quads, uint32_t count) {
    fs_mesh_begin(b, material);
    for (uint32_t q = 0; q < count; q++) {
        uint32_t corner[4];
        for (int i = 0; i < 4; i++)
            corner[i] = fs_mesh_add_vertex(b, quads[q][i], NULL);
        fs_mesh_add_triangle(b, corner[0], corner[1], corner[2]);
        fs_mesh_add_triangle(b, corner[2], corner[3], corner[0]);
    }
}

static const quad lamp[] = {
    {{343, 548.7998f, 227}, {343, 548.7998f, 332}, {213, 548.7998f, 332}, {213, 548.7998f, 227}}};
static const quad white_walls[] = {
    {{552.8f, 0, 0}, {0, 0, 0}, {0, 0, 559.2f}, {549.6f, 0, 559.2f}},
    {{556, 548.8f, 0}, {556, 548.8f, 559.2f}, {0, 548.8f, 559.2f}, {0, 548.8f, 0}},
    {{549.6f, 0, 559.2f}, {0, 0, 559.2f}, {0, 548.8f, 559.2f}, {556, 548.8f, 559.2f}},
};
static const quad left_wall[] = {
    {{552.8f, 0, 0}, {549.6f, 0, 559.2f}, {556, 548.8f, 559.2f}, {556, 548.8f, 0}}};
static const quad right_wall[] = {{{0, 0, 559.2f}, {0, 0, 0}, {0, 548.8f, 0}, {0, 548.8f, 559.2f}}};
static const quad short_block[] = {
    {{130, 165, 65}, {82, 165, 225}, {240, 165, 272}, {290, 165, 114}},
    {{290, 0, 114}, {290, 165, 114}, {240, 165, 272}, {240, 0, 272}},
    {{130, 0, 65}, {130, 165, 65}, {290, 165, 114}, {290, 0, 114}},
    {{82, 0, 225}, {82, 165, 225}, {130, 165, 65}, {130, 0, 65}},
    {{240, 0, 272}, {240, 165, 272}, {82, 165, 225}, {82, 0, 225}},
};
static const quad tall_block[] = {
    {{423, 330, 247}, {265, 330, 296}, {314, 330, 456}, {472, 330, 406}},
    {{423, 0, 247}, {423, 330, 247}, {472, 330, 406}, {472, 0, 406}},
    {{472, 0, 406}, {472, 330, 406}, {314, 330, 456}, {314, 0, 456}},
    {{314, 0, 456}, {314, 330, 456}, {265, 330, 296}, {265, 0, 296}},
    {{265, 0, 296}, {265, 330, 296}, {423, 330, 247}, {423, 0, 247}},
};

#define ADD_QUADS(b, material, quads) add_quads(b, material, quads, sizeof(quads) / sizeof(quads)[0])

enum { WHITE, RED, GREEN, GLASS, LAMP, MIRROR, BLUE_LAMP, BLUE, BOX_MATERIALS };
/* Emission of the lamp: its measured spectrum as the public program sums it up. */
static const fs_material box_material[BOX_MATERIALS] = {
    [WHITE] = {{0.75f, 0.75f, 0.75f}, {0}, 1.52f, FS_MATERIAL_DIFFUSE},
    [RED] = {{0.66f, 0, 0}, {0}, 1.52f, FS_MATERIAL_DIFFUSE},
    [GREEN] = {{0, 0.48f, 0}, {0}, 1.52f, FS_MATERIAL_DIFFUSE},
    [GLASS] = {{0.4f, 0.4f, 0.85f}, {0}, 1.52f, FS_MATERIAL_REFRACTIVE},
    [LAMP] = {{0.78f, 0.78f, 0.78f},
              {3400.0f / 255.0f, 1962.2f / 255.0f, 458.4f / 255.0f},
              1.52f,
              FS_MATERIAL_DIFFUSE},
    [MIRROR] = {{0.4f, 0.4f, 0.4f}, {0}, 1.52f, FS_MATERIAL_SPECULAR},
    [BLUE_LAMP] = {{0.4f, 0.4f, 0.85f}, {0.8f, 1.4f, 1.84f}, 1.52f, FS_MATERIAL_DIFFUSE},
    [BLUE] = {{0.4f, 0.4f, 0.85f}, {0}, 1.52f, FS_MATERIAL_DIFFUSE},
};

/* A mesh of `bust` by its place in the box: scaled to a diagonal of 175, turned by half a turn about y, put
 * on the short block (IRL). */
static void place_bust(fs_mesh_builder *b, const fs_mesh_scene *bust, uint32_t m) {
    static const float at[3] = {210, 165, 160};
    const fs_mesh *mesh = &bust->mesh[m];
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, square = 0;
    for (uint32_t v = 0; v < mesh->vertices; v++)
        for (int a = 0; a < 3; a++) {
            low[a] = fminf(low[a], bust->vertex[mesh->first_vertex + v][a]);
            high[a] = fmaxf(high[a], bust->vertex[mesh->first_vertex + v][a]);
        }
    for (int a = 0; a < 3; a++)
        square += (high[a] - low[a]) * (high[a] - low[a]);
    const float scale = 175.0f / sqrtf(square);
    fs_mesh_begin(b, WHITE);
    const uint32_t base = b->scene.vertices;
    for (uint32_t v = 0; v < mesh->vertices; v++) {
        const float *p = bust->vertex[mesh->first_vertex + v];
        const float moved[3] = {-p[0] * scale + at[0], p[1] * scale + at[1], -p[2] * scale + at[2]};
        fs_mesh_add_vertex(b, moved, NULL);
    }
    for (uint32_t t = 0; t < mesh->triangles; t++) {
        const uint32_t *corner = bust->triangle[mesh->first_triangle + t];
        fs_mesh_add_triangle(b, base + corner[0] - mesh->first_vertex, base + corner[1] - mesh->first_vertex,
                             base + corner[2] - mesh->first_vertex);
    }
}

void fs_mesh_build_box(fs_mesh_builder *b, const fs_mesh_scene *bust) {
    for (int m = 0; m < BOX_MATERIALS; m++)
        fs_mesh_add_material(b, &box_material[m]);
    ADD_QUADS(b, LAMP, lamp);
    ADD_QUADS(b, WHITE, white_walls);
    ADD_QUADS(b, RED, left_wall);
    ADD_QUADS(b, GREEN, right_wall);
    ADD_QUADS(b, WHITE, short_block);
    ADD_QUADS(b, MIRROR, tall_block);
    fs_mesh_builder made = {0};
    if (bust == NULL) {
        fs_mesh_build_bust(&made, 0);
        bust = &made.scene;
    }
    for (uint32_t m = 0; m < bust->meshes; m++)
        place_bust(b, bust, m);
    fs_mesh_builder_free(&made);
    fs_mesh_add_sphere(b, (const float[3]){450, 37, 90}, 37, GLASS);
    fs_mesh_add_sphere(b, (const float[3]){350, 37, 90}, 37, BLUE);
    fs_mesh_add_disc(b, (const float[3]){0.0002f, 300, 250}, (const float[3]){1, 0, 0}, 60, BLUE_LAMP);
    b->scene.camera = (fs_mesh_camera){
        .position = {278, 273, -800}, .forward = {0, 0, 1}, .up = {0, 1, 0}, .fov = (float)(FS_PI / 4)};
}

/* Five spheres, two of them about one centre (a coloured ball under clear coat), on a round floor
 * (neural_path_tracing.md 2; IRL). */
void fs_mesh_build_spheres(fs_mesh_builder *b) {
    static const fs_material materials[] = {
        {{1, 0.89f, 0.55f}, {0}, 1.52f, FS_MATERIAL_DIFFUSE},
        {{1, 1, 1}, {0}, 1.52f, FS_MATERIAL_SPECULAR},
        {{0.75f, 0.75f, 0.75f}, {0}, 1.52f, FS_MATERIAL_REFRACTIVE},
        {{0.8f, 0.06f, 0.391f}, {0}, 1.52f, FS_MATERIAL_DIFFUSE},
        {{1, 1, 1}, {0}, 1.52f, FS_MATERIAL_REFRACTIVE},
        {{0.98f, 0.76f, 0.66f}, {0}, 1.52f, FS_MATERIAL_DIFFUSE},
    };
    static const struct {
        float centre[3], radius;
    } ball[] = {
        {{-1.8575f, -0.98714f, -3.6f}, 0.6f},   {{0.74795f, -0.55f, -4.3816f}, 1.05f},
        {{1.9929f, -1.08666f, -3.23f}, 0.5f},   {{-0.19931f, -1.183f, -2.75f}, 0.4f},
        {{-0.19931f, -1.183f, -2.75f}, 0.401f},
    };
    for (size_t m = 0; m < sizeof materials / sizeof materials[0]; m++)
        fs_mesh_add_material(b, &materials[m]);
    for (uint32_t i = 0; i < sizeof ball / sizeof ball[0]; i++)
        fs_mesh_add_sphere(b, ball[i].centre, ball[i].radius, i);
    fs_mesh_add_disc(b, (const float[3]){0, -1.6f, -5.22f}, (const float[3]){0, 1, 0}, 3.5f, 5);
    b->scene.camera = (fs_mesh_camera){.forward = {0, 0, -1}, .up = {0, 1, 0}, .fov = (float)(FS_PI / 2)};
}

/* Uniform on the sphere: height and turn are (Archimedes). */
static void soup_direction(fs_rng *rng, double d[3]) {
    const double z = 2 * fs_rng_unit(rng) - 1, turn = FS_TURN * fs_rng_unit(rng), r = sqrt(1 - z * z);
    d[0] = r * fs_cos(turn);
    d[1] = r * fs_sin(turn);
    d[2] = z;
}

/* Equilateral, its centre uniform in the unit cube, turned at random. */
static void even_triangle(fs_rng *rng, double edge, float corner[3][3]) {
    static const double along[3] = {1, -0.5, -0.5},
                        across[3] = {0, 1, -1}; /* of the circle's radius, of half an edge */
    double centre[3], u[3], w[3];
    for (int a = 0; a < 3; a++)
        centre[a] = fs_rng_unit(rng);
    soup_direction(rng, u);
    soup_direction(rng, w);
    const double v[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]},
                 length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), radius = edge / sqrt(3.0),
                 half = length > 0 ? 0.5 * edge / length : 0;
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++)
            corner[i][a] = (float)(centre[a] + radius * along[i] * u[a] + half * across[i] * v[a]);
}

static void free_triangle(fs_rng *rng, float corner[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++)
            corner[i][a] = (float)(fs_rng_u64(rng) >> 40) * 0x1p-24f;
}

void fs_mesh_build_soup(fs_mesh_builder *b, uint32_t triangles, double edge, uint64_t seed) {
    static const fs_material grey = {{0.75f, 0.75f, 0.75f}, {0}, 1.52f, FS_MATERIAL_DIFFUSE};
    fs_rng rng = fs_rng_stream(seed, "scene/mesh/soup");
    fs_mesh_begin(b, fs_mesh_add_material(b, &grey));
    for (uint32_t t = 0; t < triangles; t++) {
        float at[3][3];
        uint32_t corner[3];
        if (edge > 0)
            even_triangle(&rng, edge, at);
        else
            free_triangle(&rng, at);
        for (int i = 0; i < 3; i++)
            corner[i] = fs_mesh_add_vertex(b, at[i], NULL);
        fs_mesh_add_triangle(b, corner[0], corner[1], corner[2]);
    }
    b->scene.camera = (fs_mesh_camera){
        .position = {0.5f, 0.5f, 2.5f}, .forward = {0, 0, -1}, .up = {0, 1, 0}, .fov = (float)(FS_PI / 4)};
}

/* A head on shoulders for the box: it stands in for the bust of the public program (IRL, monkey_bust.glb),
 * which is a file. Like that one it has 4,000 triangles with flat normals, so no corner is shared. */

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
