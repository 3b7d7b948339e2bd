/* A foam that grows: carving against where a wall is, the rules of a round against plain ones, the whole against a scene whose
 * depths are known, and the same bits for any number of threads. */
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "sim/host/voice.h"
#include "tests/support/foam/scene_case.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/foam/march/march.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/scene/foam/grow.h"
#include "workloads/scene/foam/scene_file.h"

#include <omp.h>

static fs_error err;
static const uint8_t grey[3] = {128, 128, 128};

/* ---- a scene ---- */

/* A ball of radius 1 around the origin on a floor z = -1, 16 wide, within a cylinder of radius 8: every ray ends. */
static const double wide = 8, high = 6;

static fs_sites ball_on_floor(uint64_t seed, uint32_t n) {
    fs_rng rng = fs_rng_stream(seed, "test/growth");
    fs_sites s = fs_sites_create(n);
    for (uint32_t i = 0; i < n; i++) {
        fs_v3 p = fs_v3_direction(&rng);
        const double turn = fs_rng_range(&rng, 0, FS_TURN), r = wide * sqrt(fs_rng_unit(&rng));
        if (i % 5 == 1 || i % 5 == 2)
            p = (fs_v3){r * cos(turn), r * sin(turn), -1};
        else if (i % 5 > 2)
            p = (fs_v3){wide * cos(turn), wide * sin(turn), fs_rng_range(&rng, -1, high)};
        fs_sites_push(&s, p, 0.9, grey);
    }
    s.density_is_opacity = true;
    return s;
}

/* Where a ray meets it first. */
static double depth_of_scene(const float o[3], const float d[3]) {
    const double b = (double)(o[0] * d[0] + o[1] * d[1] + o[2] * d[2]),
                 c = (double)(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]) - 1, in = b * b - c;
    if (in > 0 && -b - sqrt(in) > 0)
        return -b - sqrt(in);
    const double a2 = (double)(d[0] * d[0] + d[1] * d[1]), b2 = (double)(o[0] * d[0] + o[1] * d[1]),
                 c2 = (double)(o[0] * o[0] + o[1] * o[1]) - wide * wide,
                 wall = (-b2 + sqrt(b2 * b2 - a2 * c2)) / a2;
    return d[2] < 0 ? fmin(wall, (-1 - (double)o[2]) / (double)d[2]) : wall;
}

static fs_import_params growing(int64_t sites) {
    fs_import_params p = scene_usual_import();
    p.grow = (fs_grow_params){.sites = sites,
                              .factor = 1.3,
                              .air = 0.03,
                              .pictures = 8,
                              .rings = {10, 18, 26},
                              .distance = 4,
                              .cameras = "",
                              .centre_given = true}; /* 0 0 0 */
    return p;
}

/* ---- carving ---- */

TEST(what_pictures_see_through_is_empty) {
    fs_sites points = ball_on_floor(1, 40000);
    const fs_import_params p = growing(1);
    fs_carve *carve = fs_carve_make(&points, &p, &err);
    fs_rng rng = fs_rng_stream(2, "test/places");
    uint32_t wrong = 0, empty = 0;
    for (int i = 0; i < 4000; i++) {
        const fs_v3 at = fs_v3_random(&rng, (fs_v3){-3, -3, -1.5}, (fs_v3){3, 3, 1.5});
        const double r = fs_v3_length(at), away = fmin(fabs(r - 1), fabs(at.z + 1));
        const bool open = r > 1 && at.z > -1;
        if (away < 0.15) /* as near as points lie to each other, nothing can be said */
            continue;
        const fs_carve_sight sight = fs_carve_look(carve, (float)at.x, (float)at.y, (float)at.z);
        const bool is = fs_carve_empty(&sight);
        wrong += is != open;
        empty += is;
    }
    assert_true(empty > 1500);
    assert_true(wrong < 60); /* of some 3,500: under the ball, where two pictures do not come */
    fs_carve_free(carve);
    fs_sites_free(&points);
}

/* Points as far beside a camera as single precision goes lie in no picture of it: what it sees stays what it is, in no more time. */
TEST(points_far_beside_a_camera_are_in_no_picture) {
    static const float far[] = {1e10f, 1e20f, 3e38f};
    fs_sites points = ball_on_floor(1, 5000);
    const fs_import_params p = growing(1);
    fs_carve *before = fs_carve_make(&points, &p, &err);
    fs_sites more = fs_sites_create(points.count + 6);
    fs_sites_append(&more, &points, 0, points.count);
    for (int i = 0; i < 6; i++)
        fs_sites_push(&more, (fs_v3){i % 2 ? (double)far[i / 2] : -(double)far[i / 2], 0, 0}, 0.9, grey);
    fs_carve *carve = fs_carve_make(&more, &p, &err);
    fs_rng rng = fs_rng_stream(4, "test/places");
    for (int i = 0; i < 1000; i++) {
        const fs_v3 at = fs_v3_random(&rng, (fs_v3){-3, -3, -1.5}, (fs_v3){3, 3, 1.5});
        const fs_carve_sight a = fs_carve_look(before, (float)at.x, (float)at.y, (float)at.z),
                             b = fs_carve_look(carve, (float)at.x, (float)at.y, (float)at.z);
        assert_memory_equal(&a, &b, sizeof a);
    }
    fs_carve_free(before);
    fs_carve_free(carve);
    fs_sites_free(&points);
    fs_sites_free(&more);
}

/* ---- pixels ---- */

/* Picture i of three rings of eight around the origin, by the geometry of a ring: its distance along the view to a place. */
static double plain_depth_of(double distance, uint32_t i, const float at[3]) {
    const double height = (10 + 8 * (i / 8)) * FS_DEGREE, turn = (i % 8 + i / 8 / 3.0) / 8 * FS_TURN;
    const double out[3] = {-sin(turn) * cos(height), cos(turn) * cos(height), sin(height)};
    return distance - out[0] * (double)at[0] - out[1] * (double)at[1] - out[2] * (double)at[2];
}

/* N pixels of a picture 648 wide with a focal length of 481: N where they are few, their root where they are many. */
static fs_carve_count plain_count(double distance, const float at[3], double across,
                                  const fs_carve_set *set) {
    fs_carve_count sum = {0};
    for (uint32_t i = 0; i < 24; i++) {
        const double pixels = pow(481 * across / plain_depth_of(distance, i, at), 2);
        if ((set->word[0] >> i & 1) == 0)
            continue;
        sum.counted += pixels / sqrt(1 + pixels);
        sum.most = fmax(sum.most, pixels);
    }
    return sum;
}

static fs_carve *pictures_from(double distance) {
    fs_sites points = ball_on_floor(1, 500);
    fs_import_params p = growing(1);
    p.grow.distance = distance;
    fs_carve *carve = fs_carve_make(&points, &p, &err);
    fs_sites_free(&points);
    assert_non_null(carve);
    return carve;
}

TEST(few_pixels_count_and_many_by_their_root) {
    fs_carve *carve = pictures_from(4);
    const fs_carve_set all = {{0xffffff}}, two = {{0x20001}};
    const float middle[3] = {0, 0, 0}, aside[3] = {0.5f, -0.3f, 0.2f};
    const fs_carve_count few = fs_carve_pixels(carve, middle, 1e-4, &all),
                         many = fs_carve_pixels(carve, middle, 1, &all);
    assert_true(fabs(few.counted / (24 * pow(481 * 1e-4 / 4, 2)) - 1) < 1e-3);
    assert_true(fabs(many.counted / (24 * 481 / 4.0) - 1) < 1e-3);
    assert_true(fabs(many.most / pow(481 / 4.0, 2) - 1) < 1e-6);
    double across = 1e-3;
    for (int i = 0; i < 7; i++, across *= 3) {
        const fs_carve_count is = fs_carve_pixels(carve, aside, across, &two),
                             plain = plain_count(4, aside, across, &two);
        assert_true(fabs(is.counted / plain.counted - 1) < 1e-6);
        assert_true(fabs(is.most / plain.most - 1) < 1e-6);
    }
    fs_carve_free(carve);
}

/* ---- the capture's own pictures ---- */

/* The same 24 as a file of cameras, in a frame that is turned, moved and three times as large: nothing else comes out. */
TEST(cameras_of_a_file_see_what_those_of_rings_see) {
    static const char json[] = "transforms.json";
    fs_sites points = ball_on_floor(1, 20000);
    fs_import_params p = growing(1);
    fs_carve *rings = fs_carve_make(&points, &p, &err);
    FILE *out = fopen(json, "w");
    fprintf(out,
            "{\"w\": 648, \"h\": 420, \"fl_x\": 481, \"fl_y\": 481, \"cx\": 324, \"cy\": 210, \"frames\": [");
    for (int i = 0; i < 24; i++) {
        const double height = (10 + 8 * (i / 8)) * FS_DEGREE, turn = (i % 8 + i / 8 / 3.0) / 8 * FS_TURN;
        const fs_v3 back = {-sin(turn) * cos(height), cos(turn) * cos(height), sin(height)};
        const fs_v3 right = fs_v3_unit(fs_v3_cross((fs_v3){0, 0, 1}, back)), up = fs_v3_cross(back, right);
        /* scene = 1/3 of (y, z, x) of the file, and 1 along x: the file's axes are the scene's z, x, y */
        const fs_v3 column[3] = {right, up, back}, eye = {4 * back.x - 1, 4 * back.y, 4 * back.z};
        fprintf(out, "%s{\"file_path\": \"%d.png\", \"transform_matrix\": [", i > 0 ? "," : "", i);
        for (int axis = 0; axis < 3; axis++) {
            for (int k = 0; k < 3; k++)
                fprintf(out, "%s%.12f,", k > 0 ? "" : "[",
                        axis == 0   ? column[k].z
                        : axis == 1 ? column[k].x
                                    : column[k].y);
            fprintf(out, "%.12f],", 3 * (axis == 0 ? eye.z : axis == 1 ? eye.x : eye.y));
        }
        fprintf(out, "[0,0,0,1]]}");
    }
    fprintf(out, "]}\n");
    fclose(out);
    static const double third = 1 / 3.0;
    const double turned[16] = {0, third, 0, 1, 0, 0, third, 0, third, 0, 0, 0, 0, 0, 0, 1};
    memcpy(p.transform, turned, sizeof turned);
    p.transform_given = true;
    p.grow.cameras = json;
    fs_carve *own = fs_carve_make(&points, &p, &err);
    assert_got(own, &err);
    fs_rng rng = fs_rng_stream(3, "test/places");
    uint32_t other = 0;
    for (int i = 0; i < 4000; i++) {
        const fs_v3 at = fs_v3_random(&rng, (fs_v3){-3, -3, -1.5}, (fs_v3){3, 3, 1.5});
        const fs_carve_sight a = fs_carve_look(rings, (float)at.x, (float)at.y, (float)at.z),
                             b = fs_carve_look(own, (float)at.x, (float)at.y, (float)at.z);
        other += __builtin_popcountll((a.through.word[0] ^ b.through.word[0]) |
                                      (a.framed.word[0] ^ b.framed.word[0])) > 1;
    }
    assert_true(other < 40); /* where a place lies at a disc's rim */
    fs_carve_free(rings);
    fs_carve_free(own);
    p.grow.cameras = "no-such-cameras.json";
    assert_null(fs_carve_make(&points, &p, &err));
    assert_int_equal(err.status, FS_INPUT);
    err = (fs_error){0};
    fs_sites_free(&points);
}

static void hear(void *self, const char *line) {
    snprintf(self, 200, "%s", line);
}

/* Carving knows pinholes: of other lenses it says so, of pinholes nothing. */
TEST(a_distortion_is_left_out_aloud) {
    static const char *const lens[] = {"\"k1\": -0.1, \"k2\": 0.01", "\"k1\": 0, \"p2\": 0"};
    static const char *const words[] = {
        "lens.json: 1 of 1 lenses have a distortion, which is left out: cameras here are pinholes", ""};
    fs_sites points = ball_on_floor(1, 500);
    fs_import_params p = growing(1);
    p.grow.cameras = "lens.json";
    for (int i = 0; i < 2; i++) {
        char said[200] = "";
        FILE *out = fopen("lens.json", "w");
        fprintf(out,
                "{\"w\": 64, \"h\": 42, \"fl_x\": 48, %s, \"frames\": [{\"transform_matrix\": "
                "[[1,0,0,0],[0,1,0,0],[0,0,1,4],[0,0,0,1]]}]}",
                lens[i]);
        fclose(out);
        fs_voice_heard(hear, said);
        fs_carve *carve = fs_carve_make(&points, &p, &err);
        fs_voice_heard(NULL, NULL);
        assert_non_null(carve);
        fs_carve_free(carve);
        assert_string_equal(said, words[i]);
    }
    fs_sites_free(&points);
}

/* ---- a round ---- */

static bool has(const fs_carve_set *set, uint32_t picture) {
    return set->word[picture / 64] >> picture % 64 & 1;
}

static double away(const fs_foam *m, uint32_t i, uint32_t j) {
    const double x = (double)m->x[i] - (double)m->x[j], y = (double)m->y[i] - (double)m->y[j],
                 z = (double)m->z[i] - (double)m->z[j];
    return sqrt(x * x + y * y + z * z);
}

static bool is_neighbour(const fs_foam *m, uint32_t i, uint32_t j) {
    for (uint64_t k = fs_foam_begin(m, i); k < m->adjacency_end[i]; k++)
        if (m->adjacency[k] == j)
            return true;
    return false;
}

/* The layer by its definition: 1 where a picture that has the site within it, and does not see through it, sees through an empty
 * neighbour; else one more than the least of the opaque neighbours, for opacities that still add a thousandth. */
static void plain_layers(const fs_growth *g, uint8_t *layer, uint32_t deepest) {
    const fs_foam *m = g->mesh;
    for (uint32_t i = 0; i < m->sites; i++) {
        layer[i] = FS_LAYER_NONE;
        for (uint32_t j = 0; j < m->sites; j++)
            if (m->density[i] > 0 && m->density[j] <= 0 && is_neighbour(m, i, j))
                for (uint32_t p = 0; p < FS_CARVE_PICTURES; p++)
                    if (has(&g->sight[j].through, p) && has(&g->sight[i].framed, p) &&
                        !has(&g->sight[i].through, p))
                        layer[i] = 1;
    }
    for (uint32_t l = 2; l <= deepest; l++)
        for (uint32_t i = 0; i < m->sites; i++)
            for (uint32_t j = 0; layer[i] == FS_LAYER_NONE && m->density[i] > 0 && j < m->sites; j++)
                if (layer[j] == l - 1 && is_neighbour(m, i, j))
                    layer[i] = (uint8_t)l;
}

/* A foam of few sites with sights drawn at random: what the rules say does not depend on where sights come from. */
static void draw_round(uint64_t seed, uint32_t n, fs_foam *mesh, fs_carve_sight *sight, double opacity) {
    fs_rng rng = fs_rng_stream(seed, "test/round");
    fs_sites s = fs_sites_create(n);
    for (uint32_t i = 0; i < n; i++) {
        const fs_v3 p = fs_v3_random(&rng, (fs_v3){-0.3, -0.3, -0.3}, (fs_v3){0.3, 0.3, 0.3});
        sight[i] = (fs_carve_sight){.framed = {{fs_rng_u64(&rng) & 0xff}}};
        sight[i].through.word[0] = p.z > 0 ? sight[i].framed.word[0] & fs_rng_u64(&rng) : 0;
        fs_sites_push(&s, p, fs_carve_empty(&sight[i]) ? 0 : opacity, grey);
    }
    assert_int_equal(fs_scene_connect(&s, 1, mesh, &err), FS_OK);
}

/* Pictures that see site i: of an empty one those that look through it; of the first layer those that see it over an empty
 * neighbour; behind that those of the neighbours in the layer before. */
static fs_carve_set plain_seen(const fs_growth *g, const uint8_t *layer, uint32_t i) {
    const fs_foam *m = g->mesh;
    fs_carve_set seen = {0};
    if (m->density[i] <= 0)
        return g->sight[i].through;
    for (uint32_t j = 0; layer[i] != FS_LAYER_NONE && j < m->sites; j++) {
        if (!is_neighbour(m, i, j))
            continue;
        if (layer[i] > 1 && layer[j] == layer[i] - 1)
            seen.word[0] |= plain_seen(g, layer, j).word[0];
        if (layer[i] == 1 && m->density[j] <= 0)
            seen.word[0] |=
                g->sight[j].through.word[0] & g->sight[i].framed.word[0] & ~g->sight[i].through.word[0];
    }
    return seen;
}

static const double far_off = 200; /* of the pictures in the tests of a round */

static fs_carve_count plain_pixels(const fs_growth *g, const uint8_t *layer, uint32_t i) {
    const fs_carve_set seen = plain_seen(g, layer, i);
    const float at[3] = {g->mesh->x[i], g->mesh->y[i], g->mesh->z[i]};
    return plain_count(far_off, at, (double)g->radius[i], &seen);
}

/* The slope of an opaque site's thickness: light, pixels, the inverse of the radius. */
static double plain_slope(const fs_growth *g, const uint8_t *layer, uint32_t i) {
    if (g->mesh->density[i] <= 0 || layer[i] == FS_LAYER_NONE)
        return 0;
    return pow(1 - g->opacity, layer[i] - 1) * plain_pixels(g, layer, i).counted / (double)g->radius[i];
}

/* What a site adds to the picture where it adds most: light, opacity, pixels; of air the opacity whose gradient is `air` of an opaque
 * site's. */
static double plain_adds(const fs_growth *g, const uint8_t *layer, uint32_t i) {
    const double most = plain_pixels(g, layer, i).most, dense = -log(1 - g->opacity);
    if (g->mesh->density[i] <= 0)
        return most * g->air * dense * exp(-dense);
    return layer[i] == FS_LAYER_NONE ? 0 : most * g->opacity * pow(1 - g->opacity, layer[i] - 1);
}

/* 0 of an empty site, which is before all layers. */
static uint32_t plain_depth(const fs_growth *g, const uint8_t *layer, uint32_t i) {
    return g->mesh->density[i] > 0 ? layer[i] : 0;
}

static double plain_weight(const fs_growth *g, const uint8_t *layer, uint32_t i) {
    const fs_foam *m = g->mesh;
    const uint32_t depth = plain_depth(g, layer, i);
    const double r = (double)g->radius[i];
    double sum = pow(plain_slope(g, layer, i), 2);
    bool by_surface = false;
    for (uint32_t j = 0; j < m->sites; j++) {
        const uint32_t other = plain_depth(g, layer, j);
        if (!is_neighbour(m, i, j))
            continue;
        by_surface = by_surface || other == 1;
        if (other != depth + 1 && other + 1 != depth)
            continue;
        uint32_t sharing = 0;
        for (uint32_t k = 0; k < m->sites; k++)
            sharing += is_neighbour(m, j, k) && plain_depth(g, layer, k) == depth;
        sum += pow(plain_slope(g, layer, j) / sharing, 2);
    }
    return depth == 0 && !by_surface ? g->air * plain_pixels(g, layer, i).counted : r * sqrt(sum);
}

static void check_site(const fs_growth *g, const uint8_t *layer, const uint8_t *flag, uint32_t i) {
    const fs_foam *m = g->mesh;
    double sum = 0, most = 0;
    uint32_t n = 0;
    const double adds = plain_adds(g, layer, i);
    bool little = adds <= 0.01;
    for (uint32_t j = 0; j < m->sites; j++) {
        if (!is_neighbour(m, i, j))
            continue;
        n++;
        sum += away(m, i, j);
        most = fmax(most, away(m, i, j));
        little = little && plain_adds(g, layer, j) <= 0.01;
    }
    const double radius = sum / n / 2, weight = plain_weight(g, layer, i);
    assert_true(fabs((double)g->radius[i] - radius) < 1e-6);
    assert_true(is_neighbour(m, i, g->farthest[i]) && away(m, i, g->farthest[i]) >= most);
    assert_true(fabs((double)g->weight[i] - weight) <= 1e-5 * weight);
    assert_true(fabs((double)g->adds[i] - adds) <= 1e-5 * adds);
    assert_int_equal(flag[i], !(radius < 0.1 && little));
}

/* The gradient of a pixel's colour by a site's position, by differences: a ray through a row of cells, empty ones before, opaque ones
 * behind. Both sites beside a face of a cell have the same one, two empty cells have none between them, and at half the size, the
 * opacity kept, it doubles: the rule of the weights (docs/facts/garden_view.md 3). */
static double colour_of_row(const double *at, const double *density, const double *colour, uint32_t n) {
    double light = 1, sum = 0;
    for (uint32_t i = 1; i + 1 < n; i++) {
        const double way = (at[i + 1] - at[i - 1]) / 2, passed = exp(-density[i] * way);
        sum += light * (1 - passed) * colour[i];
        light *= passed;
    }
    return sum;
}

TEST(the_gradient_is_what_the_weights_stand_for) {
    enum { N = 8 };
    const double colour[N] = {0, 0, 0, 0, 0.8, 0.3, 0.6, 0};
    double slope[2][N];
    for (int half = 0; half < 2; half++) {
        const double size = half ? 0.5 : 1, step = 1e-6 * size;
        double at[N], density[N];
        for (int i = 0; i < N; i++) {
            at[i] = size * i;
            density[i] = i >= 4 ? -log(1 - 0.9) / size : 0;
        }
        for (int i = 1; i + 1 < N; i++) {
            const double stood = at[i];
            at[i] = stood + step;
            const double more = colour_of_row(at, density, colour, N);
            at[i] = stood - step;
            slope[half][i] = (more - colour_of_row(at, density, colour, N)) / (2 * step);
            at[i] = stood;
        }
    }
    assert_true(fabs(slope[0][1]) < 1e-9 && fabs(slope[0][2]) < 1e-9); /* between empty cells */
    assert_true(fabs(slope[0][3]) > 1e-3);                             /* before the surface */
    assert_true(fabs(slope[0][5]) > 0.1 * fabs(slope[0][3])); /* the second layer: the back of the first */
    for (int i = 3; i + 1 < N; i++)
        assert_true(fabs(slope[1][i] - 2 * slope[0][i]) <= 1e-4 * fabs(slope[0][3]));
    /* So at half the size, with half the radius and, seen from far, a quarter of the pixels, a parent weighs a quarter. */
    enum { SITES = 700 };
    static fs_carve_sight sight[SITES];
    fs_foam mesh;
    draw_round(5, SITES, &mesh, sight, 0.9);
    fs_carve *carve = pictures_from(1e4);
    fs_growth whole = {.mesh = &mesh, .carve = carve, .sight = sight, .opacity = 0.9, .air = 0.03},
              half = whole;
    fs_growth_judge(&whole);
    for (uint32_t i = 0; i < SITES; i++) {
        mesh.x[i] *= 0.5f;
        mesh.y[i] *= 0.5f;
        mesh.z[i] *= 0.5f;
    }
    fs_growth_judge(&half);
    const double expected = slope[1][3] / slope[0][3] * 0.5 * 0.25;
    uint32_t heavy = 0;
    for (uint32_t i = 0; i < SITES; i++) {
        const double weight = (double)whole.weight[i];
        heavy += weight > 0;
        assert_true(fabs((double)half.weight[i] - expected * weight) <= 1e-4 * weight);
    }
    assert_true(heavy > SITES / 10);
    fs_growth_free(&whole);
    fs_growth_free(&half);
    fs_carve_free(carve);
    fs_foam_free(&mesh);
}

TEST(a_round_follows_its_rules) {
    enum { SITES = 700, DEEPEST = 5 }; /* light of 1e-5 ends in the fifth */
    static fs_carve_sight sight[SITES];
    static uint8_t layer[SITES], flag[SITES];
    static uint32_t list[SITES];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        fs_foam mesh;
        printf("seed %d\n", (int)seed);
        draw_round(seed, SITES, &mesh, sight, 0.9);
        fs_carve *carve = pictures_from(far_off);
        fs_growth g = {.mesh = &mesh, .carve = carve, .sight = sight, .opacity = 0.9, .air = 0.03};
        fs_growth_judge(&g);
        plain_layers(&g, layer, DEEPEST);
        const uint32_t stay = fs_growth_prune(&g, flag);
        uint32_t able = 0, gone = 0, hidden = 0;
        for (uint32_t i = 0; i < SITES; i++) {
            check_site(&g, layer, flag, i);
            hidden += layer[i] == 3;
            able += flag[i] && g.weight[i] > 0;
            gone += !flag[i];
        }
        assert_true(hidden > 10 && gone > 0 && stay == SITES - gone);
        /* parents: different ones that stay, the heaviest more often than their number */
        const uint32_t parents = fs_growth_parents(&g, flag, 60, fs_rng_stream(seed, "test/parents"), list);
        assert_int_equal(parents, 60);
        double drawn = 0, all = 0, squares = 0;
        for (uint32_t i = 0; i < SITES; i++) {
            all += flag[i] ? (double)g.weight[i] : 0;
            squares += flag[i] ? pow((double)g.weight[i], 2) : 0;
        }
        for (uint32_t k = 0; k < parents; k++) {
            assert_true(flag[list[k]] && g.weight[list[k]] > 0);
            drawn += (double)g.weight[list[k]];
            for (uint32_t l = 0; l < k; l++)
                assert_int_not_equal(list[k], list[l]);
            const fs_v3 child = fs_growth_child(&g, list[k], fs_rng_stream(seed, "test/child"));
            const uint32_t far = g.farthest[list[k]], p = list[k];
            const double way = away(&mesh, p, far),
                         x = child.x - 0.75 * (double)mesh.x[p] - 0.25 * (double)mesh.x[far],
                         y = child.y - 0.75 * (double)mesh.y[p] - 0.25 * (double)mesh.y[far],
                         z = child.z - 0.75 * (double)mesh.z[p] - 0.25 * (double)mesh.z[far];
            assert_true(fabs(sqrt(x * x + y * y + z * z) - 0.1 * way) < 1e-9);
        }
        /* a draw by weight has in the mean the squares' sum over the sum, more than the mean weight */
        assert_true(squares / all > 1.2 * all / able);
        assert_true(drawn / parents > 0.75 * squares / all && drawn / parents > 1.1 * all / able);
        assert_int_equal(fs_growth_parents(&g, flag, SITES, fs_rng_stream(seed, "x"), list), able);
        fs_growth_free(&g);
        fs_carve_free(carve);
        fs_foam_free(&mesh);
    }
}

/* ---- the whole ---- */

static void grow(uint64_t seed, int threads, int64_t sites, fs_foam *foam) {
    fs_sites points = ball_on_floor(1, 6000);
    fs_import_params p = growing(sites);
    p.seed = (int64_t)seed;
    omp_set_num_threads(threads);
    assert_ok(fs_scene_grow(&points, &p, threads, foam, &err), &err);
    omp_set_num_threads(omp_get_num_procs());
}

TEST(any_number_of_threads_grows_the_same_foam) {
    fs_foam one, three, other;
    grow(7, 1, 14000, &one);
    grow(7, 3, 14000, &three);
    grow(8, 1, 14000, &other);
    assert_string_equal(one.digest, three.digest);
    assert_string_not_equal(one.digest, other.digest);
    assert_in_range(one.sites, 13980, 14000);
    fs_foam_free(&one);
    fs_foam_free(&three);
    fs_foam_free(&other);
    fs_sites points = ball_on_floor(1, 6000);
    const fs_import_params few = growing(5000);
    assert_fails(fs_scene_grow(&points, &few, 1, &one, &err), FS_INPUT, &err, "scene.import.grow.sites");
    err = (fs_error){0};
}

/* Rays from between two pictures of a ring, and from a little further in, end where the scene is. */
TEST(a_grown_foam_is_as_deep_as_the_scene) {
    static double error[40 * 30];
    fs_arena *arena = test_arena();
    const fs_partition_params whole = {.shards = 1};
    const fs_march_params march = {.threshold = 0.01, .step_limit = 100000};
    const fs_camera_params view = {.width = 40,
                                   .height = 30,
                                   .position = {-3.2, 1.4, 1.1},
                                   .look_at = {0, 0, 0},
                                   .position_given = true,
                                   .look_at_given = true,
                                   .fov_y = 45};
    fs_camera camera;
    fs_foam foam;
    fs_partition uncut;
    fs_march_scene scene;
    grow(9, 2, 30000, &foam);
    assert_int_equal(fs_camera_make(&view, "", &camera, &err), FS_OK);
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &foam, &whole, arena, &uncut, &err), FS_OK);
    assert_int_equal(fs_march_scene_make(&foam, &uncut, &scene, &err), FS_OK);
    const uint32_t first = fs_march_nearest(&scene, &uncut, camera.origin);
    uint32_t close = 0;
    for (uint32_t k = 0; k < FS_COUNT(error); k++) {
        float d[3];
        fs_ray_state ray = {.T = 1.0f};
        fs_march_counts counts = {0};
        uint32_t cell = first;
        fs_camera_direction(&camera, k % 40, k / 40, d);
        fs_march(&scene, &march, camera.origin, d, 0, scene.cells, &cell, &ray, &counts);
        error[k] = fabs((double)ray.t / depth_of_scene(camera.origin, d) - 1);
        close += error[k] < 0.1;
    }
    printf("depth: median error %.2f %%, within 10 %% %.1f %%\n", 100 * fs_median(error, FS_COUNT(error)),
           100.0 * close / (double)FS_COUNT(error));
    assert_true(fs_median(error, FS_COUNT(error)) < 0.05);
    assert_true(close > 0.75 * (double)FS_COUNT(error));
    fs_march_scene_free(&scene);
    fs_foam_free(&foam);
}

RUN_TESTS(scratch_enter, scratch_leave)
