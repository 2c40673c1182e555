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

/// Keys of tags.
struct osm_keys {
  const char *const *keys;
  size_t count;
};

/// Writes the ways that have one of the keys `ways`, with their nodes, for ``StreetRecords`` of the target Streets:
/// records of a letter, numbers of 32 bits and pairs of texts that end with a zero byte.
///
///     N number size texts            a node with one of the keys `nodes`
///     P count (longitude latitude)…  the places of the nodes 0, 1, 2…, in ten-millionths of a degree
///     W count size number… texts     a way
///     E                              the end
///
/// A place of a node that the file does not have is 2147483647. Texts are only those of the keys `kept`. The file is
/// read three times, because it need not be in order. The other parameters are those of ``osm_extract``.
enum osm_result osm_streets(
    int file, struct osm_keys ways, struct osm_keys nodes, struct osm_keys kept,
    size_t most_places, osm_sink sink, void *context, char *fault, size_t fault_size);

#ifdef __cplusplus
}
#endif

#endif
