#pragma once
#include <libxml/xmlversion.h>

// Debian's libxml2 uses ICU, and its headers include ICU's headers, which conflict with those of
// Foundation. The structs used here do not depend on them.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

// `XML_SAX2_MAGIC` marks a handler for SAX 2 and structured errors. Swift imports this macro with a
// different type.
static inline void xml_mark_handler(xmlSAXHandler *handler) {
  handler->initialized = XML_SAX2_MAGIC;
}

// Accessors for the last error, so that Swift code does not depend on the constness of the pointer,
// which changed in libxml2 2.12.
static inline int xml_error_line(xmlParserCtxtPtr context) {
  return context->lastError.line;
}

static inline const char *xml_error_message(xmlParserCtxtPtr context) {
  return context->lastError.message;
}
