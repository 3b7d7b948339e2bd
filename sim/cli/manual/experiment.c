/* foamsim-experiment(5): what an experiment file may say, of the tables that check it. */
#include "sim/base/version.h"
#include "sim/cli/manual/manual.h"
#include "sim/workload/workload.h"

#include <string.h>

static void row(const fs_section *section, const fs_param *p, FILE *out) {
    fs_roff(out, ".TP\n.B %s.%s\n%s", section->name, p->name, p->doc);
    for (size_t i = 0; p->choices != NULL && p->choices[i] != NULL; i++)
        fs_roff(out, i > 0 ? ", %s" : ": %s", p->choices[i]);
    if (p->def == NULL)
        fputs(" (required)", out);
    else if (p->def[0] != '\0')
        fs_roff(out, " (default %s)", p->def);
    fputc('\n', out);
}

static void kind(const fs_section *section, const fs_section_kind *k, FILE *out) {
    const bool usual = section->default_kind != NULL && strcmp(section->default_kind, k->kind) == 0;
    if (k->table->count == 0)
        return;
    fs_roff(out, k->kind[0] == '\0' ? ".SS %s" : ".SS %s, kind %s", section->name, k->kind);
    fs_roff(out, k->kind[0] != '\0' && usual ? " (the default)\n%s\n" : "\n%s\n", k->table->doc);
    for (size_t i = 0; i < k->table->count; i++)
        row(section, &k->table->rows[i], out);
}

void fs_manual_experiment(const fs_registry *registry, FILE *out) {
    fs_roff(out, FS_ROFF_HEAD, "FOAMSIM-EXPERIMENT", "5", FS_VERSION);
    fputs(".SH NAME\nfoamsim\\-experiment \\- experiment files of foamsim\n.SH DESCRIPTION\nAn experiment is "
          "a YAML mapping with\n.BR name ,\n.B base\n(another experiment, which it changes) and a mapping "
          "for each section. A section may be a word, which names a file of the folder of its parts, or a "
          "path. Dots in the names below are nested mappings, and what\n.B \\-\\-set\ntakes. Quantities "
          "carry their unit.\n.SH SECTIONS\n",
          out);
    for (size_t i = 0; i < registry->section_count; i++)
        for (size_t k = 0; k < registry->sections[i].count; k++)
            kind(&registry->sections[i], &registry->sections[i].kinds[k], out);
    fputs(".SH SEE ALSO\n.BR foamsim\\-run (1),\n.BR foamsim\\-params (1),\n.BR foamsim\\-config (1)\n", out);
}
