/* What draws: `report` of a whole run folder, gnuplot and all, beside a canary. */
#include "reports/run/report.h"
#include "registry/registry.h"
#include "tests/support/fuzz/targets.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "==> ", song[] = "the canary sings\n";

/* A file of the folder has a plain name, as the files of a run have. */
static bool is_plain(const char *name, size_t length) {
    return length > 0 && length < 64 && name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz_.-0123456789") >= length;
}

/* Writes the files of a bundle: a line "==> NAME" stands before each. */
static void unbundle(char *text, size_t size) {
    char *end = text + size;
    while (text < end) {
        char *line = memchr(text, '\n', (size_t)(end - text));
        if (line == NULL || strncmp(text, head, sizeof head - 1) != 0)
            return;
        char *name = text + sizeof head - 1, *body = line + 1, *next = body;
        while (next < end && !(next[-1] == '\n' && strncmp(next, head, sizeof head - 1) == 0))
            next++;
        if (is_plain(name, (size_t)(line - name))) {
            char file[80];
            snprintf(file, sizeof file, "run/%.*s", (int)(line - name), name);
            fuzz_file(file, body, (size_t)(next - body));
        }
        text = next;
    }
}

/* Nothing that somebody's text may have made: no file of that name anywhere, no link, and the canary sings. */
static void look(const char *folder) {
    DIR *all = opendir(folder);
    for (struct dirent *e; all != NULL && (e = readdir(all)) != NULL;) {
        char path[8192];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || lstat(path, &info) != 0)
            continue;
        if (strcmp(e->d_name, "pwned") == 0 || !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)))
            abort();
        if (S_ISDIR(info.st_mode))
            look(path);
    }
    if (all != NULL)
        closedir(all);
}

static void the_canary_sings(void) {
    char found[sizeof song] = "";
    FILE *file = fopen(fuzz_path("canary"), "r");
    if (file == NULL || fread(found, 1, sizeof found - 1, file) != sizeof song - 1 ||
        strcmp(found, song) != 0)
        abort();
    fclose(file);
}

/* The plots' scripts lie in the repository, where tests and fuzz programs are started. */
static void use_scripts_here(void) {
    char here[4096];
    if (getenv("FOAMSIM_DATA") == NULL && getcwd(here, sizeof here) != NULL)
        setenv("FOAMSIM_DATA", here, 1);
}

void fuzz_report(const uint8_t *data, size_t size) {
    char report[] = "report", out[] = "-o", quiet[] = "-q", folder[8192], page[8192],
         *words[] = {report, folder, out, page, quiet, NULL};
    fs_error *err = calloc(1, sizeof *err);
    char *text = malloc(size + sizeof head);
    if (text == NULL || err == NULL)
        abort();
    memcpy(text, data, size);
    memset(text + size, 0, sizeof head);
    use_scripts_here();
    fuzz_clear("run");
    fuzz_file("canary", song, sizeof song - 1);
    if (mkdir(fuzz_path("run"), 0777) != 0)
        abort();
    snprintf(folder, sizeof folder, "%s", fuzz_path("run"));
    snprintf(page, sizeof page, "%s", fuzz_path("page.html"));
    unbundle(text, size);
    fuzz_check(fs_cli_call(&fs_registry_cli, &fs_command_report, 5, words, err), err);
    look(fuzz_path("."));
    if (access("pwned", F_OK) == 0)
        abort();
    the_canary_sings();
    free(text);
    free(err);
}
