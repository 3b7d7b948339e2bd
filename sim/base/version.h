/* What this program calls itself, and which results it gives. */
#ifndef FOAMSIM_SIM_BASE_VERSION_H
#define FOAMSIM_SIM_BASE_VERSION_H

#define FS_VERSION       "0.1.0"
#define FS_MODEL_VERSION 3 /* raised by every change that may change a result; part of every digest */

#endif
