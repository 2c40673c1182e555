#include "CICU.h"

#include <stdlib.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

struct icu_transcoder {
  UConverter *from, *to;
  UChar pivot[2048];
  UChar *pivot_source, *pivot_target;
};

void icu_transcoder_close(icu_transcoder *transcoder) {
  if (transcoder == NULL) return;
  ucnv_close(transcoder->from);
  ucnv_close(transcoder->to);
  free(transcoder);
}

// Writes U+FFFD for bytes that are no text. The usual callback writes U+001A for a single byte.
static void icu_replace(
    const void *context, UConverterToUnicodeArgs *text, const char *bytes, int32_t count,
    UConverterCallbackReason reason, UErrorCode *status) {
  if (reason > UCNV_IRREGULAR) return;
  static const UChar replacement = 0xFFFD;
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(text, &replacement, 1, 0, status);
}

icu_transcoder *icu_transcoder_open(const char *name) {
  icu_transcoder *transcoder = (icu_transcoder *)calloc(1, sizeof(icu_transcoder));
  if (transcoder == NULL) return NULL;
  UErrorCode status = U_ZERO_ERROR;
  transcoder->from = ucnv_open(name, &status);
  transcoder->to = ucnv_open("UTF-8", &status);
  if (U_SUCCESS(status)) ucnv_setToUCallBack(transcoder->from, icu_replace, NULL, NULL, NULL, &status);
  if (U_FAILURE(status) || transcoder->from == NULL || transcoder->to == NULL) {
    icu_transcoder_close(transcoder);
    return NULL;
  }
  transcoder->pivot_source = transcoder->pivot_target = transcoder->pivot;
  return transcoder;
}

int32_t icu_transcode(
    icu_transcoder *transcoder, const char **source, const char *limit, char *target, int32_t size,
    int is_last, int *more) {
  UErrorCode status = U_ZERO_ERROR;
  char *end = target;
  *more = 0;
  if (transcoder == NULL || target == NULL) return -1;
  // ICU refuses NULL even where there is nothing to read.
  static const char nothing[1];
  if (*source == NULL) *source = limit = nothing;
  ucnv_convertEx(
      transcoder->to, transcoder->from, &end, target + size, source, limit, transcoder->pivot,
      &transcoder->pivot_source, &transcoder->pivot_target,
      transcoder->pivot + sizeof(transcoder->pivot) / sizeof(UChar), 0, is_last ? 1 : 0, &status);
  *more = status == U_BUFFER_OVERFLOW_ERROR;
  return U_FAILURE(status) && !*more ? -1 : (int32_t)(end - target);
}

const char *icu_internal_name(const char *alias) {
  UErrorCode status = U_ZERO_ERROR;
  const char *name = ucnv_getAlias(alias, 0, &status);
  return U_FAILURE(status) ? NULL : name;
}
