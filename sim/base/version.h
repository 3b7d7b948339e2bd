/* What this program calls itself, and which results it gives. */
#pragma once

#define FS_VERSION       "0.1.0"
#define FS_MODEL_VERSION 3 /* raised by every change that may change a result; part of every digest */
