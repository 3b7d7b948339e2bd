/* A configuration of BookSim 2 as an experiment of the workload `fabric`. A key of it has a counterpart, differs from
 * foamsim's routers by something that is said, changes nothing, or cannot be had. */
#include "formats/booksim/private.h"
#include "sim/host/file.h"
#include "sim/yaml/paths.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The first statement, behind blanks and comments, is `key = ... ;`. */
static bool is_booksim(const uint8_t *head, size_t bytes) {
    size_t at = 0;
    for (;; at++) {
        if (at + 1 < bytes && head[at] == '/' && head[at + 1] == '/')
            while (at < bytes && head[at] != '\n')
                at++;
        if (at >= bytes || !isspace(head[at]))
            break;
    }
    const size_t name = at;
    while (at < bytes && (isalnum(head[at]) || head[at] == '_'))
        at++;
    if (at == name || isdigit(head[name]))
        return false;
    while (at < bytes && (head[at] == ' ' || head[at] == '\t'))
        at++;
    return at + 1 < bytes && head[at] == '=' && head[at + 1] != '=' &&
           memchr(head + at, ';', bytes - at) != NULL;
}

/* Keys of the file that change nothing. */
static void say_idle(fs_booksim *b) {
    for (size_t k = 0; fs_booksim_keys[k].name != NULL; k++)
        if (b->of[k].line > 0 && fs_booksim_keys[k].idle != NULL)
            fs_booksim_say(b, FS_NOTE_IGNORED, fs_booksim_keys[k].name, "%s", fs_booksim_keys[k].idle);
}

/* Keys of the file about which nothing else is said have become part of the experiment. */
static void say_taken(fs_booksim *b) {
    for (size_t k = 0; fs_booksim_keys[k].name != NULL; k++) {
        bool said = b->of[k].line == 0;
        for (size_t i = 0; i < b->notes->count && !said; i++)
            said = b->notes->item[i].line == b->of[k].line && b->notes->item[i].column == b->of[k].column &&
                   strcmp(b->notes->item[i].file, b->path) == 0;
        if (!said)
            fs_booksim_say(b, FS_NOTE_TAKEN, fs_booksim_keys[k].name, "as it is");
    }
}

/* At overload packets pile up as long as the run lasts, which the original lets them. */
static void allow_piles(fs_booksim *b) {
    static const double usual = 4e6, most = 1e8;
    const double cycles =
        (double)fs_booksim_whole(b, "max_samples") * (double)fs_booksim_whole(b, "sample_period");
    const double made = b->nodes * cycles;
    if (fs_booksim_is(b, "sim_type", "throughput") && made > usual)
        fprintf(b->workload, "  max_packets: %.0f\n", made < most ? made : most);
}

/* What is near, for the run's findings. */
static void write_near(fs_booksim *b) {
    const char *near = "";
    for (size_t i = 0; i < b->notes->count; i++) {
        const fs_note *n = &b->notes->item[i];
        if (n->kind == FS_NOTE_NEAR)
            near =
                fs_arena_printf(b->arena, "%s%s%s: %s", near, near[0] == '\0' ? "" : "; ", n->what, n->words);
    }
    if (near[0] != '\0')
        fprintf(b->workload, "  near: %s\n", fs_booksim_quoted(b, near));
}

static fs_status tell(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err) {
    fs_booksim *b = FS_NEW(arena, fs_booksim, 1);
    *b = (fs_booksim){
        .arena = arena, .path = path, .stem = fs_path_stem(arena, path), .asked = asked, .notes = notes};
    char *text = fs_file_table(arena, path, err);
    if (text == NULL || fs_booksim_split(b, text, err))
        return err->status;
    fs_memory noc, workload;
    b->noc = fs_memory_open(&noc);
    b->workload = fs_memory_open(&workload);
    fs_booksim_load(b);
    fs_booksim_router(b);
    const fs_status status = fs_booksim_network(b, err);
    if (status == FS_OK && fs_booksim_traffic(b))
        allow_piles(b);
    say_idle(b);
    say_taken(b);
    write_near(b);
    fs_memory_close(&noc);
    fs_memory_close(&workload);
    *out =
        (fs_format_told){.yaml = fs_arena_printf(arena,
                                                 "machine:\n  exchange:\n    kind: noc\n    mode: dynamic\n"
                                                 "    noc:\n%sworkload:\n  kind: fabric\n%s",
                                                 noc.text, workload.text),
                         .machine = "gc200",
                         .file = b->file,
                         .files = b->files,
                         .records = fs_notes_of(notes, FS_NOTE_TAKEN),
                         .unit = "keys"};
    free(noc.text);
    free(workload.text);
    return status;
}

const fs_format fs_format_booksim = {
    .name = "booksim", .what = "a configuration of BookSim 2", .is = is_booksim, .tell = tell};
