/* foamsim explore: options, and a session from its beginning to its end. */
#include "explore/private.h"

#include "sim/base/alloc.h"
#include "sim/cli/options.h"
#include "sim/host/signals.h"
#include "sim/yaml/paths.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "explore RUN|EXPERIMENT|RECORDING\n"
    "Opens a page in the browser that prices the experiment anew at every change of a control, from what "
    "every\n"
    "tile did in its run, which is made once where it is not there. What a price cannot change runs beside "
    "the\n"
    "page. Prints the page's address; ends with Ctrl-C, with the page, or after an hour without it.";

/* Where pins are saved unless the person says: beside nothing of hers, under the experiment's name. */
static const char *store_of(const fs_explore *x) {
    char *name = fs_arena_printf(x->arena, "%s-explored.db", fs_config_name(x->config));
    for (char *c = name; *c != '\0'; c++)
        if (strchr("/ \\", *c) != NULL)
            *c = '-';
    return name;
}

static fs_status explore(fs_explore *x, const char *subject, fs_explore_door door, fs_error *err) {
    if (fs_data_check(err) || fs_scratch_make(x->arena, &x->scratch, err) ||
        fs_explore_open(x, subject, err) || fs_explore_uncertain(x, err))
        return err->status;
    x->store = fs_path_absolute(x->arena, "", x->store == NULL ? store_of(x) : x->store);
    return fs_explore_export(x, err) ? err->status : fs_explore_serve(x, door, err);
}

static fs_status run(fs_command_line *call, fs_error *err) {
    fs_explore *x = fs_calloc(1, sizeof *x);
    fs_explore_door door = {.browser = true};
    bool no_browser = false;
    const fs_option options[] = {
        FS_OPTION_LIST("set", 's', "A.B=V", "change one parameter of the experiment; may be repeated",
                       x->own.set, &x->own.count, FS_EXPLORE_SETS / 2),
        FS_OPTION_INT("port", 'p', "N", "port of the page (any that is free)", &door.port, 1, 65535),
        FS_FLAG("no-browser", 0, "open no browser: the address is the first line that is printed",
                &no_browser),
        FS_OPTION("store", 0, "FILE.db", "where the page saves pinned points (NAME-explored.db)", &x->store),
        FS_OPTION("export", 0, "FILE.html", "keep a page that compares the pinned points", &x->export),
        FS_OPTION_INT("threads", 't', "N", "host threads of runs (all cores)", &x->threads, 1,
                      FS_MAX_THREADS),
    };
    x->threads = omp_get_max_threads();
    if (fs_options_parse(call, usage, options, FS_COUNT(options), 1, 1, err)) {
        door.browser = !no_browser;
        x->registry = call->cli->registry;
        x->arena = call->arena;
        fs_catch_signals();
        explore(x, call->argv[0], door, err);
        fs_explore_close(x);
    }
    free(x);
    return err->status;
}

const fs_command fs_command_explore = {"explore", "a page that prices an experiment while one drags", run};
