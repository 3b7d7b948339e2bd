/* The server: who may come in, how much and how often; one thread, which prices between two looks at its sockets. */
#define _GNU_SOURCE /* getrandom */
#include "explore/private.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/host.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/select.h>

enum { TOKEN_BYTES = 16, TOKEN = 2 * TOKEN_BYTES, CONNECTIONS = 64, MOST_REQUEST = 64 << 10, PATIENCE = 20 };
/* Requests that come in: so many at once, and so many a second from then on. */
static const double BURST = 600, A_SECOND = 300;
/* Seconds without a request after which nobody is there; and after the last page was left, as it may come again. */
static const double IDLE = 3600, GRACE = 4;
/* Pages that are open say so twice a minute, hidden ones at least once: after so many seconds without a word they are gone. */
static const double SILENCE = 180;

typedef struct server {
    fs_explore *x;
    struct MHD_Daemon *daemon;
    unsigned port;
    char token[TOKEN + 1], host[2][32], origin[2][40];
    /* Host seconds: of the last request that came in, but for looks at runs; of any; the last page was left at, 0: it
     * was not. */
    double asked, heard, left;
    double allowed, filled; /* requests that may come in, at that time */
    size_t pages;
} server;

/* ---- who may come in ---- */

/* In a time that does not depend on where they differ. */
static bool same_token(const char *a, const char *b) {
    int differs = 0;
    if (strlen(a) != TOKEN)
        return false;
    for (size_t i = 0; i < TOKEN; i++)
        differs |= a[i] ^ b[i];
    return differs == 0;
}

static bool is_one(const char *text, const char *one, const char *other) {
    return text != NULL && (strcmp(text, one) == 0 || strcmp(text, other) == 0);
}

/* The status to refuse with; 0: it may come in. A page of elsewhere has another Origin, and a name that somebody lets point
 * here another Host. */
static unsigned refused(server *s, struct MHD_Connection *c) {
    const char *host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host"),
               *origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin"),
               *length = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length"),
               *token = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "token");
    const bool body = (length != NULL && strcmp(length, "0") != 0) ||
                      MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Transfer-Encoding") != NULL;
    if (!is_one(host, s->host[0], s->host[1]) ||
        (origin != NULL && !is_one(origin, s->origin[0], s->origin[1])) || token == NULL ||
        !same_token(token, s->token))
        return MHD_HTTP_FORBIDDEN;
    if (body)
        return MHD_HTTP_CONTENT_TOO_LARGE; /* no request here has a body */
    const double now = fs_host_wall_seconds();
    s->allowed += (now - s->filled) * A_SECOND;
    s->allowed = s->allowed > BURST ? BURST : s->allowed;
    s->filled = now;
    if (s->allowed < 1)
        return MHD_HTTP_TOO_MANY_REQUESTS;
    s->allowed -= 1;
    s->heard = now;
    return 0;
}

static const char *refusal(unsigned status) {
    return status == MHD_HTTP_FORBIDDEN
               ? "{\"error\": \"only the page whose address was printed is answered\"}"
           : status == MHD_HTTP_CONTENT_TOO_LARGE
               ? "{\"error\": \"a request has no body here\"}"
               : "{\"error\": \"too many requests; ask again in a second\"}";
}

/* ---- a request ---- */

typedef struct reading {
    fs_explore_asked asked;
    fs_arena *arena;
} reading;

/* UTF-8, as JSON wants it. */
static bool is_text(const char *letters) {
    json_t *text = json_string(letters);
    json_decref(text);
    return text != NULL;
}

static enum MHD_Result read_argument(void *self, enum MHD_ValueKind kind, const char *key,
                                     const char *value) {
    reading *r = self;
    const struct word {
        const char *key, **to;
    } words[] = {{"figures", &r->asked.figures},
                 {"draw", &r->asked.draw},
                 {"pin", &r->asked.pin},
                 {"number", &r->asked.number}},
      *word = FS_FOUND(words, FS_COUNT(words), key, key);
    (void)kind;
    if (strcmp(key, "token") == 0)
        return MHD_YES;
    if (!is_text(key) || !is_text(value == NULL ? "" : value))
        r->asked.wrong = key;
    if (word != NULL) {
        *word->to = value == NULL ? "" : value;
        return MHD_YES;
    }
    if (value == NULL || r->asked.sets.count == FS_EXPLORE_SETS / 2)
        r->asked.wrong = key;
    else
        r->asked.sets.set[r->asked.sets.count++] = fs_arena_printf(r->arena, "%s=%s", key, value);
    return MHD_YES;
}

static enum MHD_Result give(struct MHD_Connection *c, const fs_explore_reply *reply,
                            enum MHD_ResponseMemoryMode mode) {
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
         "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'"}};
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(reply->body), reply->body, mode);
    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Type", reply->type);
    char save[64];
    if (reply->file != NULL) {
        snprintf(save, sizeof save, "attachment; filename=\"%s\"", reply->file);
        MHD_add_response_header(response, "Content-Disposition", save);
    }
    const enum MHD_Result sent = MHD_queue_response(c, reply->status, response);
    MHD_destroy_response(response);
    return sent;
}

static enum MHD_Result answer(void *self, struct MHD_Connection *c, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **state) {
    static const char begun;
    server *s = self;
    (void)version;
    (void)upload;
    const unsigned status = *state == NULL ? refused(s, c) : 0;
    if (status != 0)
        return give(c,
                    &(fs_explore_reply){.status = status,
                                        .type = "application/json",
                                        .body = (char *)(uintptr_t)refusal(status)},
                    MHD_RESPMEM_PERSISTENT);
    if (*state == NULL) { /* the headers; the end of the request follows */
        *state = (void *)(uintptr_t)&begun;
        return MHD_YES;
    }
    if (*upload_size > 0)
        return MHD_NO;
    reading r = {.asked = {.method = method, .path = path}, .arena = fs_arena_create()};
    MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, read_argument, &r);
    fs_explore_reply reply;
    fs_explore_run_look(s->x);
    fs_explore_route(s->x, &r.asked, &reply);
    fs_arena_free(r.arena);
    if (strcmp(path, "/api/runs") != 0)
        s->asked = s->heard;
    if (reply.enters) {
        s->pages++;
        s->left = 0;
    }
    if (reply.leaves && s->pages > 0 && --s->pages == 0)
        s->left = s->heard;
    return give(c, &reply, MHD_RESPMEM_MUST_FREE);
}

/* ---- its life ---- */

static void make_token(char token[TOKEN + 1]) {
    unsigned char byte[TOKEN_BYTES];
    const ssize_t got = getrandom(byte, sizeof byte, 0);
    FS_ASSERT(got == sizeof byte, "the host gives no random bytes");
    for (size_t i = 0; i < TOKEN_BYTES; i++)
        snprintf(token + 2 * i, 3, "%02x", byte[i]);
}

static void say_nothing(void *self, const char *format, va_list args) {
    (void)self;
    (void)format;
    (void)args;
}

static fs_status open_door(server *s, int64_t port, fs_error *err) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->daemon =
        MHD_start_daemon(MHD_USE_ERROR_LOG, (uint16_t)port, NULL, NULL, answer, s, MHD_OPTION_EXTERNAL_LOGGER,
                         say_nothing, NULL, MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_CONNECTION_LIMIT,
                         (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MOST_REQUEST,
                         MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        s->daemon == NULL ? NULL : MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (info == NULL)
        return fs_fail(err, FS_IO,
                       "explore: port %lld of this host cannot be taken; another program may have it",
                       (long long)port);
    s->port = info->port;
    make_token(s->token);
    for (int i = 0; i < 2; i++) {
        snprintf(s->host[i], sizeof s->host[i], "%s:%u", i == 0 ? "127.0.0.1" : "localhost", s->port);
        snprintf(s->origin[i], sizeof s->origin[i], "http://%s", s->host[i]);
    }
    return FS_OK;
}

/* The person's browser, which goes on without this program. */
static void open_browser(const char *address) {
    static const char *const openers[] = {"xdg-open", "x-www-browser", "open"};
    fs_error *err = fs_calloc(1, sizeof *err);
    const char *words[] = {address, NULL};
    size_t at = 0;
    while (at < 3 && !fs_process_in_path(openers[at]))
        at++;
    fs_process p;
    if (at == 3 || fs_process_start(
                       &p, &(fs_process_plan){.program = openers[at], .words = words, .outlives = true}, err))
        fs_say("explore: no browser can be opened here; open the address in one");
    free(err);
}

/* One look at the sockets, a second at most. */
static void serve_once(server *s) {
    fd_set read_set, write_set, except_set;
    MHD_socket most = 0;
    unsigned long long wait = 1000;
    FD_ZERO(&read_set);
    FD_ZERO(&write_set);
    FD_ZERO(&except_set);
    MHD_get_fdset(s->daemon, &read_set, &write_set, &except_set, &most);
    unsigned long long asked;
    if (MHD_get_timeout(s->daemon, &asked) == MHD_YES && asked < wait)
        wait = asked;
    struct timeval time = {.tv_sec = (time_t)(wait / 1000), .tv_usec = (suseconds_t)(wait % 1000 * 1000)};
    if (select((int)most + 1, &read_set, &write_set, &except_set, &time) >= 0)
        MHD_run_from_select(s->daemon, &read_set, &write_set, &except_set);
    fs_explore_run_look(s->x);
}

fs_status fs_explore_serve(fs_explore *x, fs_explore_door door, fs_error *err) {
    server *s = fs_calloc(1, sizeof *s);
    s->x = x;
    if (open_door(s, door.port, err) == FS_OK) {
        char address[128];
        snprintf(address, sizeof address, "http://%s/?token=%s", s->host[0], s->token);
        printf("%s\n", address);
        fflush(stdout);
        if (door.browser)
            open_browser(address);
        s->asked = s->heard = s->filled = fs_host_wall_seconds();
        s->allowed = BURST;
        for (double now = s->asked; !fs_interrupted(); now = fs_host_wall_seconds()) {
            serve_once(s);
            if (now - s->asked > IDLE || (s->left > 0 && now - s->left > GRACE) ||
                (s->pages > 0 && now - s->heard > SILENCE))
                break;
        }
    }
    if (s->daemon != NULL)
        MHD_stop_daemon(s->daemon);
    free(s);
    return err->status;
}
