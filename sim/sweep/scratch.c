/* The folder beside a store: experiments of points under way, their run folders, recordings. */
#include "sim/base/alloc.h"
#include "sim/base/version.h"
#include "sim/host/file.h"
#include "sim/sweep/private.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *fs_sweep_yaml_path(fs_arena *arena, const char *folder, const char *key) {
    return fs_arena_printf(arena, "%s/points/%s.yaml", folder, key);
}

const char *fs_sweep_run_path(fs_arena *arena, const char *folder, const char *key) {
    return fs_arena_printf(arena, "%s/runs/%s", folder, key);
}

fs_status fs_sweep_make_folders(const char *folder, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    if (fs_dir_make(fs_arena_printf(arena, "%s/points", folder), err) == FS_OK)
        fs_dir_make(fs_arena_printf(arena, "%s/runs", folder), err);
    fs_arena_free(arena);
    return err->status;
}

void fs_sweep_remove_folders(const char *folder) {
    fs_arena *arena = fs_arena_create();
    rmdir(fs_arena_printf(arena, "%s/points", folder));
    rmdir(fs_arena_printf(arena, "%s/runs", folder));
    rmdir(folder);
    fs_arena_free(arena);
}

fs_status fs_sweep_write_item(fs_arena *arena, const char *folder, const fs_sweep_item *item, fs_error *err) {
    const char *path = fs_sweep_yaml_path(arena, folder, item->key);
    return fs_file_write(path, item->resolved, strlen(item->resolved), FS_LIGHT, err);
}

void fs_sweep_forget_item(fs_arena *arena, const char *folder, const fs_sweep_item *item) {
    static const char *const ends[] = {"", ".partial", ".old.partial"};
    const char *run = fs_sweep_run_path(arena, folder, item->key);
    for (int i = 0; i < 3; i++)
        fs_dir_remove(fs_arena_printf(arena, "%s%s", run, ends[i]));
    unlink(fs_sweep_yaml_path(arena, folder, item->key));
}

/* ---- results ---- */

json_t *fs_sweep_host(double wall_seconds, double peak_bytes) {
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0)
        name[0] = '\0';
    json_t *host =
        json_pack("{s:s, s:s, s:i}", "name", name, "version", FS_VERSION, "model_version", FS_MODEL_VERSION);
    if (host == NULL)
        fs_no_memory();
    json_object_set_new(host, "wall_seconds", fs_json_number(wall_seconds));
    json_object_set_new(host, "peak_rss_bytes", fs_json_number(peak_bytes));
    return host;
}

json_t *fs_sweep_harvest(fs_arena *arena, const char *folder, const fs_sweep_item *item, fs_layer layer) {
    const char *run = fs_sweep_run_path(arena, folder, item->key);
    json_t *summary = json_load_file(fs_arena_printf(arena, "%s/summary.json", run), 0, NULL);
    if (!json_is_object(summary)) {
        json_decref(summary);
        return NULL;
    }
    json_t *host = json_load_file(fs_arena_printf(arena, "%s/host.json", run), 0, NULL);
    json_t *result =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "key", item->key, "status", "done", "error", "", "layer",
                  fs_layer_words[layer], "summary", summary, "host",
                  fs_sweep_host(fs_json_real(host, "wall_seconds"), fs_json_real(host, "peak_rss_bytes")));
    if (result == NULL)
        fs_no_memory();
    json_decref(host);
    return result;
}

/* ---- failures ---- */

static const char *line_of(const char *text, long line) {
    while (line > 1 && text != NULL) {
        text = strchr(text, '\n');
        text = text == NULL ? NULL : text + 1;
        line--;
    }
    return text;
}

/* "FILE:LINE:COLUMN: rest" of the item's own file, whose comments say where each value came from: the user's
 * place instead. *rest: what follows; NULL when the line speaks of no place in that file. */
static const char *origin_of(fs_arena *arena, const fs_sweep_item *item, const char *line,
                             const char **rest) {
    *rest = NULL;
    const char *name = fs_arena_printf(arena, "%s.yaml:", item->key), *at = strstr(line, name);
    const char *end = strchr(line, '\n');
    if (at == NULL || (end != NULL && at > end))
        return "";
    char *after = NULL;
    long number = strtol(at + strlen(name), &after, 10);
    if (*after == ':')
        strtol(after + 1, &after, 10);
    if (after[0] != ':' || after[1] != ' ')
        return "";
    *rest = after + 2;
    const char *value = line_of(item->resolved, number);
    const char *stop = value == NULL ? NULL : strchr(value, '\n');
    const char *comment = value == NULL ? NULL : strstr(value, " # ");
    if (comment == NULL || (stop != NULL && comment > stop))
        return "";
    size_t length = strcspn(comment + 3, "\n,");
    const char *origin = fs_arena_printf(arena, "%.*s", (int)length, comment + 3);
    return strcmp(origin, "default") == 0 ? "" : fs_arena_printf(arena, "%s: ", origin);
}

bool fs_sweep_lacks_room(const char *words) {
    return strstr(words, strerror(ENOSPC)) != NULL || strstr(words, strerror(EDQUOT)) != NULL ||
           strstr(words, "not everything reached the disk") != NULL;
}

bool fs_sweep_lacks_host(const char *words) {
    static const int reasons[] = {EMFILE, ENFILE, ENOMEM, EIO};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(words, strerror(reasons[i])) != NULL)
            return true;
    return fs_sweep_lacks_room(words);
}

const char *fs_sweep_own_places(fs_arena *arena, const fs_sweep_item *item, const char *words) {
    static const char program[] = "foamsim: ";
    const char *text = "";
    while (*words != '\0') {
        if (strncmp(words, program, sizeof program - 1) == 0)
            words += sizeof program - 1;
        const size_t length = strcspn(words, "\n");
        const char *rest, *origin = origin_of(arena, item, words, &rest), *from = rest == NULL ? words : rest;
        text = fs_arena_append(arena, text, "\n", "%s%.*s", origin, (int)(words + length - from), from);
        words += length + (words[length] == '\n');
    }
    return text;
}

json_t *fs_sweep_failure(fs_arena *arena, const fs_sweep_item *item, fs_layer layer, const char *words) {
    const char *text = fs_sweep_own_places(arena, item, words);
    json_t *error = json_string(text[0] == '\0' ? "the run failed without a word" : text);
    if (error == NULL) /* words that are no UTF-8 */
        error = json_string("the run failed, and what it said is no text");
    json_t *result =
        json_pack("{s:s, s:s, s:o, s:s, s:o}", "key", item->key, "status", "failed", "error", error, "layer",
                  fs_layer_words[layer], "host", fs_sweep_host((double)NAN, (double)NAN));
    if (result == NULL)
        fs_no_memory();
    return result;
}

/* ---- recordings ---- */

typedef struct recording {
    const char *path;
    uint64_t bytes;
    struct timespec used;
} recording;

static int oldest_first(const void *a, const void *b) {
    const struct timespec *x = &((const recording *)a)->used, *y = &((const recording *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

void fs_sweep_trim(fs_arena *arena, const char *folder, uint64_t limit, const char *const *keep,
                   size_t count) {
    const char *const *name = limit == 0 ? NULL : fs_dir_names(arena, folder);
    recording *all = NULL;
    size_t n = 0;
    uint64_t sum = 0;
    for (struct stat info; name != NULL && *name != NULL; name++) {
        const char *path = fs_arena_printf(arena, "%s/%s", folder, *name);
        if ((!fs_path_ends(path, ".itinerary") && !fs_path_ends(path, ".activity")) || stat(path, &info) != 0)
            continue;
        all = fs_arena_grow(arena, all, n, sizeof *all);
        all[n++] = (recording){path, (uint64_t)info.st_size, info.st_mtim};
        sum += (uint64_t)info.st_size;
    }
    if (n == 0)
        return;
    qsort(all, n, sizeof *all, oldest_first);
    for (size_t i = 0; i < n && sum > limit; i++)
        if (FS_WORD_PLACE(keep, count, all[i].path) == count && unlink(all[i].path) == 0)
            sum -= all[i].bytes;
}
