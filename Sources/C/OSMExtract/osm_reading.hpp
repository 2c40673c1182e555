// What the readers of OpenStreetMap's binary format share.

#ifndef FAROL_OSM_READING_HPP
#define FAROL_OSM_READING_HPP

#include "osm_extract.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <osmium/handler.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/osm.hpp>
#include <osmium/thread/pool.hpp>
#include <osmium/visitor.hpp>

namespace osm {

/// The sink wants no more.
struct Stopped {};
struct TooManyPlaces {};

/// Refuses tags that are not pairs of texts. libosmium ends each text with a zero byte but does not refuse texts that
/// contain one: the value of the last tag would then be what follows it in memory.
inline void check(const osmium::TagList &tags) {
  const auto *begin = reinterpret_cast<const char *>(&tags) + sizeof(osmium::TagList);
  const auto *end = reinterpret_cast<const char *>(&tags) + tags.byte_size();
  if (begin >= end || end[-1] != 0 || std::count(begin, end, '\0') % 2 != 0) {
    throw std::runtime_error{"a tag is not a key and a value"};
  }
}

constexpr size_t piece_size = 64 << 10;
constexpr size_t stack_size = 1 << 20;

/// The places of the nodes that ways and relations refer to.
class Places {
 public:
  explicit Places(size_t most) : most_(most) {}

  void want(osmium::object_id_type id) {
    if (ids_.size() >= most_) {
      sort();
      if (ids_.size() >= most_) throw TooManyPlaces{};
    }
    ids_.push_back(id);
  }

  void ready() {
    sort();
    places_.resize(ids_.size());
  }

  void add(const osmium::Node &node) {
    if (ids_.empty() || !node.location().valid()) return;
    // The nodes of a file are usually in order, so that the next place is near the last one.
    const auto id = node.id();
    int steps = 0;
    while (id > last_ && next_ < ids_.size() && ids_[next_] < id && steps < 32) {
      ++next_;
      ++steps;
    }
    if (id < last_ || steps == 32) next_ = find(id);
    last_ = id;
    if (next_ < ids_.size() && ids_[next_] == id) places_[next_] = node.location();
  }

  size_t size() const { return ids_.size(); }

  /// The number of a node among those that are wanted, from 0; ``size()`` if it is not wanted.
  size_t number(osmium::object_id_type id) const {
    const size_t place = find(id);
    return place < ids_.size() && ids_[place] == id ? place : ids_.size();
  }

  /// Not valid if the file does not have the node.
  osmium::Location at(size_t number) const { return places_[number]; }

  osmium::Location operator[](osmium::object_id_type id) const {
    const size_t place = find(id);
    return place < ids_.size() && ids_[place] == id ? places_[place] : osmium::Location{};
  }

 private:
  size_t find(osmium::object_id_type id) const {
    return std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin();
  }

  void sort() {
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  }

  size_t most_;
  size_t next_ = 0;
  osmium::object_id_type last_ = 0;
  std::vector<osmium::object_id_type> ids_;
  std::vector<osmium::Location> places_;
};

/// Applies a handler to the whole file. libosmium reads standard input if no file is named.
template <class Handler>
void read_all(
    int file, osmium::osm_entity_bits::type kinds, osmium::thread::Pool &pool, Handler &handler) {
  if (lseek(file, 0, SEEK_SET) != 0 || dup3(file, 0, 0) != 0) {
    throw std::system_error{errno, std::system_category(), "cannot read the file again"};
  }
  osmium::io::Reader reader{osmium::io::File{"", "pbf"}, kinds, pool};
  osmium::apply(reader, handler);
  reader.close();
}

inline void copy(const char *text, char *to, size_t size) {
  if (size == 0) return;
  std::strncpy(to, text, size - 1);
  to[size - 1] = 0;
}

inline void use_little_memory() {
  // Read by libosmium when it makes its threads and queues.
  setenv("OSMIUM_MAX_INPUT_QUEUE_SIZE", "4", 1);
  setenv("OSMIUM_MAX_OSMDATA_QUEUE_SIZE", "4", 1);
  setenv("OSMIUM_MAX_WORK_QUEUE_SIZE", "4", 1);
  setenv("OSMIUM_CLEAN_PAGE_CACHE_AFTER_READ", "no", 1);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, stack_size);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

/// Calls a function that reads a file, and turns what it throws into a result.
template <class Function>
osm_result guarded(char *fault, size_t fault_size, Function function) {
  try {
    use_little_memory();
    function();
    return OSM_DONE;
  } catch (const Stopped &) {
    return OSM_STOPPED;
  } catch (const TooManyPlaces &) {
    return OSM_TOO_MANY_PLACES;
  } catch (const std::bad_alloc &) {
    return OSM_NO_MEMORY;
  } catch (const std::exception &error) {
    copy(error.what(), fault, fault_size);
    return OSM_DAMAGED;
  } catch (...) {
    copy("unknown error", fault, fault_size);
    return OSM_DAMAGED;
  }
}

/// A copy of the descriptor, because ``read_all`` replaces standard input.
inline int copy_of(int file) {
  const int copy = dup(file);
  if (copy < 0) throw std::system_error{errno, std::system_category(), "cannot copy the file"};
  return copy;
}

}  // namespace osm

#endif
