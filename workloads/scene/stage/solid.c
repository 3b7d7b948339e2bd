/* Solids of synthetic scenes: area, uniform sampling, signed distance. */
#include "workloads/scene/stage/stage.h"

#include "sim/base/detmath.h"

#include <math.h>

static fs_v3 to_own(const fs_solid *s, fs_v3 p) {
    fs_v3 d = fs_v3_sub(p, s->at);
    return (fs_v3){fs_v3_dot(d, s->ex), fs_v3_dot(d, s->ey), fs_v3_dot(d, s->ez)};
}

static fs_v3 turn(const fs_solid *s, fs_v3 own) {
    return fs_v3_add(fs_v3_add(fs_v3_scale(s->ex, own.x), fs_v3_scale(s->ey, own.y)),
                     fs_v3_scale(s->ez, own.z));
}

static double least(double a, double b) {
    return a < b ? a : b;
}

static double most(double a, double b) {
    return a > b ? a : b;
}

/* ---- measures ---- */

static double box_face_area(const fs_solid *s, unsigned face) {
    fs_v3 h = s->size;
    double area[3] = {4 * h.y * h.z, 4 * h.x * h.z, 4 * h.x * h.y};
    return (s->faces >> face & 1u) != 0 ? area[face / 2] : 0;
}

static double lathe_edge_area(const fs_solid *s, unsigned edge) { /* of a frustum's side */
    const double *a = s->profile[edge], *b = s->profile[(edge + 1) % s->points];
    double dr = b[0] - a[0], dz = b[1] - a[1];
    return FS_PI * (a[0] + b[0]) * sqrt(dr * dr + dz * dz);
}

/* Approximation of the area of an ellipsoid as that of the sphere with the same mean product of radii. */
static double ellipsoid_area(fs_v3 r) {
    return 4 * FS_PI * (r.x * r.y + r.y * r.z + r.z * r.x) / 3;
}

static void measure_lathe(fs_solid *s) {
    double widest = 0, lo = s->profile[0][1], hi = lo;
    for (unsigned i = 0; i < s->points; i++) {
        s->area += lathe_edge_area(s, i);
        widest = most(widest, s->profile[i][0]);
        lo = least(lo, s->profile[i][1]);
        hi = most(hi, s->profile[i][1]);
    }
    double half = (hi - lo) / 2;
    s->thin = least(widest, half);
    s->middle = fs_v3_along(s->at, s->ez, (hi + lo) / 2);
    s->reach = sqrt(widest * widest + half * half);
}

void fs_solid_measure(fs_solid *s) {
    s->area = 0;
    s->middle = s->at;
    switch (s->shape) {
    case FS_BOX:
        for (unsigned face = 0; face < 6; face++)
            s->area += box_face_area(s, face);
        s->thin = least(s->size.x, least(s->size.y, s->size.z));
        s->reach = fs_v3_length(s->size);
        break;
    case FS_ELLIPSOID:
        s->area = ellipsoid_area(s->size);
        s->thin = least(s->size.x, least(s->size.y, s->size.z));
        s->reach = most(s->size.x, most(s->size.y, s->size.z));
        break;
    case FS_LATHE:
        measure_lathe(s);
        break;
    case FS_GROUND: { /* density 1 / (1 + (r / f)^2): the integral over the disc */
        double ratio = s->size.x / s->size.y;
        s->area = FS_PI * s->size.y * s->size.y * fs_log(1 + ratio * ratio);
        s->thin = s->size.x;
        s->reach = 1e30;
        break;
    }
    case FS_DOME:
        s->area = 2 * FS_PI * s->size.x * s->size.y;
        s->thin = s->size.x;
        s->reach = 1e30;
        break;
    }
}

/* ---- sampling ---- */

static bool sample_box(const fs_solid *s, double u, double v, fs_surface_point *out) {
    double place = u * s->area;
    unsigned face = 0;
    while (face < 5 && place >= box_face_area(s, face))
        place -= box_face_area(s, face++);
    double area = box_face_area(s, face);
    if (area <= 0)
        return false;
    double a = 2 * place / area - 1, b = 2 * v - 1, side = face % 2 == 0 ? -1 : 1;
    fs_v3 h = s->size;
    switch (face / 2) {
    case 0:
        out->local = (fs_v3){side * h.x, a * h.y, b * h.z};
        out->n = (fs_v3){side, 0, 0};
        break;
    case 1:
        out->local = (fs_v3){a * h.x, side * h.y, b * h.z};
        out->n = (fs_v3){0, side, 0};
        break;
    default:
        out->local = (fs_v3){a * h.x, b * h.y, side * h.z};
        out->n = (fs_v3){0, 0, side};
    }
    return true;
}

static fs_v3 on_sphere(double u, double v) {
    double z = 2 * v - 1, r = sqrt(most(0, 1 - z * z)), angle = 2 * FS_PI * u;
    return (fs_v3){r * fs_cos(angle), r * fs_sin(angle), z};
}

static void sample_ellipsoid(const fs_solid *s, double u, double v, fs_surface_point *out) {
    fs_v3 d = on_sphere(u, v), r = s->size;
    out->local = (fs_v3){d.x * r.x, d.y * r.y, d.z * r.z};
    out->n = fs_v3_unit((fs_v3){d.x / r.x, d.y / r.y, d.z / r.z});
}

static bool sample_lathe(const fs_solid *s, double u, double v, fs_surface_point *out) {
    double place = v * s->area;
    unsigned edge = 0;
    while (edge + 1 < s->points && place >= lathe_edge_area(s, edge))
        place -= lathe_edge_area(s, edge++);
    double area = lathe_edge_area(s, edge);
    if (area <= 0)
        return false;
    const double *a = s->profile[edge], *b = s->profile[(edge + 1) % s->points];
    double t = place / area; /* of the area; the width grows linearly from a to b */
    double k = b[0] - a[0];
    if (fabs(k) > 1e-9 * (a[0] + b[0]))
        t = (sqrt(a[0] * a[0] + t * (b[0] * b[0] - a[0] * a[0])) - a[0]) / k;
    double radius = a[0] + t * k, height = a[1] + t * (b[1] - a[1]);
    double c = fs_cos(2 * FS_PI * u), w = fs_sin(2 * FS_PI * u);
    out->local = (fs_v3){radius * c, radius * w, height};
    double nr = b[1] - a[1], nz = -k; /* outward for a polygon that runs counter-clockwise */
    out->n = fs_v3_unit((fs_v3){nr * c, nr * w, nz});
    return true;
}

static void sample_ground(const fs_solid *s, double u, double v, fs_surface_point *out) {
    double ratio = s->size.x / s->size.y;
    double grown = fs_exp(v * fs_log(1 + ratio * ratio)); /* 1 + (r / f)^2 */
    double r = s->size.y * sqrt(most(0, grown - 1));
    out->local = (fs_v3){r * fs_cos(2 * FS_PI * u), r * fs_sin(2 * FS_PI * u), 0};
    out->n = (fs_v3){0, 0, 1};
    out->spread = sqrt(grown);
}

static void sample_dome(const fs_solid *s, double u, double v, fs_surface_point *out) {
    double z = v * s->size.y, r = sqrt(most(0, s->size.x * s->size.x - z * z));
    out->local = (fs_v3){r * fs_cos(2 * FS_PI * u), r * fs_sin(2 * FS_PI * u), z};
    out->n = fs_v3_scale(out->local, -1 / s->size.x);
}

bool fs_solid_sample(const fs_solid *s, double u, double v, fs_surface_point *out) {
    bool good = true;
    out->spread = 1;
    switch (s->shape) {
    case FS_BOX:
        good = sample_box(s, u, v, out);
        break;
    case FS_ELLIPSOID:
        sample_ellipsoid(s, u, v, out);
        break;
    case FS_LATHE:
        good = sample_lathe(s, u, v, out);
        break;
    case FS_GROUND:
        sample_ground(s, u, v, out);
        break;
    case FS_DOME:
        sample_dome(s, u, v, out);
        break;
    }
    if (!good)
        return false;
    out->p = fs_v3_add(s->at, turn(s, out->local));
    out->n = turn(s, out->n);
    return true;
}

/* ---- distance ---- */

static double box_distance(const fs_solid *s, fs_v3 p) {
    fs_v3 q = {fabs(p.x) - s->size.x, fabs(p.y) - s->size.y, fabs(p.z) - s->size.z};
    fs_v3 out = {most(q.x, 0), most(q.y, 0), most(q.z, 0)};
    return fs_v3_length(out) + least(most(q.x, most(q.y, q.z)), 0);
}

static double ellipsoid_distance(fs_v3 radii, fs_v3 p) { /* first order */
    fs_v3 a = {p.x / radii.x, p.y / radii.y, p.z / radii.z};
    fs_v3 b = {a.x / radii.x, a.y / radii.y, a.z / radii.z};
    double k = fs_v3_length(a), g = fs_v3_length(b);
    return g > 0 ? k * (k - 1) / g : -least(radii.x, least(radii.y, radii.z));
}

/* Distance to the profile in the half plane (radius, height), negative within. */
static double lathe_distance(const fs_solid *s, fs_v3 p) {
    double r = sqrt(p.x * p.x + p.y * p.y), z = p.z, nearest = 1e300;
    bool inside = false;
    for (unsigned i = 0; i < s->points; i++) {
        const double *a = s->profile[i], *b = s->profile[(i + 1) % s->points];
        double ex = b[0] - a[0], ez = b[1] - a[1], wx = r - a[0], wz = z - a[1];
        double t = least(1, most(0, (wx * ex + wz * ez) / (ex * ex + ez * ez)));
        double dx = wx - t * ex, dz = wz - t * ez;
        if (a[0] > 0 || b[0] > 0) /* an edge on the axis is no surface */
            nearest = least(nearest, dx * dx + dz * dz);
        if ((a[1] > z) != (b[1] > z) && r < a[0] + (z - a[1]) / ez * ex)
            inside = !inside;
    }
    return inside ? -sqrt(nearest) : sqrt(nearest);
}

double fs_solid_distance(const fs_solid *s, fs_v3 p) {
    switch (s->shape) {
    case FS_BOX:
        return box_distance(s, to_own(s, p));
    case FS_ELLIPSOID:
        return ellipsoid_distance(s->size, to_own(s, p));
    case FS_LATHE:
        return lathe_distance(s, to_own(s, p));
    case FS_GROUND:
        return p.z;
    case FS_DOME:
        return s->size.x - fs_v3_length(p);
    }
    return 1e30;
}
