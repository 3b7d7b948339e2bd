/* Cameras of a run: the first one, and those of its path. */
#include "workloads/gaussians/view.h"

#include "sim/base/detmath.h"

#include <math.h>
#include <string.h>

typedef struct stand {
    double eye[3], look_at[3], up[3];
} stand;

/* ---- the 32-bit Mersenne twister, by which the published paths are drawn ---- */

enum { WORDS = 624, OFFSET = 397 };
typedef struct twister {
    uint32_t word[WORDS];
    int at;
} twister;

static void twister_seed(twister *t, uint32_t seed) {
    t->word[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++)
        t->word[i] = 1812433253u * (t->word[i - 1] ^ t->word[i - 1] >> 30) + i;
    t->at = WORDS;
}

/* By a key of one word, as Python seeds it. */
static void twister_seed_key(twister *t, uint32_t key) {
    twister_seed(t, 19650218u);
    uint32_t i = 1;
    for (uint32_t k = 0; k < WORDS; k++) {
        t->word[i] = (t->word[i] ^ (t->word[i - 1] ^ t->word[i - 1] >> 30) * 1664525u) + key;
        if (++i == WORDS)
            t->word[0] = t->word[WORDS - 1], i = 1;
    }
    for (uint32_t k = 1; k < WORDS; k++) {
        t->word[i] = (t->word[i] ^ (t->word[i - 1] ^ t->word[i - 1] >> 30) * 1566083941u) - i;
        if (++i == WORDS)
            t->word[0] = t->word[WORDS - 1], i = 1;
    }
    t->word[0] = 0x80000000u;
}

static uint32_t twister_next(twister *t) {
    if (t->at == WORDS) {
        for (int i = 0; i < WORDS; i++) {
            const uint32_t y = (t->word[i] & 0x80000000u) | (t->word[(i + 1) % WORDS] & 0x7fffffffu);
            t->word[i] = t->word[(i + OFFSET) % WORDS] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        t->at = 0;
    }
    uint32_t y = t->word[t->at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* ---- vectors ---- */

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static bool normalised(double a[3]) {
    const double length = length_of(a);
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return length > 1e-12;
}

/* Turns a vector about an axis of length one. */
static void turn(double v[3], const double axis[3], double degrees) {
    const double c = fs_cos(degrees * FS_DEGREE), s = fs_sin(degrees * FS_DEGREE),
                 along = (1 - c) * (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]);
    double across[3];
    cross(axis, v, across);
    for (int k = 0; k < 3; k++)
        v[k] = c * v[k] + s * across[k] + along * axis[k];
}

/* ---- the path ---- */

static double half_diagonal(const fs_splats *scene) {
    const double half[3] = {(double)scene->half[0], (double)scene->half[1], (double)scene->half[2]};
    return length_of(half);
}

/* As given, in the frame whose origin is the middle of the box; without a position twice half the box's diagonal in front. */
static stand first_stand(const fs_gaussians_camera *c, const fs_splats *scene) {
    stand s = {.eye = {0, 0, 2.0 * half_diagonal(scene)}, .up = {0, 1, 0}};
    for (int k = 0; k < 3; k++) {
        if (c->position_given)
            s.eye[k] = c->position[k] - (double)scene->middle[k];
        if (c->look_at_given)
            s.look_at[k] = c->look_at[k] - (double)scene->middle[k];
    }
    if (c->up_given)
        memcpy(s.up, c->up, sizeof s.up);
    return s;
}

static double azimuth(uint32_t seed, uint64_t number) {
    twister t;
    twister_seed_key(&t, seed);
    double unit = 0;
    for (uint64_t i = 0; i <= number; i++) {
        const uint32_t a = twister_next(&t) >> 5, b = twister_next(&t) >> 6;
        unit = ((double)a * 67108864.0 + (double)b) / 9007199254740992.0;
    }
    return -180.0 + 360.0 * unit;
}

/* Three uniform numbers of -1 ... 1, drawn z, y, x. */
static void direction(uint32_t seed, double out[3]) {
    twister t;
    twister_seed(&t, seed);
    for (int k = 2; k >= 0; k--)
        out[k] = (double)((float)twister_next(&t) / 4294967296.0f * 2.0f - 1.0f);
}

static void move(const fs_gaussians_path *p, double half, uint64_t frame, stand *s) {
    double axis[3] = {0, 1, 0}, to[3];
    if (p->axis_given)
        memcpy(axis, p->axis, sizeof axis);
    normalised(axis);
    for (int k = 0; k < 3; k++)
        to[k] = s->eye[k] - s->look_at[k];
    const double far = length_of(to), flat = sqrt(to[0] * to[0] + to[2] * to[2]);
    const uint64_t place = frame / (uint64_t)p->hold;
    switch (p->kind) {
    case FS_GAUSSIANS_ORBIT:
        turn(to, axis, p->step * (double)frame);
        break;
    case FS_GAUSSIANS_TURN:
        turn(to, axis, p->step * (double)frame);
        for (int k = 0; k < 3; k++)
            s->look_at[k] = s->eye[k] - to[k];
        break;
    case FS_GAUSSIANS_FORWARD:
        for (int k = 0; k < 3; k++) {
            const double moved = -to[k] / far * p->distance * half * (double)frame;
            s->look_at[k] += moved;
        }
        break;
    case FS_GAUSSIANS_DIRECTIONS:
        direction((uint32_t)p->seed + (uint32_t)place, to);
        normalised(to);
        for (int k = 0; k < 3; k++)
            to[k] *= far;
        break;
    case FS_GAUSSIANS_AZIMUTHS: {
        const double a = azimuth((uint32_t)p->seed, place) * FS_DEGREE;
        to[0] = flat * fs_cos(a);
        to[2] = flat * fs_sin(a);
        break;
    }
    default:
        break;
    }
    for (int k = 0; k < 3; k++)
        s->eye[k] = s->look_at[k] + to[k];
}

bool fs_gaussians_same_view(const fs_gaussians_params *p, uint64_t frame, uint64_t before) {
    const uint64_t hold = p->path.kind >= FS_GAUSSIANS_DIRECTIONS ? (uint64_t)p->path.hold : 1;
    return p->path.kind == FS_GAUSSIANS_STILL || frame / hold == before / hold;
}

/* ---- matrices ---- */

static fs_status look(const stand *s, float m[16], fs_error *err) {
    double axis[3][3];
    for (int k = 0; k < 3; k++)
        axis[2][k] = s->look_at[k] - s->eye[k];
    const bool apart = normalised(axis[2]);
    cross(axis[2], s->up, axis[0]);
    if (!apart || !normalised(axis[0]))
        return fs_fail(err, FS_INPUT,
                       apart ? "up is parallel to the view" : "the camera looks at its own position");
    cross(axis[2], axis[0], axis[1]);
    for (int r = 0; r < 3; r++) {
        m[12 + r] = (float)-(axis[r][0] * s->eye[0] + axis[r][1] * s->eye[1] + axis[r][2] * s->eye[2]);
        for (int c = 0; c < 3; c++)
            m[4 * c + r] = (float)axis[r][c];
    }
    m[3] = m[7] = m[11] = 0.0f;
    m[15] = 1.0f;
    return FS_OK;
}

/* Half the length of the box's diagonal as the view leaves it: near and far planes go by it. */
static float radius_of(const float m[16], const float half[3]) {
    float sum = 0.0f;
    for (int r = 0; r < 3; r++) {
        const float v = m[r] * half[0] + m[4 + r] * half[1] + m[8 + r] * half[2];
        sum += v * v;
    }
    return sqrtf(sum);
}

static void project(fs_gaussians_view *v, const fs_gaussians_params *p, const float half[3]) {
    const float tangent = (float)fs_tan(p->camera.half_angle * FS_DEGREE),
                radius = radius_of(v->matrix, half), near = 0.01f * radius, far = near + 21.0f * radius,
                aspect = (float)p->width / (float)p->height;
    v->tangent[0] = tangent * aspect;
    v->tangent[1] = tangent;
    v->focal = (float)p->height / (2.0f * tangent);
    const float projection[16] = {[0] = 1.0f / v->tangent[0],
                                  [5] = 1.0f / tangent,
                                  [10] = far / (far - near),
                                  [11] = 1.0f,
                                  [14] = -(far * near) / (far - near)};
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            v->product[4 * c + r] =
                projection[r] * v->matrix[4 * c] + projection[4 + r] * v->matrix[4 * c + 1] +
                projection[8 + r] * v->matrix[4 * c + 2] + projection[12 + r] * v->matrix[4 * c + 3];
}

fs_status fs_gaussians_view_of(const fs_gaussians_params *p, const fs_splats *scene, uint64_t frame,
                               fs_gaussians_view *out, fs_error *err) {
    if (p->camera.view_given) { /* which is of the frame whose origin is the middle already, and still */
        for (int i = 0; i < 16; i++)
            out->matrix[i] = (float)p->camera.view[i % 4 * 4 + i / 4];
    } else {
        stand s = first_stand(&p->camera, scene);
        move(&p->path, half_diagonal(scene), frame, &s);
        if (look(&s, out->matrix, err))
            return err->status;
    }
    project(out, p, scene->half);
    return FS_OK;
}
