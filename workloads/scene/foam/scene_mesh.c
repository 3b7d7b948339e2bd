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

static const char magic[8] = {'F', 'S', 'D', 'E', 'L', 'A', 'U', '2'};
static const char progress[sizeof magic] = {'F', 'S', 'P', 'L', 'A', 'C', 'E', 'D'};

enum { LARGE = 500000 }; /* sites: their time is told first */
/* Of processor time: 3.6 s for 300,000 sites and 11.1 s for a million of a generated scene, measured on a server. */
static const double SECONDS_A_SITE = 12e-6;

struct fs_mesher {
    char *program;
    fs_process process; /* id 0: it is not at work any more */
    int socket, threads;
};

/* ---- the program ---- */

/* $FOAMSIM_DELAUNAY, else the one that comes with this program. NULL if there is none. */
static char *find_program(void) {
    const char *named = getenv("FOAMSIM_DELAUNAY");
    char path[4096];
    if (named != NULL && named[0] != '\0')
        return access(named, X_OK) == 0 ? fs_strdup(named) : NULL;
    return fs_helper_find("foamsim-delaunay", path, sizeof path) ? fs_strdup(path) : NULL;
}

static fs_status start(fs_mesher *m, fs_error *err) {
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

fs_mesher *fs_mesher_start(int threads, fs_error *err) {
    fs_mesher *m = fs_malloc(sizeof *m);
    *m = (fs_mesher){.socket = -1, .threads = threads > 1 ? threads : 1};
    if (start(m, err) == FS_OK)
        return m;
    fs_mesher_end(m);
    return NULL;
}

/* How it ended, as words for an error; NULL when all was well. */
static const char *finish(fs_mesher *m, char *text, size_t size) {
    if (m->socket >= 0)
        close(m->socket);
    m->socket = -1;
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

void fs_mesher_end(fs_mesher *mesher) {
    char how[64];
    if (mesher == NULL)
        return;
    if (mesher->process.id != 0)
        finish(mesher, how, sizeof how);
    free(mesher->program);
    free(mesher);
}

static bool send_all(fs_mesher *m, const void *data, size_t bytes) {
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

static bool receive_all(fs_mesher *m, void *data, size_t bytes) {
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

static uint32_t count_fresh(const uint32_t *before, uint32_t count) {
    uint32_t fresh = 0;
    for (uint32_t i = 0; before != NULL && i < count; i++)
        fresh += before[i] == FS_MESHER_FRESH;
    return before != NULL ? fresh : count;
}

static bool send_sites(fs_mesher *m, const fs_sites *sites, const uint32_t *before, uint32_t fresh) {
    enum { BLOCK = 8192 };
    const uint32_t n = sites->count, head[3] = {n, (uint32_t)m->threads, fresh};
    float block[BLOCK][3];
    uint32_t filled = 0;
    if (!send_all(m, magic, sizeof magic) || !send_all(m, head, sizeof head) ||
        (fresh < n && !send_all(m, before, n * sizeof *before)))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (before != NULL && before[i] != FS_MESHER_FRESH)
            continue;
        block[filled][0] = sites->x[i];
        block[filled][1] = sites->y[i];
        block[filled][2] = sites->z[i];
        if (++filled == BLOCK) {
            if (!send_all(m, block, sizeof block))
                return false;
            filled = 0;
        }
    }
    return send_all(m, block, filled * sizeof *block);
}

/* The first word that is no progress, and the number behind it. */
static bool receive_head(fs_mesher *m, uint32_t fresh, char word[sizeof magic], uint32_t *number) {
    fs_progress shown;
    bool good, going;
    fs_progress_begin(&shown, "sites meshed", fresh);
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
static fs_status receive_mesh(fs_mesher *m, uint32_t fresh, fs_foam *foam, fs_error *err) {
    char word[sizeof magic];
    uint32_t refusal;
    if (!receive_head(m, fresh, word, &refusal))
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

static void say_begin(uint32_t count, uint32_t fresh) {
    if (fresh < count)
        fs_say("meshing %s sites, %s of them new", fs_number_grouped(count), fs_number_grouped(fresh));
    else if (count < LARGE)
        fs_say("meshing %s sites", fs_number_grouped(count));
    else
        fs_say("meshing %s sites, which takes about %s of an idle core", fs_number_grouped(count),
               fs_number_seconds(SECONDS_A_SITE * count));
}

static fs_status run_round(fs_mesher *m, const fs_sites *sites, const uint32_t *before, fs_foam *foam,
                           fs_error *err) {
    const double begin = fs_host_wall_seconds();
    const uint32_t fresh = count_fresh(before, sites->count);
    say_begin(sites->count, fresh);
    send_sites(m, sites, before, fresh); /* if it fails the answer is missing too */
    fs_status status = receive_mesh(m, fresh, foam, err);
    if (status == FS_OK && foam->faces > 0 && !fs_interrupted()) {
        fs_say("%s faces in %s", fs_number_grouped((double)foam->faces),
               fs_number_seconds(fs_host_wall_seconds() - begin));
        return FS_OK;
    }
    char how[64];
    const char *ended = finish(m, how, sizeof how);
    if (fs_interrupted())
        return fs_fail(err, FS_RUN, "interrupted while %s sites are meshed", fs_number_grouped(sites->count));
    return status != FS_OK ? status
                           : fs_fail(err, FS_RUN, "foamsim-delaunay %s while meshing %u sites",
                                     ended != NULL ? ended : "broke off", sites->count);
}

fs_status fs_mesher_connect(fs_mesher *mesher, fs_sites *sites, const uint32_t *before, fs_foam *out,
                            fs_error *err) {
    *out = (fs_foam){.sites = sites->count};
    out->adjacency_end = fs_malloc(sites->count * sizeof *out->adjacency_end);
    if (run_round(mesher, sites, before, out, err) == FS_OK) {
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
    return err->status;
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
    *out = (fs_foam){0};
    if (sites->count < 2)
        fs_fail(err, FS_INPUT, "the scene has %u sites: a foam needs at least two", sites->count);
    else if (fs_points_repeated(sites->x, sites->y, sites->z, sites->count, &first, &second))
        fs_fail(err, FS_INPUT, "sites %u and %u have the same position (%.9g, %.9g, %.9g)", first, second,
                (double)sites->x[first], (double)sites->y[first], (double)sites->z[first]);
    fs_mesher *mesher = err->status == FS_OK ? fs_mesher_start(threads, err) : NULL;
    if (mesher != NULL)
        fs_mesher_connect(mesher, sites, NULL, out, err);
    fs_mesher_end(mesher);
    fs_sites_free(sites);
    return err->status;
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
