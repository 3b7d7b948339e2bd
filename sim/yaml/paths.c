/* Paths as files name them: relative to a file, absolute, and as they are shown. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "sim/yaml/paths.h"

#include "sim/host/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *fs_path_dir(fs_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return "";
    return fs_arena_printf(arena, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

const char *fs_path_join(fs_arena *arena, const char *dir, const char *path) {
    if (path[0] == '/' || dir[0] == '\0')
        return fs_arena_strdup(arena, path);
    return fs_arena_printf(arena, "%s%s%s", dir, fs_path_ends(dir, "/") ? "" : "/", path);
}

const char *fs_path_real(fs_arena *arena, const char *path) {
    char *real = realpath(path, NULL);
    if (real == NULL)
        return NULL;
    const char *copy = fs_arena_strdup(arena, real);
    free(real);
    return copy;
}

/* Removes "." and "name/.." from a path by its text alone. */
static char *clean(fs_arena *arena, const char *path) {
    char *out = FS_NEW(arena, char, strlen(path) + 2);
    size_t used = 0, floor = path[0] == '/' ? 1 : 0; /* what can't be taken back: "/" or "../.." */
    if (floor)
        out[used++] = '/';
    for (const char *c = path; *c != '\0';) {
        size_t n = strcspn(c, "/");
        bool up = n == 2 && c[0] == '.' && c[1] == '.';
        if (up && used > floor) {
            while (used > floor && out[used - 1] != '/')
                used--;
            used -= used > floor; /* the slash before it */
        } else if (up && path[0] == '/') {
            ; /* the root is its own parent */
        } else if (n > 0 && !(n == 1 && c[0] == '.')) {
            if (used > 0 && out[used - 1] != '/')
                out[used++] = '/';
            memcpy(out + used, c, n);
            used += n;
            floor = up ? used : floor;
        }
        c += n + (c[n] == '/');
    }
    out[used] = '\0';
    return used == 0 ? fs_arena_strdup(arena, ".") : out;
}

static bool exists(const char *path) {
    struct stat s;
    return stat(path, &s) == 0;
}

/* False for what a link led elsewhere before ".." was taken away by text. */
static bool same_file(const char *a, const char *b) {
    struct stat sa, sb;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

const char *fs_path_absolute(fs_arena *arena, const char *dir, const char *path) {
    if (path[0] == '/')
        return fs_arena_strdup(arena, path);
    const char *folder = fs_path_real(arena, dir[0] == '\0' ? "." : dir);
    const char *joined = fs_path_join(arena, folder == NULL ? "/" : folder, path);
    const char *cleaned = clean(arena, joined);
    return exists(joined) && !same_file(cleaned, joined) ? joined : cleaned;
}

const char *fs_path_shown(fs_arena *arena, const char *path) {
    const char *shown = clean(arena, path);
    const char *here = fs_path_real(arena, ".");
    size_t n = here == NULL ? 0 : strlen(here);
    if (n > 1 && strncmp(shown, here, n) == 0 && shown[n] == '/')
        shown += n + 1;
    return same_file(shown, path) ? shown : path;
}

const char *fs_path_stem(fs_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(name, '.');
    size_t n = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
    return fs_arena_printf(arena, "%.*s", (int)n, name);
}

bool fs_path_is_file(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

bool fs_path_ends(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

const char *fs_path_without(fs_arena *arena, const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && fs_path_ends(path, ending) ? fs_arena_printf(arena, "%.*s", (int)(n - m), path) : path;
}

/* The end of the first sentence of a text; its end where it has no full stop. */
static size_t sentence_of(const char *text) {
    const char *stop = strstr(text, ". ");
    return stop == NULL ? strlen(text) : (size_t)(stop - text) + 1;
}

/* The lines of the first comment, joined, as far as its first sentence goes, or the first line alone. */
static const char *comment(fs_arena *arena, const char *path, bool sentence) {
    FILE *file = fs_file_regular(path);
    char line[512] = "";
    const char *text = NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL && (text == NULL || line[0] == '#')) {
        if (line[0] != '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        text = fs_arena_printf(arena, "%s%s%s", text == NULL ? "" : text,
                               text == NULL || text[0] == '\0' ? "" : " ", line + 1 + strspn(line + 1, " "));
        if (!sentence || sentence_of(text) < strlen(text))
            break;
    }
    if (file != NULL)
        fclose(file);
    return text == NULL ? "" : text;
}

const char *fs_first_sentence(fs_arena *arena, const char *path) {
    const char *text = comment(arena, path, true);
    return fs_arena_printf(arena, "%.*s", (int)sentence_of(text), text);
}

const char *fs_first_comment(fs_arena *arena, const char *path) {
    return comment(arena, path, false);
}
