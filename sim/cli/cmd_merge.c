/* foamsim merge: results of a cluster's tasks, into the store. */
#include "sim/cli/options.h"
#include "sim/cluster/cluster.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"

static fs_status run(fs_command_line *call, fs_error *err) {
    bool allow = false;
    const fs_option options[] = {
        FS_FLAG("allow-failures", 0, "exit 0 although points failed (1 otherwise)", &allow)};
    if (!fs_options_parse(
            call,
            "merge STORE.db [--allow-failures]\n"
            "Takes what the tasks of a cluster have finished into the store of a sweep that was "
            "sent with\n--cluster slurm. Needs no Slurm; may be given as often as one likes.",
            options, 1, 1, 1, err))
        return err->status;
    fs_catch_signals();
    fs_cluster_count count;
    fs_status status = fs_cluster_merge(call->argv[0], call->cli->registry, &count, err);
    if (status == FS_OK)
        fs_say("%zu results merged, %zu of them failed points; %zu points open%s", count.merged, count.failed,
               count.open, count.strange > 0 ? "; files that are no results stay where they are" : "");
    if (status == FS_OK && count.failed > 0 && !allow)
        return fs_fail(
            err, FS_RUN,
            "%zu of the merged points failed; why: foamsim query %s points --failed (exit status 0 "
            "with --allow-failures)",
            count.failed, call->argv[0]);
    return status;
}

const fs_command fs_command_merge = {"merge", "take a cluster's results into a store", run};
