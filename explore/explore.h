/* foamsim explore: a page that answers while its reader drags. A server on this host alone prices what the page asks from an
 * activity recording, as `foamsim price` does, in this process; what a price cannot change runs beside it, as a process each.
 * docs/design/explore.md has the rules, docs/explore.md is the user's side. */
#pragma once

#include "sim/cli/cli.h"

extern const fs_command fs_command_explore;
