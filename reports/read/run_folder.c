/* A run folder, read: its manifest, tables, figures and views. */
#include "reports/read/run_private.h"
#include "sim/host/file.h"
#include "sim/results/archive.h"
#include "sim/results/page_plan.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *fs_folder_file(const fs_folder *folder, const char *file) {
    return fs_arena_printf(folder->arena, "%s/%s", folder->path, file);
}

char *fs_folder_bytes(const char *path, size_t *size, fs_error *err) {
    FILE *file = fs_file_regular(path);
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0) {
        fs_fail(err, FS_INPUT, "%s: cannot read: %s", path, fs_file_reason());
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    char *bytes = NULL;
    if (info.st_size >= (off_t)UINT32_MAX)
        fs_fail(err, FS_INPUT, "%s: %lld bytes are more than a report reads (4 GiB)", path,
                (long long)info.st_size);
    else {
        *size = (size_t)info.st_size;
        bytes = fs_malloc(*size + 1);
        if (fread(bytes, 1, *size, file) != *size) {
            fs_fail(err, FS_INPUT, "%s: cannot read it whole", path);
            free(bytes);
            bytes = NULL;
        } else
            bytes[*size] = '\0';
    }
    fclose(file);
    return bytes;
}

json_t *fs_folder_json(const fs_folder *folder, const char *file, fs_error *err) {
    const char *path = fs_folder_file(folder, file);
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL && error.line > 0)
        fs_fail(err, FS_INPUT, "%s:%d:%d: %s", path, error.line, error.column, error.text);
    else if (root == NULL)
        fs_fail(err, FS_INPUT, "%s: %s", path, error.text);
    return root;
}

/* ---- opening ---- */

/* A file of the run itself, or one in a folder of it. */
static bool names_a_file(const char *name) {
    if (name[0] == '\0' || name[0] == '/')
        return false;
    for (const char *part = name; part != NULL;
         part = strchr(part, '/') == NULL ? NULL : strchr(part, '/') + 1)
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    return true;
}

static fs_status check_file(const fs_folder *folder, const json_t *item, size_t place, fs_error *err) {
    const char *name = json_string_value(json_object_get(item, "file"));
    const json_t *bytes = json_object_get(item, "bytes");
    if (name == NULL)
        return fs_fail(err, FS_INPUT, "%s/manifest.json: files[%zu] has no name", folder->path, place);
    if (!names_a_file(name))
        return fs_fail(err, FS_INPUT, "%s/manifest.json: files[%zu]: \"%.200s\" is no file of a run",
                       folder->path, place, name);
    struct stat info;
    const char *path = fs_folder_file(folder, name);
    if (stat(path, &info) != 0)
        return fs_fail(err, FS_INPUT, "%s: the manifest lists it, but it cannot be read: %s", path,
                       strerror(errno));
    if (!S_ISREG(info.st_mode))
        return fs_fail(err, FS_INPUT, "%s: the manifest lists it, but it is no regular file", path);
    if (json_is_integer(bytes) && json_integer_value(bytes) != (json_int_t)info.st_size)
        return fs_fail(err, FS_INPUT, "%s: %lld bytes, but the manifest says %lld; the run folder is damaged",
                       path, (long long)info.st_size, (long long)json_integer_value(bytes));
    return FS_OK;
}

static fs_status read_manifest(fs_folder *folder, fs_error *err) {
    struct stat info;
    if (stat(folder->path, &info) != 0)
        return fs_fail(err, FS_INPUT, "%s: no such run folder: %s", folder->path, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return fs_fail(err, FS_INPUT, "%s: expected a run folder, found a file", folder->path);
    if (fs_path_ends(folder->path, ".partial"))
        return fs_fail(err, FS_INPUT, "%s: an interrupted run; only a folder without that ending is whole",
                       folder->path);
    if (!fs_folder_has(folder, "manifest.json"))
        return fs_fail(err, FS_INPUT, "%s: no run folder of foamsim (it has no manifest.json)", folder->path);
    folder->manifest = fs_folder_json(folder, "manifest.json", err);
    if (folder->manifest == NULL)
        return err->status;
    const json_t *files = json_object_get(folder->manifest, "files");
    if (!json_is_array(files))
        return fs_fail(err, FS_INPUT, "%s/manifest.json: it lists no files", folder->path);
    for (size_t i = 0; i < json_array_size(files); i++) {
        fs_status status = check_file(folder, json_array_get(files, i), i, err);
        if (status)
            return status;
    }
    return FS_OK;
}

/* The experiment's name, from the line `name: "..."` at the head of resolved.yaml. */
static const char *experiment_name(fs_folder *folder) {
    FILE *file = fs_file_regular(fs_folder_file(folder, "resolved.yaml"));
    char line[1024];
    const char *name = NULL;
    while (file != NULL && name == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "name:", 5) == 0) {
            char *from = line + 5 + strspn(line + 5, " "), *to = from;
            if (*from == '"') { /* as written by fs_config_write_resolved: \" and \\ are escaped */
                for (from++; *from != '\0' && *from != '"' && *from != '\n'; from++) {
                    if (*from == '\\' && from[1] != '\0')
                        from++;
                    *to++ = *from;
                }
                *to = '\0';
                name = fs_arena_strdup(folder->arena, line + 5 + strspn(line + 5, " "));
            } else {
                from[strcspn(from, " #\n")] = '\0';
                name = fs_arena_strdup(folder->arena, from);
            }
        }
    if (file != NULL)
        fclose(file);
    return name != NULL && name[0] != '\0' ? name : folder->label;
}

static size_t count_views(const fs_folder *folder) {
    size_t n = 0;
    while (fs_folder_has(folder, fs_arena_printf(folder->arena, "view-%zu/manifest.json", n)))
        n++;
    return n;
}

void fs_folder_own_places(const fs_folder *folder, fs_error *err) {
    if (folder == NULL || folder->archive == NULL || folder->path == NULL)
        return;
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    const char *from = err->text;
    for (const char *at; (at = strstr(from, folder->path)) != NULL; from = at + strlen(folder->path))
        fprintf(out, "%.*s%s", (int)(at - from), from, folder->archive);
    fputs(from, out);
    fs_memory_close(&memory);
    snprintf(err->text, sizeof err->text, "%s", memory.text);
    free(memory.text);
}

/* Where the run lies: the folder, or to what it is unpacked. NULL: an error. */
static const char *place_of(fs_folder *folder, const char *dir, fs_error *err) {
    if (!fs_archive_is(dir))
        return dir;
    folder->archive = fs_arena_strdup(folder->arena, dir);
    return fs_archive_unpack(folder->archive, folder->arena, &folder->scratch, &dir, err) ? NULL : dir;
}

fs_folder *fs_folder_open(const char *dir, const fs_stat_table *const *known, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_folder *folder = FS_NEW(arena, fs_folder, 1);
    folder->arena = arena;
    folder->known = known;
    dir = place_of(folder, dir, err);
    if (dir == NULL) {
        fs_folder_close(folder);
        return NULL;
    }
    char *path = fs_arena_strdup(arena, dir);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
        path[n - 1] = '\0';
    folder->path = path;
    const char *slash = strrchr(path, '/');
    folder->label = slash != NULL && slash[1] != '\0' ? slash + 1 : path;
    if (read_manifest(folder, err) || fs_folder_read_figures(folder, err)) {
        fs_folder_own_places(folder, err);
        fs_folder_close(folder);
        return NULL;
    }
    folder->name = experiment_name(folder);
    folder->view_count = count_views(folder);
    folder->views = FS_NEW(arena, fs_folder *, folder->view_count + 1);
    return folder;
}

void fs_folder_close(fs_folder *folder) {
    if (folder == NULL)
        return;
    for (size_t i = 0; i < folder->table_count; i++)
        fs_csv_free(folder->tables[i]);
    free(folder->tables);
    for (size_t i = 0; i < folder->view_count; i++)
        fs_folder_close(folder->views[i]);
    json_decref(folder->manifest);
    fs_scratch_remove(&folder->scratch);
    fs_arena_free(folder->arena);
}

const char *fs_folder_archive(const fs_folder *folder) {
    return folder->archive;
}

const char *fs_folder_path(const fs_folder *folder) {
    return folder->path;
}

const char *fs_folder_label(const fs_folder *folder) {
    return folder->label;
}

const char *fs_folder_name(const fs_folder *folder) {
    return folder->name;
}

const char *fs_folder_note(const fs_folder *folder, const char *key) {
    const char *text = json_string_value(json_object_get(folder->manifest, key));
    return text == NULL ? "" : text;
}

bool fs_folder_has(const fs_folder *folder, const char *file) {
    struct stat info;
    return stat(fs_folder_file(folder, file), &info) == 0 && S_ISREG(info.st_mode);
}

/* ---- tables ---- */

static const json_t *units_of(const fs_folder *folder, const char *file) {
    const json_t *files = json_object_get(folder->manifest, "files");
    for (size_t i = 0; i < json_array_size(files); i++) {
        const json_t *item = json_array_get(files, i);
        const char *name = json_string_value(json_object_get(item, "file"));
        if (name != NULL && strcmp(name, file) == 0)
            return json_object_get(item, "units");
    }
    return NULL;
}

const fs_csv *fs_folder_table(fs_folder *folder, const char *file, fs_error *err) {
    for (size_t i = 0; i < folder->table_count; i++)
        if (strcmp(fs_csv_file(folder->tables[i]), file) == 0)
            return folder->tables[i];
    fs_csv *table = fs_csv_read(fs_folder_file(folder, file), file, units_of(folder, file), err);
    if (table == NULL)
        return NULL;
    folder->tables = fs_grow(folder->tables, folder->table_count, sizeof *folder->tables);
    return folder->tables[folder->table_count++] = table;
}

void fs_folder_forget(fs_folder *folder, const char *file) {
    for (size_t i = 0; i < folder->table_count; i++)
        if (strcmp(fs_csv_file(folder->tables[i]), file) == 0) {
            fs_csv_free(folder->tables[i]);
            folder->tables[i] = folder->tables[--folder->table_count];
            return;
        }
}

/* ---- views ---- */

size_t fs_folder_views(const fs_folder *folder) {
    return folder->view_count;
}

fs_folder *fs_folder_view(fs_folder *folder, size_t view, fs_error *err) {
    FS_ASSERT(view < folder->view_count, "view %zu of %zu", view, folder->view_count);
    if (folder->views[view] == NULL)
        folder->views[view] = fs_folder_open(
            fs_arena_printf(folder->arena, "%s/view-%zu", folder->path, view), folder->known, err);
    return folder->views[view];
}

/* ---- page.json ---- */

const fs_page_plan *fs_folder_page(fs_folder *folder, fs_error *err) {
    if (folder->page != NULL || !fs_folder_has(folder, "page.json"))
        return folder->page;
    json_t *root = fs_folder_json(folder, "page.json", err);
    if (root != NULL)
        folder->page = fs_page_plan_read(root, fs_folder_file(folder, "page.json"), folder->arena, err);
    json_decref(root);
    return folder->page;
}

const char *const *fs_folder_files(fs_folder *folder, size_t *count) {
    const json_t *files = json_object_get(folder->manifest, "files");
    const char **list = FS_NEW(folder->arena, const char *, json_array_size(files) + 1);
    *count = 0;
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(files, i), "file"));
        if (name != NULL && strchr(name, '/') == NULL)
            list[(*count)++] = name;
    }
    return list;
}
