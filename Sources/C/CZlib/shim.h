#pragma once
#include <zlib.h>

// `deflateInit2` and `inflateInit2` are macros that pass the library version, so Swift cannot call
// them. 15 is the largest window (32 KiB). Adding 16 selects the gzip format (zlib.h).

static inline int zlib_gzip_begin(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int zlib_gunzip_begin(z_streamp stream) {
  return inflateInit2(stream, 15 + 16);
}
