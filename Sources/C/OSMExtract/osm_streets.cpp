#include "osm_reading.hpp"

#include <cstdint>
#include <string>

using osm::Places;

namespace {

/// Longer tags are no values of keys that matter here; OpenStreetMap allows 255 characters.
constexpr size_t longest_text = 2'000;

class Keys {
 public:
  explicit Keys(osm_keys keys) : keys_(keys) {}

  bool contain(const char *key) const {
    for (size_t i = 0; i < keys_.count; ++i) {
      if (std::strcmp(keys_.keys[i], key) == 0) return true;
    }
    return false;
  }

  bool any_of(const osmium::TagList &tags) const {
    if (tags.empty()) return false;
    osm::check(tags);
    for (const auto &tag : tags) {
      if (contain(tag.key())) return true;
    }
    return false;
  }

 private:
  osm_keys keys_;
};

/// Collects the nodes of the ways.
class WantedNodes : public osmium::handler::Handler {
 public:
  WantedNodes(const Keys &ways, Places &places) : ways_(ways), places_(places) {}

  void way(const osmium::Way &way) {
    if (way.deleted() || !ways_.any_of(way.tags())) return;
    for (const auto &node : way.nodes()) places_.want(node.ref());
  }

 private:
  const Keys &ways_;
  Places &places_;
};

/// Writes records.
class Records {
 public:
  Records(const Keys &kept, osm_sink sink, void *context) : kept_(kept), sink_(sink), context_(context) {}

  void begin(char kind) {
    if (bytes_.size() >= osm::piece_size) flush();
    bytes_ += kind;
  }

  void number(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(value >> shift & 0xFF);
  }

  /// The pairs of texts of tags.
  std::string texts(const osmium::TagList &tags) const {
    std::string texts;
    for (const auto &tag : tags) {
      if (!kept_.contain(tag.key()) || std::strlen(tag.value()) > longest_text) continue;
      texts.append(tag.key(), std::strlen(tag.key()) + 1);
      texts.append(tag.value(), std::strlen(tag.value()) + 1);
    }
    return texts;
  }

  void append(const std::string &texts) { bytes_ += texts; }

  void flush() {
    if (!bytes_.empty() && sink_(context_, bytes_.data(), bytes_.size()) != 0) throw osm::Stopped{};
    bytes_.clear();
  }

 private:
  const Keys &kept_;
  osm_sink sink_;
  void *context_;
  std::string bytes_;
};

/// Finds the places of the nodes, and writes those with tags.
class FoundNodes : public osmium::handler::Handler {
 public:
  FoundNodes(const Keys &nodes, Places &places, Records &records)
      : nodes_(nodes), places_(places), records_(records) {}

  void node(const osmium::Node &node) {
    if (node.deleted()) return;
    places_.add(node);
    if (!nodes_.any_of(node.tags())) return;
    const size_t number = places_.number(node.id());
    if (number == places_.size()) return;
    const auto texts = records_.texts(node.tags());
    records_.begin('N');
    records_.number(static_cast<uint32_t>(number));
    records_.number(static_cast<uint32_t>(texts.size()));
    records_.append(texts);
  }

 private:
  const Keys &nodes_;
  Places &places_;
  Records &records_;
};

/// Writes the ways.
class FoundWays : public osmium::handler::Handler {
 public:
  FoundWays(const Keys &ways, const Places &places, Records &records)
      : ways_(ways), places_(places), records_(records) {}

  void way(const osmium::Way &way) {
    if (way.deleted() || !ways_.any_of(way.tags())) return;
    const auto texts = records_.texts(way.tags());
    records_.begin('W');
    records_.number(static_cast<uint32_t>(way.nodes().size()));
    records_.number(static_cast<uint32_t>(texts.size()));
    for (const auto &node : way.nodes()) {
      records_.number(static_cast<uint32_t>(places_.number(node.ref())));
    }
    records_.append(texts);
  }

 private:
  const Keys &ways_;
  const Places &places_;
  Records &records_;
};

void write_places(const Places &places, Records &records) {
  constexpr size_t part = 4'096;
  for (size_t first = 0; first < places.size(); first += part) {
    const size_t end = std::min(first + part, places.size());
    records.begin('P');
    records.number(static_cast<uint32_t>(end - first));
    for (size_t number = first; number < end; ++number) {
      const auto place = places.at(number);
      records.number(static_cast<uint32_t>(place.valid() ? place.x() : osmium::Location::undefined_coordinate));
      records.number(static_cast<uint32_t>(place.valid() ? place.y() : osmium::Location::undefined_coordinate));
    }
  }
}

}  // namespace

enum osm_result osm_streets(
    int file, struct osm_keys ways, struct osm_keys nodes, struct osm_keys kept,
    size_t most_places, osm_sink sink, void *context, char *fault, size_t fault_size) {
  return osm::guarded(fault, fault_size, [&] {
    const int copy_of_file = osm::copy_of(file);
    osmium::thread::Pool pool{2, 4};
    const Keys way_keys{ways}, node_keys{nodes}, kept_keys{kept};
    Places places{most_places};
    WantedNodes wanted{way_keys, places};
    osm::read_all(copy_of_file, osmium::osm_entity_bits::way, pool, wanted);
    places.ready();
    Records records{kept_keys, sink, context};
    FoundNodes found_nodes{node_keys, places, records};
    osm::read_all(copy_of_file, osmium::osm_entity_bits::node, pool, found_nodes);
    write_places(places, records);
    FoundWays found_ways{way_keys, places, records};
    osm::read_all(copy_of_file, osmium::osm_entity_bits::way, pool, found_ways);
    records.begin('E');
    records.flush();
  });
}
