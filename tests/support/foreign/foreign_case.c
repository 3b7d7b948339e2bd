#include "tests/support/foreign/foreign_case.h"

#include "sim/base/alloc.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

void foreign_copy(const char *from, const char *to) {
    char command[9000];
    snprintf(command, sizeof command, "rm -rf -- '%s' && cp -R -- '%s' '%s'", to, from, to);
    assert_int_equal(system(command), 0);
}

void foreign_remove(const char *path) {
    char command[4300];
    snprintf(command, sizeof command, "rm -rf -- '%s'", path);
    assert_int_equal(system(command), 0);
}

void foreign_change(const char *path, const char *old, const char *new) {
    char *text = file_text(path), *out = fs_malloc(strlen(text) + count(text, old) * strlen(new) + 1),
         *to = out;
    assert_true(strstr(text, old) != NULL);
    for (const char *at = text; *at != '\0';)
        if (strncmp(at, old, strlen(old)) == 0) {
            to = stpcpy(to, new);
            at += strlen(old);
        } else
            *to++ = *at++;
    *to = '\0';
    scratch_write(path, out);
    free(out);
}

void foreign_unseal(const char *run) {
    char path[4200];
    snprintf(path, sizeof path, "%s/manifest.json", run);
    char *text = file_text(path), *rest = NULL, *out = fs_calloc(strlen(text) + 1, 1), *to = out;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        if (strstr(line, "\"bytes\":") == NULL && strstr(line, "\"sha256\":") == NULL)
            to += sprintf(to, "%s\n", line);
    /* A comma before the brace that follows what was taken out. */
    for (char *at = out; (at = strstr(at, ",\n")) != NULL; at++)
        if (at[2 + strspn(at + 2, " ")] == '}')
            *at = ' ';
    scratch_write(path, out);
    free(out);
}

char **foreign_texts(const char *canary, size_t *count) {
    static const char *const forms[] = {
        "`touch %s`",
        "$(touch %s)",
        "\"; system(\"touch %s\"); \"",
        "'; system('touch %s'); '",
        "x'.system('touch %s').'",
        "\\\" . system(\\\"touch %s\\\") . \\\"",
        "@`touch %s`%%n%%s 50 %% {/:Bold x} <b>&amp;</b>",
        "a\n!touch %s\nload '< touch %s'\n",
    };
    enum { FORMS = sizeof forms / sizeof *forms };
    char **texts = fs_calloc(FORMS, sizeof *texts);
    *count = FORMS;
    for (size_t i = 0; i < FORMS; i++) {
        size_t room = strlen(forms[i]) + 2 * strlen(canary) + 1;
        texts[i] = fs_calloc(room, 1);
        char *to = texts[i];
        for (const char *c = forms[i]; *c != '\0'; c++)
            if (strncmp(c, "%s", 2) == 0 && strncmp(c - 1, "n%s", 3) != 0 &&
                (c == forms[i] || c[-1] != '%')) {
                to = stpcpy(to, canary);
                c++;
            } else if (c[0] == '%' && c[1] == '%') {
                *to++ = *c++;
            } else
                *to++ = *c;
    }
    return texts;
}

int foreign_processes(void) {
    char here[4096], path[300], place[4096];
    int found = 0;
    assert_non_null(getcwd(here, sizeof here));
    DIR *dir = opendir("/proc");
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (!isdigit((unsigned char)e->d_name[0])) /* "self" is one of them */
            continue;
        snprintf(path, sizeof path, "/proc/%s/cwd", e->d_name);
        ssize_t length = readlink(path, place, sizeof place - 1);
        if (length > 0) {
            place[length] = '\0';
            found += strncmp(place, here, strlen(here)) == 0;
        }
    }
    closedir(dir);
    return found;
}

/* ---- scripts ---- */

/* True for a script of the program itself. */
static bool is_ours(const char *name) {
    char path[8192];
    snprintf(path, sizeof path, "%s/reports/plot/%s", getenv("FOAMSIM_DATA"), name);
    return access(path, R_OK) == 0;
}

static void check_line(const char *path, size_t number, const char *line) {
    static const char *const first[] = {"load '",        "array ",          "set ",          "unset ",
                                        "plot '",        "plot NaN",        "eval picture(", "eval panel(",
                                        "eval colours_", "eval colourbar(", "eval caption",  NULL};
    bool quoted = false;
    if (line[0] == '#')
        return;
    for (const char *c = line; *c != '\0'; c++) {
        unsigned char letter = (unsigned char)*c;
        if (*c == '\'')
            quoted = !quoted;
        else if (strchr("`\"\\", *c) != NULL || letter < ' ' || letter == 0x7f)
            fail_msg("%s:%zu: the character %d: %.200s", path, number, letter, line);
        else if (!quoted && !isalnum(letter) && strchr(" _.,;=()[]<>$+-*?:/", *c) == NULL)
            fail_msg("%s:%zu: '%c' outside of quotes: %.200s", path, number, *c, line);
    }
    if (quoted)
        fail_msg("%s:%zu: a quote that does not end: %.200s", path, number, line);
    bool allowed = line[0] == '$' || isdigit((unsigned char)line[0]) || line[0] == '-';
    for (size_t i = 0; first[i] != NULL; i++)
        allowed |= strncmp(line, first[i], strlen(first[i])) == 0;
    const size_t name = strcspn(line, " ");
    allowed |= strncmp(line + name, " = ", 3) == 0 || strcmp(line, "end") == 0;
    if (!allowed || strncmp(line, "system", 6) == 0)
        fail_msg("%s:%zu: no assignment: %.200s", path, number, line);
}

void foreign_scripts_are_plain(const char *folder) {
    DIR *dir = opendir(folder);
    size_t scripts = 0;
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[4600], *rest = NULL;
        size_t length = strlen(e->d_name), number = 0;
        if (length < 4 || strcmp(e->d_name + length - 3, ".gp") != 0 || is_ours(e->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        char *text = file_text(path);
        for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
            check_line(path, ++number, line);
        scripts++;
    }
    closedir(dir);
    assert_true(scripts > 0);
}
