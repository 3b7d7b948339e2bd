/* Text in gnuplot scripts. A name, a role, a label or a title may come from somebody else, and gnuplot runs
 * what stands between backquotes, in a line of a script as in double quotes. So every text that a script is
 * made with goes through one of these two, and into single quotes; scripts pass it on as a variable and never
 * through eval. */
#ifndef FOAMSIM_REPORTS_PLOT_SCRIPT_H
#define FOAMSIM_REPORTS_PLOT_SCRIPT_H

#include "reports/page/page_file.h"

/* 'word', in single quotes of gnuplot: backquotes, double quotes and backslashes are left out, what is no
 * letter (line ends, tabs, other control characters) becomes a space, a single quote is doubled. Owner: the
 * arena. */
const char *fs_plot_quoted(fs_arena *arena, const char *word);

/* The same where gnuplot takes the text for a format, as it does with the label of a tic: per cent signs are
 * doubled. */
const char *fs_plot_quoted_format(fs_arena *arena, const char *word);

/* A word of a data file, which ends at a space: as above, without quotes, spaces as '_'; "-" for none. */
const char *fs_plot_cell(fs_arena *arena, const char *word);

/* Appends NAME = 'word'. */
void fs_plot_put_text(fs_text *script, fs_arena *arena, const char *name, const char *word);

#endif
