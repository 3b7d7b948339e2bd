/* What the files of the library for C share. */
#ifndef FOAMSIM_API_PRIVATE_H
#define FOAMSIM_API_PRIVATE_H

#include "api/foamsim.h"
#include "sim/base/error.h"

/* One error as the other; returns its status. */
foamsim_status fs_api_tell(const fs_error *from, foamsim_error *to);
void fs_api_calm(foamsim_error *error); /* no error */

#endif
