/* The program's entry: finds the command, prints its error, gives the exit status. */
#include "sim/base/alloc.h"
#include "sim/base/version.h"
#include "sim/cli/cli.h"
#include "sim/host/places.h"
#include "sim/host/voice.h"
#include "sim/yaml/words.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const fs_cli *cli) {
    fputs("usage: foamsim COMMAND [options]\n\n"
          "foamsim simulates many-tile processors that run irregular, data-moving workloads.\n\nCommands:\n",
          stdout);
    for (const fs_command *const *c = cli->commands; *c != NULL; c++)
        if ((*c)->summary != NULL)
            printf("  %-10s %s\n", (*c)->name, (*c)->summary);
    fputs("\n  --help     print this text; COMMAND --help prints a command's own\n"
          "  --version  print the version\n\n"
          "Exit status: 0 done, 1 the run failed, 2 the input is wrong.\n",
          stdout);
}

static const fs_command *find(const fs_cli *cli, const char *name) {
    for (const fs_command *const *c = cli->commands; *c != NULL; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static fs_status fail_unknown(const fs_cli *cli, const char *name, fs_error *err) {
    enum { MOST = 64 };
    const char *words[MOST + 1];
    size_t n = 0;
    for (; cli->commands[n] != NULL && n < MOST; n++)
        words[n] = cli->commands[n]->name;
    words[n] = NULL;
    return fs_fail(err, FS_INPUT, "unknown %s \"%s\"%s\n`foamsim --help` lists the commands",
                   name[0] == '-' ? "option" : "command", name, FS_MEANT(name, words));
}

/* --plugin FILE before the command: as behind it. */
static fs_status take_plugins(const fs_cli *cli, int *argc, char ***argv, fs_error *err) {
    static const char word[] = "--plugin";
    const size_t length = sizeof word - 1;
    while (*argc > 1 && strncmp((*argv)[1], word, length) == 0) {
        const char *rest = (*argv)[1] + length, *file = rest[0] == '=' ? rest + 1 : NULL;
        const int used = file == NULL ? 2 : 1;
        if (file == NULL && (rest[0] != '\0' || *argc < 3))
            return rest[0] != '\0' ? FS_OK
                                   : fs_fail(err, FS_INPUT, "--plugin needs a value: --plugin FILE.so");
        if (cli->plugins.load(file == NULL ? (*argv)[2] : file, err))
            return err->status;
        (*argv)[used] = (*argv)[0];
        *argv += used;
        *argc -= used;
    }
    return FS_OK;
}

fs_status fs_cli_call(const fs_cli *cli, const fs_command *command, int argc, char **argv, fs_error *err) {
    fs_command_line call = {cli, fs_arena_create(), argc, argv};
    const fs_status status = command->run(&call, err);
    fs_arena_free(call.arena);
    return status;
}

static fs_status dispatch(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    if (take_plugins(cli, &argc, &argv, err))
        return err->status;
    if (argc < 2)
        return fs_fail(err, FS_INPUT, "a command is missing\n`foamsim --help` lists the commands");
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("foamsim %s (model %d)\n", FS_VERSION, FS_MODEL_VERSION);
        return FS_OK;
    }
    bool asks_help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (asks_help || (strcmp(name, "help") == 0 && argc == 2)) {
        print_help(cli);
        return FS_OK;
    }
    if (strcmp(name, "help") == 0) { /* foamsim help run */
        const fs_command *about = find(cli, argv[2]);
        char help[] = "--help", *words[] = {argv[2], help, NULL};
        return about == NULL ? fail_unknown(cli, argv[2], err) : fs_cli_call(cli, about, 2, words, err);
    }
    const fs_command *command = find(cli, name);
    if (command == NULL)
        return fail_unknown(cli, name, err);
    if (fs_data_check(err) || cli->plugins.load_named(err))
        return err->status;
    return fs_cli_call(cli, command, argc - 1, argv + 1, err);
}

/* Each line of an error begins alike, so that a reader (or grep) can tell it from other output. */
static void print_error(const char *text) {
    char line[sizeof((fs_error *)NULL)->text];
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fputs("foamsim: ", stderr);
        fs_put_plain(line, stderr);
        fputc('\n', stderr);
        text += length + (text[length] == '\n');
    }
}

int fs_cli_main(const fs_cli *cli, int argc, char **argv) {
    fs_error err;
    fs_error_clear(&err);
    json_set_alloc_funcs(fs_malloc, free); /* else a value without memory is left out without a word */
    signal(SIGXFSZ, SIG_IGN);              /* a file size limit then is a failed write like a full disk */
    fs_status status = dispatch(cli, argc, argv, &err);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == FS_OK)
        status = fs_fail(&err, FS_IO, "cannot write to standard output: %s", strerror(errno));
    if (status)
        print_error(err.text);
    if (status == FS_BROKEN)
        print_error(fs_status_text(status));
    return fs_exit_status(status);
}
