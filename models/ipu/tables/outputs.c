/* Figures, conclusions, tables and timeline of a run. */
#include "models/ipu/tables/outputs.h"

#include "models/ipu/tables/conclusions.h"
#include "models/ipu/tables/power_tables.h"
#include "models/ipu/tables/tables.h"
#include "models/ipu/tables/timeline.h"

static fs_status write_timeline(const fs_run_outputs *o, fs_error *err) {
    uint32_t tile[FS_RUN_TIMELINE_TILES], count = 0;
    if (o->trace_tiles != NULL &&
        fs_run_timeline_tiles(o->trace_tiles, o->notes->plan->tiles, tile, &count, err))
        return err->status;
    return fs_run_timeline_write(o->notes, o->trace, tile, count, err);
}

static fs_status write_conclusions(const fs_run_outputs *o, fs_results *results, fs_error *err) {
    fs_rung rungs[FS_RUN_RUNGS];
    fs_findings findings = {0};
    fs_run_notes_rungs(o->notes, rungs);
    fs_ladder_energy(rungs, FS_RUN_RUNGS, o->power->energy.joules, fs_power_standing(o->power));
    fs_run_findings(o->notes, o->each, &findings);
    return fs_ladder_write(rungs, FS_RUN_RUNGS, results, err) ? err->status
                                                              : fs_findings_write(&findings, results, err);
}

fs_status fs_run_outputs_write(const fs_run_outputs *o, fs_results *results, fs_error *err) {
    if (fs_results_figures(results, o->stats, o->figures, err))
        return err->status;
    if (o->full && write_conclusions(o, results, err))
        return err->status;
    if (!o->summary && (fs_run_tables_write(o->notes, o->full, results, err) ||
                        fs_power_tables_write(o->power, o->notes->device, o->notes->machine,
                                              &o->notes->labels, results, err)))
        return err->status;
    return o->trace == NULL ? FS_OK : write_timeline(o, err);
}
