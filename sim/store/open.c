/* Opening a store: the writer's lock, whose file it is, whether it is whole, and bringing it up to date. */
#include "sim/host/file.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/store/private.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_NANOSECONDS = 50000000,
    LOOKS_A_SECOND = 1000000000 / LOOK_NANOSECONDS,
    BUSY_SECONDS = 60, /* of another program's transaction, which is a short one */
    HEADER_BYTES = 16,
    VALUE_BYTES = 1 << 26, /* of a text: an experiment has 1 MiB at most, an error less */
};
static const char header[HEADER_BYTES] = "SQLite format 3";

/* ---- files ---- */

bool fs_store_is(const char *path) {
    char found[HEADER_BYTES] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, found, sizeof found);
    close(fd);
    return got == HEADER_BYTES && memcmp(found, header, sizeof header) == 0;
}

/* A link that somebody else put there leads a store's bytes to where they want them; one's own does not. */
static bool is_foreign_link(const char *path) {
    struct stat link;
    return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && link.st_uid != geteuid() && link.st_uid != 0;
}

/* FS_OK for a file to open; *fresh: there is none, or an empty one that a kill left. */
static fs_status look_at_file(const char *path, fs_store_mode mode, bool *fresh, fs_error *err) {
    struct stat info;
    if (mode == FS_STORE_WRITE && is_foreign_link(path))
        return fs_fail(err, FS_INPUT, "%s is a link of another user; expected a store, or a link of your own",
                       path);
    *fresh = stat(path, &info) != 0;
    if (*fresh && errno != ENOENT)
        return fs_fail(err, FS_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    if (*fresh)
        return mode == FS_STORE_WRITE ? FS_OK : fs_fail(err, FS_INPUT, "%s: there is no such store", path);
    if (S_ISDIR(info.st_mode))
        return fs_fail(err, FS_INPUT, "%s is a folder; expected a store, a file such as runs/sweep.db", path);
    *fresh = info.st_size == 0;
    if (*fresh && mode == FS_STORE_READ)
        return fs_fail(err, FS_INPUT, "%s is empty: no sweep has been entered yet", path);
    if (!*fresh && !fs_store_is(path))
        return fs_fail(
            err, FS_INPUT,
            "%s is no store: it does not begin as a SQLite database does; if it was a store, it is "
            "damaged: move it aside and run the sweep again",
            path);
    return FS_OK;
}

/* The name of a file beside the store. Owner: caller, free(). */
static char *beside(const fs_store *store, const char *ending) {
    char *name = fs_malloc(strlen(store->path) + strlen(ending) + 1);
    strcpy(name, store->path);
    return strcat(name, ending);
}

/* ---- the lock ---- */

static void say_who_waits(const char *path, int lock) {
    char text[32] = "";
    ssize_t got = pread(lock, text, sizeof text - 1, 0);
    long process = got > 0 ? strtol(text, NULL, 10) : 0;
    if (process > 0)
        fs_say("%s is being written by another foamsim (process %ld); waiting for it to end", path, process);
    else
        fs_say("%s is being written by another foamsim; waiting for it to end", path);
}

static fs_status take_lock(fs_store *store, fs_error *err) {
    char *name = beside(store, ".lock");
    store->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (store->lock < 0)
        fs_fail(err, FS_IO, "%s: cannot be made: %s", name, strerror(errno));
    free(name);
    if (store->lock < 0)
        return FS_IO;
    const struct timespec nap = {.tv_nsec = LOOK_NANOSECONDS};
    for (bool said = false; flock(store->lock, LOCK_EX | LOCK_NB) != 0;) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return fs_fail(err, FS_IO, "%s.lock: cannot be locked: %s", store->path, strerror(errno));
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted while waiting for the other writer of %s", store->path);
        if (!said)
            say_who_waits(store->path, store->lock);
        said = true;
        nanosleep(&nap, NULL);
    }
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    const bool named =
        ftruncate(store->lock, 0) == 0 && pwrite(store->lock, text, (size_t)length, 0) == length;
    (void)named; /* who holds it is for the words only */
    return FS_OK;
}

/* ---- the database ---- */

/* Every table is one of stored columns: a view under a table's name, code behind a virtual table and columns
 * that are computed are never foamsim's. */
static fs_status check_tables(fs_store *store, fs_error *err) {
    static const char sql[] =
        "SELECT count(*) FROM sqlite_master AS m WHERE (type = 'view' AND lower(name) IN ('experiments', "
        "'axes', 'objectives', 'constraints', 'points', 'members', 'settings', 'parameters', 'statistics', "
        "'provenance')) OR (type = 'table' AND (rootpage = 0 OR sql LIKE '%virtual%' OR EXISTS (SELECT 1 "
        "FROM pragma_table_xinfo(m.name) WHERE hidden <> 0)))";
    int64_t strange = 0;
    if (FS_STORE_WHOLE(store, err, &strange, sql, ""))
        return err->status;
    return strange == 0 ? FS_OK
                        : fs_fail(err, FS_INPUT,
                                  "%s holds tables that compute what they show: no store of foamsim does; a "
                                  "copy without them can be read",
                                  store->path);
}

/* Whole, as far as the pages and their order go. What its schema demands of values is not asked: that may be
 * anything, and the values are looked at where they are read. */
static fs_status check_whole(fs_store *store, fs_error *err) {
    bool row = false;
    if (fs_store_exec(store, "PRAGMA ignore_check_constraints = ON", err))
        return err->status;
    sqlite3_stmt *s = fs_store_bind(store, err, "PRAGMA quick_check(1)", "");
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    const char *said = row ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (said == NULL || strcmp(said, "ok") != 0) {
        const char *last = said == NULL ? NULL : strrchr(said, '\n'); /* the first line is only a title */
        fs_store_damaged(store, last != NULL ? last + 1 : said == NULL ? "unreadable" : said, err);
    }
    sqlite3_reset(s);
    return err->status ? err->status : fs_store_exec(store, "PRAGMA ignore_check_constraints = OFF", err);
}

static fs_status check_owner(fs_store *store, fs_error *err) {
    int64_t application = 0, version = 0, tables = 0;
    if (FS_STORE_WHOLE(store, err, &application, "PRAGMA application_id", "") ||
        FS_STORE_WHOLE(store, err, &version, "PRAGMA user_version", "") ||
        FS_STORE_WHOLE(store, err, &tables, "SELECT count(*) FROM sqlite_master", ""))
        return err->status;
    if (application != FS_STORE_APPLICATION && (application != 0 || version != 0 || tables != 0))
        return fs_fail(err, FS_INPUT, "%s is a SQLite database, but no store of foamsim", store->path);
    if (version < 0 || (version == 0 && tables != 0))
        return fs_fail(
            err, FS_IO,
            "%s is damaged: its schema has the number %lld; expected 1 to %d. Run the sweep again with "
            "another --store",
            store->path, (long long)version, fs_store_version);
    if (version > fs_store_version)
        return fs_fail(err, FS_INPUT,
                       "%s was made by a newer foamsim (schema %lld, this one knows up to %d): use that one",
                       store->path, (long long)version, fs_store_version);
    return FS_OK;
}

/* In one transaction, and only once when several open it at the same time. */
static fs_status bring_up_to_date(fs_store *store, fs_error *err) {
    int64_t version = 0;
    if (FS_STORE_WHOLE(store, err, &version, "PRAGMA user_version", "") || version == fs_store_version)
        return err->status;
    if (sqlite3_db_readonly(store->db, "main") == 1)
        return fs_fail(err, FS_INPUT,
                       "%s was made by an older foamsim and can't be written here: copy it to a "
                       "place where it can, so that it can be brought up to date",
                       store->path);
    if (fs_store_begin(store, err) || FS_STORE_WHOLE(store, err, &version, "PRAGMA user_version", ""))
        return err->status;
    for (; version < fs_store_version && err->status == FS_OK; version++)
        fs_store_exec(store, fs_store_migrations[version], err);
    if (err->status == FS_OK)
        fs_store_renew_views(store, err);
    if (err->status == FS_OK) {
        char *sql = sqlite3_mprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", fs_store_version,
                                    (int)FS_STORE_APPLICATION);
        fs_store_exec(store, sql, err);
        sqlite3_free(sql);
    }
    if (err->status == FS_OK)
        return fs_store_commit(store, err);
    fs_store_undo(store);
    return err->status;
}

/* Whether SQLite may make its files beside the store, as even a reader of a store in WAL does. */
static bool can_write_beside(const char *path) {
    char *folder = fs_strdup(path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';
    bool can = access(path, W_OK) == 0 && access(slash == NULL ? "." : folder, W_OK) == 0;
    free(folder);
    return can;
}

/* `file:PATH?immutable=1`, every other letter of the path as %XX. Owner: caller, free(). */
static char *as_immutable(const char *path) {
    char *uri = fs_malloc(3 * strlen(path) + sizeof "file://?immutable=1");
    char *to = uri + sprintf(uri, path[0] == '/' ? "file://" : "file:");
    for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++)
        to += isalnum(*c) || strchr("/._-", *c) != NULL ? sprintf(to, "%c", *c) : sprintf(to, "%%%02X", *c);
    strcpy(to, "?immutable=1");
    return uri;
}

/* A store of another user, or on a disk that is read only, is read as it lies there. What its writer has not
 * moved from STORE-wal into it yet would be missing, so there must be no such file. */
static fs_status open_as_it_lies(fs_store *store, fs_error *err) {
    struct stat info;
    char *wal = beside(store, "-wal");
    bool unfinished = stat(wal, &info) == 0 && info.st_size > 0;
    free(wal);
    if (unfinished)
        return fs_fail(
            err, FS_IO,
            "%s cannot be written here and its last changes stand in %s-wal: read it once its writer "
            "has ended, or copy both files to a place where they can be written",
            store->path, store->path);
    char *uri = as_immutable(store->path);
    int got = sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    free(uri);
    return got == SQLITE_OK ? FS_OK : fs_store_fail(store, err);
}

/* A store may come from somebody else: its schema may neither reach beyond it nor compute without end, so
 * that views, triggers and functions that are not harmless do nothing, and no value is larger than any that
 * foamsim writes. */
static void distrust(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
}

/* Another program has a transaction open: waited for, with a word about it, until a signal comes. */
static int wait_for_another(void *self, int looks) {
    const fs_store *store = self;
    const struct timespec nap = {.tv_nsec = LOOK_NANOSECONDS};
    if (fs_interrupted() || looks >= BUSY_SECONDS * LOOKS_A_SECOND)
        return 0;
    if (looks == LOOKS_A_SECOND)
        fs_say("%s is locked by another program; waiting for it, %d s at most", store->path, BUSY_SECONDS);
    nanosleep(&nap, NULL);
    return 1;
}

static fs_status open_database(fs_store *store, fs_store_mode mode, fs_error *err) {
    int flags = SQLITE_OPEN_READWRITE | (mode == FS_STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
    if (mode == FS_STORE_READ && !can_write_beside(store->path)) {
        if (open_as_it_lies(store, err))
            return err->status;
    } else if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
        return fs_store_fail(store, err);
    distrust(store->db);
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_handler(store->db, wait_for_another, store);
    if (check_owner(store, err) || check_tables(store, err) || check_whole(store, err))
        return err->status;
    if (sqlite3_db_readonly(store->db, "main") == 0 &&
        fs_store_exec(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
                      err))
        return err->status;
    return bring_up_to_date(store, err);
}

fs_status fs_store_open(const char *path, fs_store_mode mode, fs_store **out, fs_error *err) {
    *out = NULL;
    bool fresh = false;
    if (look_at_file(path, mode, &fresh, err) ||
        (mode == FS_STORE_WRITE && fresh && fs_dir_make_above(path, err)))
        return err->status;
    fs_store *store = fs_calloc(1, sizeof *store);
    store->path = fs_strdup(path);
    store->lock = -1;
    if ((mode == FS_STORE_WRITE && take_lock(store, err)) || open_database(store, mode, err)) {
        fs_store_close(store);
        return err->status;
    }
    *out = store;
    return FS_OK;
}

void fs_store_close(fs_store *store) {
    if (store == NULL)
        return;
    if (store->depth > 0)
        fs_store_undo(store);
    for (size_t i = 0; i < store->prepared_count; i++)
        sqlite3_finalize(store->prepared[i].statement);
    sqlite3_close(store->db);
    if (store->lock >= 0)
        close(store->lock);
    free(store->path);
    free(store);
}
