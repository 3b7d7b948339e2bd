/* Pages of man. */
#include "sim/base/arith.h"
#include "sim/base/version.h"
#include "sim/cli/manual/manual.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* ---- text ---- */

static void put(const char *text, size_t count, FILE *out) {
    static const struct {
        char letter;
        const char *escaped;
    } own[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < FS_COUNT(own) && own[k].letter != text[i])
            k++;
        if (k < FS_COUNT(own))
            fputs(own[k].escaped, out);
        else
            fprintf(out, "%s%c", i == 0 && text[i] == '.' ? "\\&" : "", text[i]);
    }
}

void fs_roff(FILE *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    for (const char *s; (s = strstr(format, "%s")) != NULL; format = s + 2) {
        fwrite(format, 1, (size_t)(s - format), out);
        const char *text = va_arg(args, const char *);
        put(text, strlen(text), out);
    }
    va_end(args);
    fputs(format, out);
}

const char *fs_manual_name(const char *entry, char *room, size_t size) {
    snprintf(room, size, "foamsim%s%s", entry[0] == '\0' ? "" : "-", entry);
    for (char *at = room; *at != '\0'; at++)
        if (*at == ' ')
            *at = '-';
    return room;
}

static void head(const char *name, const char *summary, FILE *out) {
    char upper[64];
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < sizeof upper; i++)
        upper[i] = (char)toupper((unsigned char)name[i]);
    upper[i] = '\0';
    fs_roff(out, FS_ROFF_HEAD, upper, "1", FS_VERSION);
    fs_roff(out, ".SH NAME\n%s \\- %s\n", name, summary);
}

/* ---- a command ---- */

static size_t line_of(const char *text) {
    return strcspn(text, "\n");
}

/* "best      the best points": where the explanation begins; 0 when the line is a sentence. */
static size_t explained_at(const char *line, size_t length) {
    for (size_t i = 1; i + 2 < length && i < 40; i++)
        if (line[i] == ' ' && line[i + 1] == ' ') {
            size_t at = i;
            while (at < length && line[at] == ' ')
                at++;
            return line[0] == ' ' || at == length ? 0 : at;
        }
    return 0;
}

/* Lines of a usage as paragraphs; those that explain a word as a list. */
static void description(const char *text, FILE *out) {
    bool listed = false;
    while (*text != '\0') {
        const size_t length = line_of(text), at = explained_at(text, length);
        if (at > 0) {
            size_t end = at;
            while (end > 0 && text[end - 1] == ' ')
                end--;
            fputs(".TP\n.B ", out);
            put(text, end, out);
            fputc('\n', out);
            put(text + at, length - at, out);
            fputc('\n', out);
        } else if (length == 0) {
            fputs(".PP\n", out);
        } else {
            if (listed && text[0] != ' ')
                fputs(".PP\n", out);
            while (*text == ' ')
                text++;
            put(text, line_of(text), out);
            fputc('\n', out);
        }
        listed = at > 0;
        text += line_of(text);
        text += *text == '\n';
    }
}

static void option(const fs_option *o, FILE *out) {
    fputs(".TP\n", out);
    if (o->letter != '\0')
        fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    fs_roff(out, o->value == NULL ? "\\fB\\-\\-%s\\fR\n" : "\\fB\\-\\-%s\\fR \\fI%s\\fR\n", o->name,
            o->value);
    fs_roff(out, "%s\n", o->doc);
}

static void exit_status(FILE *out) {
    fputs(".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\nit failed\n.TP\n.B 2\nthe input is wrong\n", out);
}

void fs_manual_page(const fs_manual_entry *entry, FILE *out) {
    char name[64];
    const size_t line = line_of(entry->told->usage), rest = line + (entry->told->usage[line] == '\n');
    head(fs_manual_name(entry->name, name, sizeof name), entry->summary, out);
    fputs(".SH SYNOPSIS\n.B foamsim\n", out);
    put(entry->told->usage, line, out);
    fputs("\n", out);
    if (entry->told->usage[rest] != '\0') {
        fputs(".SH DESCRIPTION\n", out);
        description(entry->told->usage + rest, out);
    }
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < entry->told->count; i++)
        option(&entry->told->options[i], out);
    for (size_t i = 0; i < entry->told->common_count; i++)
        option(&entry->told->common[i], out);
    exit_status(out);
    fputs(".SH SEE ALSO\n.BR foamsim (1),\n.BR foamsim\\-experiment (5)\n", out);
}

/* ---- the program ---- */

static const char *const environment[][2] = {
    {"FOAMSIM_DATA",
     "a folder that holds configs/ and reports/; else ../share/foamsim of the program's folder, "
     "or the folder above it"},
    {"FOAMSIM_DELAUNAY", "the mesher, foamsim-delaunay; else beside the program or in ../libexec/foamsim"},
    {"FOAMSIM_PLUGINS", "libraries that --plugin would name, with colons between them"},
    {"FOAMSIM_PROGRESS", "a digit: the descriptor to which progress is written, for programs that listen"},
    {"XDG_CACHE_HOME", "cached scenes lie in foamsim below it; else in ~/.cache"},
    {"TMPDIR", "where pictures are drawn when they cannot be drawn beside their place"},
};

void fs_manual_program(const fs_cli *cli, FILE *out) {
    char name[64];
    head("foamsim", "simulate many-tile processors that run irregular, data-moving workloads", out);
    fputs(
        ".SH SYNOPSIS\n.B foamsim\n.I COMMAND\n[options]\n.SH DESCRIPTION\nAn architect writes a machine, "
        "an overlay network, a scene and a workload in YAML, runs them, and reads cycle counts, congestion, "
        "memory and energy; then changes the machine and asks again.\n.SH COMMANDS\n",
        out);
    for (const fs_command *const *c = cli->commands; *c != NULL; c++)
        if ((*c)->summary != NULL)
            fs_roff(out, ".TP\n.BR %s (1)\n%s\n", fs_manual_name((*c)->name, name, sizeof name),
                    (*c)->summary);
    fputs(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the commands; after a command, its own "
          "options\n.TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nprint the version\n.TP\n\\fB\\-\\-plugin\\fR "
          "\\fIFILE.so\\fR\nload overlays and workloads from a library that you trust; before or after a "
          "command\n",
          out);
    exit_status(out);
    fputs(".SH ENVIRONMENT\n", out);
    for (size_t i = 0; i < FS_COUNT(environment); i++) {
        fprintf(out, ".TP\n.B %s\n", environment[i][0]);
        fs_roff(out, "%s\n", environment[i][1]);
    }
    fputs(".SH SEE ALSO\n.BR foamsim\\-experiment (5)\n", out);
}
