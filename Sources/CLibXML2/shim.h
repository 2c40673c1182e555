#pragma once
#include <libxml/xmlversion.h>

// Debian's libxml2 converts encodings with ICU, and its headers pull in ICU's, which clash with those
// that Foundation brings. Nothing here needs them: the structs used do not depend on it.
#undef LIBXML_ICU_ENABLED

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

// `XML_SAX2_MAGIC` marks a handler that takes SAX 2 and structured errors; a macro with a cast-sized
// constant that Swift imports with another type.
static inline void xml_mark_handler(xmlSAXHandler *handler) {
  handler->initialized = XML_SAX2_MAGIC;
}

// The last error's parts, so that a change of the struct's constness between versions of libxml2
// (2.12 made the pointer const) stays here.
static inline int xml_error_line(xmlParserCtxtPtr context) {
  return context->lastError.line;
}

static inline const char *xml_error_message(xmlParserCtxtPtr context) {
  return context->lastError.message;
}
