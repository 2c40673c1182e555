#pragma once
#include <gmime/gmime.h>

/// The cast macro `GMIME_OBJECT`, which Swift does not import.
static inline GMimeObject *gmime_object(void *instance) { return GMIME_OBJECT(instance); }

// Swift does not import the cast macros. An object of another class gives NULL.

/// A part of a multipart. NULL if there is none.
static inline GMimeObject *gmime_part(GMimeObject *whole, int index) {
  if (!GMIME_IS_MULTIPART(whole) || index >= g_mime_multipart_get_count(GMIME_MULTIPART(whole))) return NULL;
  return g_mime_multipart_get_part(GMIME_MULTIPART(whole), index);
}

/// The content of a part that is no multipart.
static inline GMimeDataWrapper *gmime_content(GMimeObject *part) {
  return GMIME_IS_PART(part) ? g_mime_part_get_content(GMIME_PART(part)) : NULL;
}

/// The bytes of a stream in memory, which it owns.
static inline GByteArray *gmime_bytes(GMimeStream *stream) {
  return GMIME_IS_STREAM_MEM(stream) ? g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream)) : NULL;
}
