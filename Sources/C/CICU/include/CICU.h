// Conversion of texts by ICU.
//
// ICU's headers stay out of this one: Swift's Foundation has another version of them, and a Swift file that sees both
// would not compile. And ICU renames its functions with macros, which Swift does not see.

#ifndef FAROL_CICU_H
#define FAROL_CICU_H

#include <stdint.h>

/// A conversion of text to UTF-8, piece by piece.
typedef struct icu_transcoder icu_transcoder;

/// NULL if ICU does not know the name.
icu_transcoder *icu_transcoder_open(const char *name);

void icu_transcoder_close(icu_transcoder *transcoder);

/// Converts as much as fits into `target`. Bytes that are no text become U+FFFD.
///
/// Advances `source`. Returns the number of bytes in `target`, or -1 on failure. `more` is 1 if the target was full.
int32_t icu_transcode(
    icu_transcoder *transcoder, const char **source, const char *limit, char *target, int32_t size,
    int is_last, int *more);

/// The name that identifies a converter inside ICU, whatever its alias; NULL if there is none. Valid for ever.
const char *icu_internal_name(const char *alias);

#endif
