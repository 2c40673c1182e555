// Reads OpenStreetMap's binary format (PBF) with libosmium, which is a C++ library.

#ifndef FAROL_OSM_EXTRACT_H
#define FAROL_OSM_EXTRACT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One test of the tags of an element.
struct osm_test {
  const char *key;
  /// Texts in lower case. Without texts, any value passes; otherwise a value that contains one of them.
  const char *const *texts;
  size_t text_count;
};

/// Receives complete lines. A result other than 0 ends the reading.
typedef int (*osm_sink)(void *context, const char *bytes, size_t length);

enum osm_result { OSM_DONE, OSM_DAMAGED, OSM_STOPPED, OSM_NO_MEMORY, OSM_TOO_MANY_PLACES };

/// Writes the elements that pass one of the tests as JSON lines, as Overpass has them with `out center`.
/// Without tests, every element with a tag passes. A way or relation gets the middle of its nodes as
/// `center`.
///
/// `file` must be seekable; it is read twice if ways or relations pass. At most `most_places` nodes of ways
/// and relations are looked up. A message about damage is copied into `fault`.
enum osm_result osm_extract(
    int file, const struct osm_test *tests, size_t test_count, size_t most_places, osm_sink sink,
    void *context, char *fault, size_t fault_size);

#ifdef __cplusplus
}
#endif

#endif
