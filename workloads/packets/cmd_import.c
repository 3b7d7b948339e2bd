/* foamsim import: a file of another tool, what it says, and an experiment of it. */

#include "formats/bytes.h"
#include "formats/format.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "sim/cli/options.h"
#include "sim/config/value.h"
#include "sim/host/file.h"
#include "sim/host/places.h"
#include "sim/host/scratch.h"
#include "sim/host/voice.h"
#include "sim/yaml/paths.h"
#include "workloads/packets/packets.h"
#include "workloads/packets/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for, and what the file said. */
typedef struct foreign {
    fs_arena *arena;
    const char *file, *as, *machine, *map, *out;
    bool strict, lenient, all;
    const fs_format *format;
    fs_format_told told;
    fs_notes notes;
} foreign;

/* ---- the file ---- */

static fs_status find_format(foreign *i, fs_error *err) {
    i->format = i->as != NULL ? fs_format_named(i->as) : fs_format_of(i->file);
    if (i->format != NULL)
        return FS_OK;
    if (i->as != NULL)
        return fs_fail(err, FS_INPUT, "--as: \"%s\" is no format; foamsim import --help lists them", i->as);
    const uint8_t *head;
    fs_bytes *bytes = fs_bytes_open(i->file, err);
    if (bytes != NULL)
        fs_bytes_peek(bytes, FS_FORMAT_HEAD, &head);
    if (bytes == NULL || fs_bytes_close(bytes, err))
        return err->status;
    return fs_fail(
        err, FS_INPUT,
        "%s: its bytes are of no format that foamsim knows; expected one of foamsim import --help, "
        "or --as KIND",
        i->file);
}

static fs_status read_file(foreign *i, fs_error *err) {
    const fs_format_asked asked = {.clock = 1e9,
                                   .strict = i->strict,
                                   .lenient = i->lenient,
                                   .topology = "",
                                   .region = -1,
                                   .map = i->map};
    i->notes.arena = i->arena;
    if (find_format(i, err) || i->format->tell(i->arena, i->file, &asked, &i->told, &i->notes, err))
        return err->status;
    return fs_notes_refuse(&i->notes, i->strict, i->all, err);
}

/* The experiment's text; its side files stand in `folder`. */
static fs_status write_experiment(const foreign *i, const char *path, fs_error *err) {
    const char *folder = fs_path_dir(i->arena, path),
               *machine = i->machine != NULL ? i->machine : i->told.machine;
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    fprintf(out, "# %s, by foamsim import: %s.\nname: ", fs_shown(i->arena, fs_path_shown(i->arena, i->file)),
            i->format->what);
    fs_config_text_write(fs_path_stem(i->arena, i->file), out);
    fputc('\n', out);
    const char *yaml = i->told.yaml;
    if (i->told.part != NULL) {
        fprintf(out, "base: %s\n%s", machine, yaml);
        return fs_file_stream(path, &memory, FS_DURABLE, err);
    }
    const bool part = fs_begins(yaml, "machine:\n"); /* of a machine: what it changes of one */
    if (machine != NULL)
        fprintf(out, part ? "machine:\n  base: %s\n" : "machine: %s\n", machine);
    fputs(machine != NULL && part ? yaml + strlen("machine:\n") : yaml, out);
    if (i->format->calls != NULL || i->format->tasks != NULL) {
        fputs("  file: ", out);
        fs_config_text_write(fs_path_absolute(i->arena, "", i->file), out);
        fprintf(out, i->as != NULL ? "\n  format: %s\n" : "\n", i->format->name);
        fputs(i->lenient ? "  lenient: true\n" : "", out);
    }
    for (size_t f = 0; f < i->told.files && err->status == FS_OK; f++) {
        const fs_format_file *side = &i->told.file[f];
        fs_file_write(fs_path_join(i->arena, folder, side->name), side->text, strlen(side->text), FS_DURABLE,
                      err);
    }
    return fs_file_stream(path, &memory, FS_DURABLE, err);
}

/* ---- what it came to ---- */

static void tell_load(const char *name, fs_spots_load l, const fs_noc_graph *graph, const fs_packets_run *r) {
    printf("  %-10s %s %s, %s %s, %s B, %s links passed", name, fs_number_grouped((double)l.transfers),
           l.transfers == 1 ? "transfer" : "transfers", fs_number_grouped((double)l.packets),
           l.packets == 1 ? "packet" : "packets", fs_number_grouped((double)l.bytes),
           fs_number_grouped((double)l.hops));
    if (l.link != FS_NOC_NONE && graph != NULL) {
        const fs_noc_place at = graph->place[graph->link[l.link].from];
        printf("; busiest link (%g,%g) %s on chip %u: %s B", at.x, at.y, fs_noc_heading(graph, l.link),
               fs_spots_chip(r->spots, l.plane / (uint32_t)r->machine->noc.planes),
               fs_number_grouped((double)l.busiest));
    }
    printf("\n");
}

static void tell_trace(const fs_packets_run *r) {
    const fs_calls *t = &r->trace;
    uint64_t waits = 0, waiting = 0, longest = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        waits += t->caller[i].recorded.waits;
        waiting += t->caller[i].recorded.waiting;
        longest = fs_most(longest, t->caller[i].recorded.longest);
    }
    printf("  %-10s %s, %s reads, %s writes\n", "processors", fs_number_grouped(t->count),
           fs_number_grouped((double)t->reads), fs_number_grouped((double)t->writes));
    if (t->sends > 0)
        printf("  %-10s %s to other chips, %s B, %s edges passed; an edge carries %g B a cycle and takes %g "
               "cycles and %g a byte, which are assumptions (workload.edge)\n",
               "sends", fs_number_grouped((double)t->sends), fs_number_grouped((double)t->edge_bytes),
               fs_number_grouped((double)t->edge_hops), r->params->edge.pace, r->params->edge.latency,
               r->params->edge.each);
    if (!t->span.apart)
        printf("  %-10s %s cycles from the first to the last stamp\n", "recorded",
               fs_number_grouped((double)(t->span.last - t->span.least)));
    if (waits > 0)
        printf("  %-10s %s for reads, %s cycles together, %s the longest\n", "waits",
               fs_number_grouped((double)waits), fs_number_grouped((double)waiting),
               fs_number_grouped((double)longest));
}

/* Of the experiment as it would run. */
static void tell_run(const foreign *i, const fs_packets_run *r) {
    printf("  %-10s %s%s\n", "machine",
           i->machine != NULL        ? i->machine
           : i->told.machine != NULL ? i->told.machine
                                     : "the file's own",
           i->machine == NULL && i->told.machine != NULL
               ? fs_begins(i->told.yaml, "machine:\n")
                     ? ", with what the file says of it (--machine NAME for another)"
                     : ", the smallest that has its places (--machine NAME for another)"
               : "");
    if (r->spots == NULL)
        return;
    const fs_spots_load all = fs_spots_load_of(r->spots, UINT32_MAX);
    printf("  %-10s %s\n", "packets", fs_number_grouped((double)all.packets));
    printf("  %-10s %s\n", "bytes", fs_number_grouped((double)all.bytes));
    printf("  %-10s %s\n", "hops", fs_number_grouped((double)all.hops));
    if (all.local > 0)
        printf("  %-10s %s %s on one tile\n", "local", fs_number_grouped((double)all.local),
               all.local == 1 ? "transfer" : "transfers");
    for (uint32_t p = 0; p < (uint32_t)r->machine->noc.planes; p++) {
        char name[16];
        snprintf(name, sizeof name, "NOC_%u", p);
        tell_load(name, fs_spots_load_of(r->spots, p), r->plane[p], r);
    }
    if (r->source == FS_PACKETS_TRACE)
        tell_trace(r);
    else
        printf("  %-10s %s, %s waits for others\n", "tasks", fs_number_grouped((double)r->tasks.tasks),
               fs_number_grouped((double)r->tasks.waits));
}

static void tell_notes(const foreign *i) {
    static const char *const words[] = {[FS_NOTE_TAKEN] = "taken",
                                        [FS_NOTE_NEAR] = "near",
                                        [FS_NOTE_IGNORED] = "ignored",
                                        [FS_NOTE_REFUSED] = "refused"};
    for (int kind = FS_NOTE_TAKEN; kind <= FS_NOTE_REFUSED; kind++)
        for (size_t k = 0; k < i->notes.count; k++) {
            const fs_note *n = &i->notes.item[k];
            char at[64] = "";
            if ((int)n->kind != kind)
                continue;
            if (n->line > 0)
                snprintf(at, sizeof at, ", line %" PRIu64, n->line);
            if (n->count > 1)
                snprintf(at + strlen(at), sizeof at - strlen(at), ", %s times",
                         fs_number_grouped((double)n->count));
            printf("  %-10s %s%s: %s\n", words[kind], n->what, at, n->words);
        }
}

/* Loads the experiment and takes it up to its run, so that what does not go with the machine is said now. */
static fs_status try_experiment(const foreign *i, const fs_cli *cli, const char *path, fs_error *err) {
    const fs_config *config = fs_experiment_load(cli->registry, i->arena, path, NULL, 0, err);
    if (config == NULL)
        return err->status;
    const fs_host_options host = {.threads = 1, .check_only = true};
    fs_run *run = fs_run_begin(&fs_workload_fabric, config, &host, err);
    if (run == NULL)
        return err->status;
    printf("%s: %s, %s %s\n", i->file, i->format->what, fs_number_grouped((double)i->told.records),
           i->told.unit);
    tell_run(i, (const fs_packets_run *)run);
    if (i->told.published > 0)
        printf("  %-10s %s cycles, as the file says\n", "published", fs_number_grouped(i->told.published));
    tell_notes(i);
    fs_run_close(&fs_workload_fabric, run);
    return FS_OK;
}

/* The same of a part of an experiment, which does not run by itself. */
static fs_status try_part(const foreign *i, const fs_cli *cli, const char *path, fs_error *err) {
    const fs_section *section = cli->registry->sections;
    const char *kind;
    while (strcmp(section->name, i->told.part) != 0)
        section++;
    if (fs_config_load_section(i->arena, path, section, NULL, 0, fs_configs_dir(), &kind, err) == NULL)
        return err->status;
    printf("%s: %s, %s %s\n  %-10s %s\n", i->file, i->format->what,
           fs_number_grouped((double)i->told.records), i->told.unit, i->told.part,
           i->machine != NULL ? i->machine : i->told.machine);
    tell_notes(i);
    return FS_OK;
}

/* ---- the command ---- */

static const char *usage_of(fs_arena *arena) {
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    fprintf(out, "import FILE [options]\nSays what a file of another tool asks for: its machine, packets and "
                 "bytes, what is ignored and "
                 "what is\nrefused. With -o the experiment is written that `foamsim run` takes. Formats, by "
                 "their bytes or by --as:\n");
    for (size_t i = 0; fs_formats[i] != NULL; i++)
        fprintf(out, "  %-12s %s%s", fs_formats[i]->name, fs_formats[i]->what,
                fs_formats[i + 1] == NULL ? "" : "\n");
    char *text = fs_memory_close(&memory), *kept = fs_arena_strdup(arena, text);
    free(text);
    return kept;
}

static fs_status import_file(foreign *i, const fs_cli *cli, fs_error *err) {
    fs_scratch scratch;
    if (read_file(i, err) || fs_scratch_make(i->arena, &scratch, err))
        return err->status;
    const char *trial = fs_path_join(i->arena, scratch.path, "experiment.yaml");
    if (write_experiment(i, trial, err) == FS_OK &&
        (i->told.part != NULL ? try_part : try_experiment)(i, cli, trial, err) == FS_OK && i->out != NULL &&
        write_experiment(i, i->out, err) == FS_OK)
        printf("%s\n", i->out);
    fs_scratch_remove(&scratch);
    return err->status;
}

static fs_status run(fs_command_line *call, fs_error *err) {
    foreign i = {.arena = call->arena};
    const fs_option options[] = {
        FS_OPTION("machine", 'm', "NAME",
                  "the machine, of `foamsim list machines` or a file (the format's own)", &i.machine),
        FS_OPTION("output", 'o', "EXPERIMENT.yaml", "write the experiment", &i.out),
        FS_OPTION("as", 0, "KIND", "the format, whatever the bytes say", &i.as),
        FS_OPTION("map", 0, "FILE", "of prices: which is which (map.yaml beside the file)", &i.map),
        FS_FLAG("strict", 0, "refuse what is only near", &i.strict),
        FS_FLAG("lenient", 0, "take what is refused by default for the nearest thing", &i.lenient),
        FS_FLAG("all", 0, "list all that is refused", &i.all),
    };
    if (!fs_options_parse(call, usage_of(i.arena), options, FS_COUNT(options), 1, 1, err))
        return err->status;
    i.file = call->argv[0];
    return import_file(&i, call->cli, err);
}

const fs_command fs_command_import = {"import", "make an experiment of a file of another tool", run};

/* What differs, and what changes nothing, where it stands. */
static void say_note(const fs_note *n) {
    char at[64] = "";
    if (n->line > 0)
        snprintf(at, sizeof at, ":%" PRIu64 ":%" PRIu64, n->line, n->column);
    if (n->kind == FS_NOTE_NEAR || n->kind == FS_NOTE_IGNORED)
        fs_say("%s%s: %s: %s%s", n->file, at, n->what, n->words,
               n->kind == FS_NOTE_NEAR ? " (import --strict refuses it)" : "");
}

const char *fs_import_foreign(fs_arena *arena, const char *file, const char *folder, fs_error *err) {
    foreign i = {.arena = arena, .file = file, .format = fs_format_of(file)};
    if (i.format == NULL)
        return NULL;
    const char *path =
        fs_path_join(arena, folder, fs_arena_printf(arena, "%s.yaml", fs_path_stem(arena, file)));
    if (read_file(&i, err) || write_experiment(&i, path, err))
        return NULL;
    if (i.told.part != NULL)
        return FS_FAIL_NULL(
            err, FS_INPUT,
            "%s: %s are a %s's, which does not run by itself; foamsim import %s -o FILE.yaml, then run "
            "EXPERIMENT.yaml --set %s=FILE.yaml",
            file, i.format->what, i.told.part, file, i.told.part);
    for (size_t k = 0; k < i.notes.count && i.format->calls == NULL && i.format->tasks == NULL; k++)
        say_note(&i.notes.item[k]);
    return path;
}
