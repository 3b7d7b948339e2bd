/* `foamsim report RUN -o report.html`: a run folder as one page that says what happened and why, and needs no
 * network. Reads run folders only; gnuplot draws the plots, in RUN/pictures, where their scripts stay.
 */
#pragma once

#include "sim/cli/cli.h"

extern const fs_command fs_command_report;
