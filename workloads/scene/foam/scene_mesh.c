/* Sites to a foam: runs foamsim-delaunay and talks to it over a socket pair.
 *
 * A socket rather than two pipes, so that a mesher that dies is an error to report (EPIPE) and not a SIGPIPE.
 * The protocol is described in workloads/scene/foam/delaunay/delaunay.cpp.
 */

#include "sim/base/alloc.h"
#include "sim/base/detmath.h"
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/host/places.h"
#include "sim/host/process.h"
#include "sim/host/progress.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "workloads/scene/foam/scene_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char magic[8] = {'F', 'S', 'D', 'E', 'L', 'A', 'U', '1'};
static const char progress[sizeof magic] = {'F', 'S', 'P', 'L', 'A', 'C', 'E', 'D'};

enum { LARGE = 500000 }; /* sites: their time is told first */
/* Of processor time: 3.6 s for 300,000 sites and 11.1 s for a million of a generated scene, measured on a server. */
static const double SECONDS_A_SITE = 12e-6;

typedef struct mesher {
    char *program;
    fs_process process;
    int socket;
} mesher;

/* ---- the program ---- */

/* $FOAMSIM_DELAUNAY, else the one that comes with this program. NULL if there is none. */
static char *find_program(void) {
    const char *named = getenv("FOAMSIM_DELAUNAY");
    char path[4096];
    if (named != NULL && named[0] != '\0')
        return access(named, X_OK) == 0 ? fs_strdup(named) : NULL;
    return fs_helper_find("foamsim-delaunay", path, sizeof path) ? fs_strdup(path) : NULL;
}

static fs_status start(mesher *m, fs_error *err) {
    m->program = find_program();
    if (m->program == NULL)
        return fs_fail(err, FS_RUN,
                       "foamsim-delaunay is not in %s, ../libexec/foamsim or the folders above it: build it "
                       "with `make`, or name it in $FOAMSIM_DELAUNAY",
                       fs_executable_dir());
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return fs_fail(err, FS_RUN, "cannot make a socket for %s: %s", m->program, strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* its own end is all that the mesher gets */
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    m->socket = ends[0];
    const fs_process_plan plan = {.program = m->program, .in = ends[1], .out = ends[1], .err = STDERR_FILENO};
    fs_process_start(&m->process, &plan, err);
    close(ends[1]);
    return err->status;
}

/* How it ended, as words for an error; NULL when all was well. */
static const char *finish(mesher *m, char *text, size_t size) {
    if (m->socket >= 0)
        close(m->socket);
    free(m->program);
    const fs_process_end end =
        fs_interrupted() ? fs_process_stop(&m->process, 0) : fs_process_wait(&m->process, 0);
    if (end.signal != 0)
        snprintf(text, size, "ended by signal %d%s", end.signal, end.signal == 9 ? " (out of memory?)" : "");
    else if (end.status != 0)
        snprintf(text, size, "ended with status %d", end.status);
    else
        return NULL;
    return text;
}

static bool send_all(mesher *m, const void *data, size_t bytes) {
    const char *at = data;
    while (bytes > 0 && !fs_interrupted()) {
        ssize_t sent = send(m->socket, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        bytes -= (size_t)sent;
    }
    return bytes == 0;
}

static bool receive_all(mesher *m, void *data, size_t bytes) {
    char *at = data;
    while (bytes > 0 && !fs_interrupted()) {
        ssize_t got = recv(m->socket, at, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return bytes == 0;
}

/* ---- the talk ---- */

static bool send_sites(mesher *m, const fs_sites *sites, int threads) {
    enum { BLOCK = 8192 };
    uint32_t head[2] = {sites->count, threads > 1 ? (uint32_t)threads : 1};
    float block[BLOCK][3];
    if (!send_all(m, magic, sizeof magic) || !send_all(m, head, sizeof head))
        return false;
    for (uint32_t first = 0; first < sites->count; first += BLOCK) {
        uint32_t n = sites->count - first < BLOCK ? sites->count - first : BLOCK;
        for (uint32_t i = 0; i < n; i++) {
            block[i][0] = sites->x[first + i];
            block[i][1] = sites->y[first + i];
            block[i][2] = sites->z[first + i];
        }
        if (!send_all(m, block, n * sizeof block[0]))
            return false;
    }
    return true;
}

/* The first word that is no progress, and the number behind it. */
static bool receive_head(mesher *m, uint32_t sites, char word[sizeof magic], uint32_t *number) {
    fs_progress shown;
    bool good, going;
    fs_progress_begin(&shown, "sites meshed", sites);
    do {
        good = receive_all(m, word, sizeof magic) && receive_all(m, number, sizeof *number);
        going = good && memcmp(word, progress, sizeof progress) == 0;
        if (going)
            fs_progress_update(&shown, *number);
    } while (going);
    fs_progress_end(&shown);
    return good;
}

/* FS_OK with foam->faces still 0 when the connection broke: finish() knows why. */
static fs_status receive_mesh(mesher *m, fs_foam *foam, fs_error *err) {
    char word[sizeof magic];
    uint32_t refusal;
    if (!receive_head(m, foam->sites, word, &refusal))
        return FS_OK;
    if (memcmp(word, magic, sizeof magic) != 0)
        return fs_fail(err, FS_RUN, "%s is of another version: build it again", m->program);
    if (refusal > 0) {
        char text[256] = "";
        receive_all(m, text, refusal < sizeof text ? refusal : sizeof text - 1);
        return fs_fail(err, FS_RUN, "%s: %s", m->program, text);
    }
    uint64_t faces = 0;
    uint32_t *degree = fs_malloc(foam->sites * sizeof *degree);
    bool good = receive_all(m, &faces, sizeof faces) && receive_all(m, degree, foam->sites * sizeof *degree);
    uint64_t end = 0;
    for (uint32_t i = 0; good && i < foam->sites; i++)
        foam->adjacency_end[i] = end += degree[i];
    free(degree);
    if (!good || end != faces)
        return FS_OK;
    if (faces > UINT32_MAX)
        return fs_fail(err, FS_INPUT, "the scene has %llu faces; a foam holds at most 4,294,967,295",
                       (unsigned long long)faces);
    foam->adjacency = fs_malloc(faces * sizeof *foam->adjacency);
    if (receive_all(m, foam->adjacency, faces * sizeof *foam->adjacency))
        foam->faces = faces;
    return FS_OK;
}

static fs_status run_mesher(const fs_sites *sites, int threads, fs_foam *foam, fs_error *err) {
    mesher m = {.socket = -1};
    const double begin = fs_host_wall_seconds();
    if (sites->count < LARGE)
        fs_say("meshing %s sites", fs_number_grouped(sites->count));
    else
        fs_say("meshing %s sites, which takes about %s of an idle core", fs_number_grouped(sites->count),
               fs_number_seconds(SECONDS_A_SITE * sites->count));
    fs_status status = start(&m, err);
    if (status == FS_OK) {
        send_sites(&m, sites, threads); /* if it fails the answer is missing too */
        status = receive_mesh(&m, foam, err);
    }
    char how[64];
    const char *ended = finish(&m, how, sizeof how);
    if (fs_interrupted())
        status =
            fs_fail(err, FS_RUN, "interrupted while %s sites are meshed", fs_number_grouped(sites->count));
    else if (status == FS_OK && (foam->faces == 0 || ended != NULL))
        status = fs_fail(err, FS_RUN, "foamsim-delaunay %s while meshing %u sites",
                         ended != NULL ? ended : "broke off", sites->count);
    if (status == FS_OK)
        fs_say("%s faces in %s", fs_number_grouped((double)foam->faces),
               fs_number_seconds(fs_host_wall_seconds() - begin));
    return status;
}

/* ---- densities ---- */

/* Half the mean distance to the Delaunay neighbours: the length of a ray's way through the middle of a cell. */
static double half_spacing(const fs_foam *foam, uint32_t i) {
    uint64_t begin = fs_foam_begin(foam, i), end = foam->adjacency_end[i];
    double sum = 0;
    for (uint64_t k = begin; k < end; k++) {
        uint32_t j = foam->adjacency[k];
        double dx = (double)foam->x[j] - (double)foam->x[i], dy = (double)foam->y[j] - (double)foam->y[i],
               dz = (double)foam->z[j] - (double)foam->z[i];
        sum += sqrt(dx * dx + dy * dy + dz * dz);
    }
    return 0.5 * sum / (double)(end - begin);
}

static void densities_from_opacity(fs_foam *foam) {
    for (uint32_t i = 0; i < foam->sites; i++) {
        double a = (double)foam->density[i];
        if (a > 0)
            foam->density[i] =
                (float)(-fs_log(1 - (a < FS_OPACITY_MOST ? a : FS_OPACITY_MOST)) / half_spacing(foam, i));
    }
}

fs_status fs_scene_connect(fs_sites *sites, int threads, fs_foam *out, fs_error *err) {
    uint32_t first, second;
    *out = (fs_foam){.sites = sites->count};
    fs_status status = FS_OK;
    if (sites->count < 2)
        status = fs_fail(err, FS_INPUT, "the scene has %u sites: a foam needs at least two", sites->count);
    else if (fs_points_repeated(sites->x, sites->y, sites->z, sites->count, &first, &second))
        status = fs_fail(err, FS_INPUT, "sites %u and %u have the same position (%.9g, %.9g, %.9g)", first,
                         second, (double)sites->x[first], (double)sites->y[first], (double)sites->z[first]);
    if (status == FS_OK) {
        out->adjacency_end = fs_malloc(sites->count * sizeof *out->adjacency_end);
        status = run_mesher(sites, threads, out, err);
    }
    if (status == FS_OK) {
        out->x = sites->x;
        out->y = sites->y;
        out->z = sites->z;
        out->density = sites->density;
        out->rgb = sites->rgb;
        sites->x = sites->y = sites->z = sites->density = NULL;
        sites->rgb = NULL;
    } else {
        fs_foam_free(out);
    }
    fs_sites_free(sites);
    return status;
}

void fs_scene_finish(fs_foam *foam, bool density_is_opacity) {
    if (density_is_opacity)
        densities_from_opacity(foam);
    fs_foam_seal(foam);
}

fs_status fs_scene_mesh(fs_sites *sites, int threads, fs_foam *out, fs_error *err) {
    const bool density_is_opacity = sites->density_is_opacity;
    if (fs_scene_connect(sites, threads, out, err) == FS_OK)
        fs_scene_finish(out, density_is_opacity);
    return err->status;
}
