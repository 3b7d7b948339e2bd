/* Views as cameras: lists, orbits and paths turned into positions. */
#include "sim/workload/views.h"

#include "sim/base/detmath.h"
#include "sim/stats/drawn.h"

#include <string.h>

static const double degree = 0x1.1df46a2529d39p-6; /* pi / 180 */

/* ---- parameters ---- */

#define FAR   1e30 /* no limit */
#define COUNT "how many views"

/* Rows that every kind has. */
#define DRAW(STRUCT)                                                                                         \
    FS_PARAM_INT(                                                                                            \
        "sample", STRUCT, draw.sample, NONE, "0", 0, FS_MAX_VIEWS,                                           \
        "views that are run, drawn by chance from all of them, with intervals for the means; 0: all",        \
        GEOMETRY),                                                                                           \
        FS_PARAM_INT("sample_seed", STRUCT, draw.seed, NONE, "1", 0, 9007199254740991.0, "of the drawing",   \
                     GEOMETRY)

static const fs_param list_rows[] = {
    FS_PARAM_VEC3S("positions", fs_views_list_params, positions, NONE, NULL, -FAR, FAR,
                   "where the camera is in each view, scene units", GEOMETRY),
    FS_PARAM_VEC3S("look_at", fs_views_list_params, look_at, NONE, "none", -FAR, FAR,
                   "a point on its axis: one for all views or one each; absent: the workload's", GEOMETRY),
    DRAW(fs_views_list_params),
};
static const fs_param orbit_rows[] = {
    FS_PARAM_INT("count", fs_views_orbit_params, count, NONE, "8", 1, FS_MAX_VIEWS, COUNT, GEOMETRY),
    FS_PARAM_VEC3("centre", fs_views_orbit_params, centre, NONE, NULL, -FAR, FAR,
                  "a point on the axis of the circle, which is parallel to z", GEOMETRY),
    FS_PARAM_REAL("radius", fs_views_orbit_params, radius, NONE, NULL, 1e-9, FAR,
                  "of the circle, scene units", GEOMETRY),
    FS_PARAM_REAL("height", fs_views_orbit_params, height, NONE, "0", -FAR, FAR,
                  "of the circle over the centre, along z, scene units", GEOMETRY),
    FS_PARAM_REAL("start", fs_views_orbit_params, start, DEGREES, "0 deg", -360, 360,
                  "angle of the first view, from x towards y", GEOMETRY),
    FS_PARAM_VEC3("look_at", fs_views_orbit_params, look_at, NONE, "none", -FAR, FAR,
                  "a point on the axis of every view; absent: the centre", GEOMETRY),
    DRAW(fs_views_orbit_params),
};
static const fs_param path_rows[] = {
    FS_PARAM_INT("count", fs_views_path_params, count, NONE, "8", 1, FS_MAX_VIEWS, COUNT, GEOMETRY),
    FS_PARAM_VEC3S("waypoints", fs_views_path_params, waypoints, NONE, NULL, -FAR, FAR,
                   "the line along which the views lie at equal distances, ends included", GEOMETRY),
    FS_PARAM_VEC3S("look_at", fs_views_path_params, look_at, NONE, "none", -FAR, FAR,
                   "a point on the axis: one for all, or one for each waypoint; absent: the workload's",
                   GEOMETRY),
    DRAW(fs_views_path_params),
};

const fs_param_table fs_views_none_table = {.name = "views/none", .doc = "one run: no view set", .size = 1};
const fs_param_table fs_views_list_table = FS_PARAM_TABLE("views/list", "one run for each camera of a list",
                                                          list_rows, sizeof(fs_views_list_params));
const fs_param_table fs_views_orbit_table = FS_PARAM_TABLE(
    "views/orbit", "one run for each camera on a circle", orbit_rows, sizeof(fs_views_orbit_params));
const fs_param_table fs_views_path_table = FS_PARAM_TABLE(
    "views/path", "one run for each camera along a line", path_rows, sizeof(fs_views_path_params));

/* ---- the three kinds ---- */

typedef struct maker {
    const fs_config *config;
    fs_arena *arena;
    fs_view *view;
    size_t count;
    fs_error *err;
} maker;

static void set_look_at(fs_view *view, const double at[3]) {
    memcpy(view->look_at, at, sizeof view->look_at);
    view->look_at_given = true;
}

static fs_status views_new(maker *m, const char *key, size_t count) {
    if (count < 1 || count > FS_MAX_VIEWS)
        return fs_fail(m->err, FS_INPUT, "%s: expected 1 to %d points, found %zu",
                       fs_config_where(m->config, "views", key), FS_MAX_VIEWS, count);
    m->view = FS_NEW(m->arena, fs_view, count);
    m->count = count;
    return FS_OK;
}

/* As many points to look at as there are `each`, or one, or none. */
static fs_status check_look_at(const maker *m, const fs_vec3_list *look_at, bool given, size_t each,
                               const char *what) {
    if (!given || look_at->count == 1 || look_at->count == each)
        return FS_OK;
    return fs_fail(m->err, FS_INPUT,
                   "%s: expected one point for all views or one for each of the %zu %s, found %zu",
                   fs_config_where(m->config, "views", "look_at"), each, what, look_at->count);
}

static fs_status make_list(maker *m, const fs_views_list_params *p) {
    if (views_new(m, "positions", p->positions.count) ||
        check_look_at(m, &p->look_at, p->look_at_given, m->count, "positions"))
        return FS_INPUT;
    for (size_t i = 0; i < m->count; i++) {
        memcpy(m->view[i].position, p->positions.item[i], sizeof m->view[i].position);
        if (p->look_at_given)
            set_look_at(&m->view[i], p->look_at.item[p->look_at.count == 1 ? 0 : i]);
    }
    return FS_OK;
}

static fs_status make_orbit(maker *m, const fs_views_orbit_params *p) {
    if (views_new(m, "count", (size_t)p->count))
        return FS_INPUT;
    for (size_t i = 0; i < m->count; i++) {
        double angle = (p->start + 360.0 * (double)i / (double)m->count) * degree;
        m->view[i].position[0] = p->centre[0] + p->radius * fs_cos(angle);
        m->view[i].position[1] = p->centre[1] + p->radius * fs_sin(angle);
        m->view[i].position[2] = p->centre[2] + p->height;
        set_look_at(&m->view[i], p->look_at_given ? p->look_at : p->centre);
    }
    return FS_OK;
}

static double distance(const double a[3], const double b[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return __builtin_sqrt(sum);
}

static void between(const double a[3], const double b[3], double part, double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = part >= 1.0 ? b[k] : a[k] + part * (b[k] - a[k]);
}

static fs_status make_path(maker *m, const fs_views_path_params *p) {
    const fs_vec3_list *way = &p->waypoints;
    if (views_new(m, "waypoints", way->count) || views_new(m, "count", (size_t)p->count) ||
        check_look_at(m, &p->look_at, p->look_at_given, way->count, "waypoints"))
        return FS_INPUT;
    double length = 0;
    for (size_t w = 1; w < way->count; w++)
        length += distance(way->item[w - 1], way->item[w]);
    if (m->count > 1 && !(length > 0))
        return fs_fail(m->err, FS_INPUT, "%s: %zu views need a line of two points or more",
                       fs_config_where(m->config, "views", "waypoints"), m->count);
    size_t leg = 0;    /* from waypoint `leg` to the next */
    double before = 0; /* length of the legs before it */
    for (size_t i = 0; i < m->count; i++) {
        double at = m->count == 1 ? 0 : length * (double)i / (double)(m->count - 1);
        double step = way->count < 2 ? 0 : distance(way->item[leg], way->item[leg + 1]);
        while (leg + 2 < way->count && at > before + step) {
            before += step;
            leg++;
            step = distance(way->item[leg], way->item[leg + 1]);
        }
        size_t next = leg + 1 < way->count ? leg + 1 : leg;
        double part = i + 1 == m->count && i > 0 ? 1.0 : step > 0 ? (at - before) / step : 0;
        between(way->item[leg], way->item[next], part, m->view[i].position);
        if (!p->look_at_given)
            continue;
        double look[3];
        bool one = p->look_at.count == 1;
        between(p->look_at.item[one ? 0 : leg], p->look_at.item[one ? 0 : next], part, look);
        set_look_at(&m->view[i], look);
    }
    return FS_OK;
}

/* Keeps those that are drawn, in their order. */
static fs_status draw(maker *m, const fs_views_draw *of) {
    if (of->sample == 0)
        return FS_OK;
    if ((size_t)of->sample > m->count)
        return fs_fail(m->err, FS_INPUT, "%s: expected 0 to %zu, as many views as there are, found %lld",
                       fs_config_where(m->config, "views", "sample"), m->count, (long long)of->sample);
    uint64_t *chosen = FS_NEW(m->arena, uint64_t, (size_t)of->sample);
    fs_drawn_choose(fs_rng_stream((uint64_t)of->seed, "views"), m->count, (uint64_t)of->sample, chosen);
    m->count = (size_t)of->sample;
    for (size_t i = 0; i < m->count; i++)
        m->view[i] = m->view[chosen[i]];
    return FS_OK;
}

fs_status fs_views_make(const fs_config *config, fs_arena *arena, const fs_view **views, size_t *count,
                        fs_error *err) {
    maker m = {.config = config, .arena = arena, .err = err};
    *views = NULL;
    *count = 0;
    if (!fs_config_has(config, "views"))
        return FS_OK;
    const char *kind = fs_config_kind(config, "views");
    const void *params = fs_config_section(config, "views");
    fs_status status = FS_OK;
    if (strcmp(kind, "list") == 0)
        status = make_list(&m, params);
    else if (strcmp(kind, "orbit") == 0)
        status = make_orbit(&m, params);
    else if (strcmp(kind, "path") == 0)
        status = make_path(&m, params);
    for (size_t i = 0; status == FS_OK && i < m.count; i++)
        if (m.view[i].look_at_given && !(distance(m.view[i].position, m.view[i].look_at) > 0))
            status = fs_fail(err, FS_INPUT, "%s: the camera of view %zu looks at itself, (%g, %g, %g)",
                             fs_config_where(config, "views", ""), i, m.view[i].position[0],
                             m.view[i].position[1], m.view[i].position[2]);
    for (size_t i = 0; i < m.count; i++) {
        m.view[i].number = (uint32_t)i;
        m.view[i].of = (uint32_t)m.count;
    }
    if (status == FS_OK && m.count > 0)
        status = draw(&m, params);
    *views = m.view;
    *count = m.count;
    return status;
}

bool fs_views_are_frames(const fs_config *config) {
    const int64_t *frames = fs_config_value(config, "run", "path.in_flight");
    return frames != NULL && *frames > 0;
}
