/* foamsim manual DIR: what is made of the program's tables when it is built. */
#include "sim/cli/manual/manual.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"

#include <string.h>

/* ---- entries ---- */

typedef struct listener {
    fs_manual_entry entry;
    void (*tell)(void *self, const fs_manual_entry *entry);
    void *self;
    bool told;
} listener;

static void hear(void *self, const fs_options_told *told) {
    listener *l = self;
    l->entry.told = told;
    l->tell(l->self, &l->entry);
    l->told = true;
}

static fs_status ask(const fs_cli *cli, const fs_command *command, const char *word, const char *summary,
                     listener *l, fs_error *err) {
    char name[64], first[32], second[32], help[] = "--help", *words[] = {first, help, NULL, NULL};
    snprintf(first, sizeof first, "%s", command->name);
    snprintf(name, sizeof name, "%s%s%s", command->name, word == NULL ? "" : " ", word == NULL ? "" : word);
    if (word != NULL) {
        snprintf(second, sizeof second, "%s", word);
        words[1] = second;
        words[2] = help;
    }
    l->entry = (fs_manual_entry){.name = name, .summary = summary};
    l->told = false;
    fs_cli listening = *cli;
    listening.hear = hear;
    listening.self = l;
    fs_status status = fs_cli_call(&listening, command, word == NULL ? 2 : 3, words, err);
    if (status == FS_OK && !l->told)
        status = fs_fail(err, FS_BROKEN, "foamsim %s --help says nothing of its options", name);
    return status;
}

fs_status fs_manual_each(const fs_cli *cli, void (*tell)(void *self, const fs_manual_entry *entry),
                         void *self, fs_error *err) {
    listener l = {.tell = tell, .self = self};
    for (const fs_command *const *c = cli->commands; *c != NULL; c++) {
        if ((*c)->summary == NULL)
            continue;
        const fs_command_words *words = cli->words;
        while (words->command != NULL && strcmp(words->command, (*c)->name) != 0)
            words++;
        if (words->command == NULL || !words->apart) {
            if (ask(cli, *c, NULL, (*c)->summary, &l, err))
                return err->status;
            continue;
        }
        const char *word, *summary;
        for (size_t i = 0; (word = words->word(i, &summary)) != NULL; i++)
            if (ask(cli, *c, word, summary, &l, err))
                return err->status;
    }
    return FS_OK;
}

/* ---- files ---- */

typedef struct writer {
    const char *folder;
    fs_arena *arena;
    fs_error *err;
} writer;

static void put(const writer *w, const char *name, fs_memory *text) {
    fs_file_stream(fs_arena_printf(w->arena, "%s/%s", w->folder, name), text, FS_LIGHT, w->err);
}

/* A command whose words have pages of their own points to them. */
static void print_words(const fs_cli *cli, const fs_command_words *words, FILE *out) {
    const fs_command *const *c = cli->commands;
    while (*c != NULL && strcmp((*c)->name, words->command) != 0)
        c++;
    FS_ASSERT(*c != NULL, "words of no command: %s", words->command);
    char usage[256] = "", each[64], name[64];
    snprintf(usage, sizeof usage, "%s WORD ...\nEach word has a page of its own:", words->command);
    const fs_options_told told = {.usage = usage};
    const fs_manual_entry entry = {.name = words->command, .summary = (*c)->summary, .told = &told};
    fs_manual_page(&entry, out);
    fputs(".SH WORDS\n", out);
    for (size_t i = 0; words->word(i, NULL) != NULL; i++) {
        snprintf(each, sizeof each, "%s %s", words->command, words->word(i, NULL));
        fs_roff(out, ".PP\n.BR %s (1)\n", fs_manual_name(each, name, sizeof name));
    }
}

static void write_page(void *self, const fs_manual_entry *entry) {
    writer *w = self;
    char name[64];
    fs_memory text;
    fs_manual_page(entry, fs_memory_open(&text));
    put(w, fs_arena_printf(w->arena, "%s.1", fs_manual_name(entry->name, name, sizeof name)), &text);
}

static fs_status run(fs_command_line *call, fs_error *err) {
    if (!fs_options_parse(call, "manual DIR\nWrites the pages of man and the completion for bash into DIR.",
                          NULL, 0, 1, 1, err))
        return err->status;
    writer w = {.folder = call->argv[0], .arena = call->arena, .err = err};
    fs_registry registry = *call->cli->registry;
    registry.sections = fs_sections_of_roles(w.arena, registry.sections, registry.section_count);
    fs_cli with_roles = *call->cli;
    with_roles.registry = &registry;
    const fs_cli *cli = &with_roles;
    fs_memory text;
    if (fs_manual_each(cli, write_page, &w, err) == FS_OK) {
        fs_manual_completion(cli, fs_memory_open(&text), err);
        put(&w, "foamsim.bash", &text);
    }
    for (const fs_command_words *words = cli->words; words->command != NULL; words++)
        if (words->apart) {
            print_words(cli, words, fs_memory_open(&text));
            put(&w, fs_arena_printf(w.arena, "foamsim-%s.1", words->command), &text);
        }
    fs_manual_program(cli, fs_memory_open(&text));
    put(&w, "foamsim.1", &text);
    fs_manual_experiment(cli->registry, fs_memory_open(&text));
    put(&w, "foamsim-experiment.5", &text);
    return err->status;
}

const fs_command fs_command_manual = {"manual", NULL, run};
