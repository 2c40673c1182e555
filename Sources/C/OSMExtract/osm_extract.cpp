#include "osm_reading.hpp"

#include <cstdio>
#include <string>

using osm::Places;
using osm::check;

namespace {

bool contains_ignoring_case(const char *value, const char *text) {
  return strcasestr(value, text) != nullptr;
}

class Tests {
 public:
  Tests(const osm_test *tests, size_t count) : tests_(tests), count_(count) {}

  bool pass(const osmium::TagList &tags) const {
    if (tags.empty()) return false;
    check(tags);
    if (count_ == 0) return true;
    for (const auto &tag : tags) {
      for (size_t i = 0; i < count_; ++i) {
        if (std::strcmp(tag.key(), tests_[i].key) == 0 && passes(tests_[i], tag.value())) return true;
      }
    }
    return false;
  }

 private:
  static bool passes(const osm_test &test, const char *value) {
    if (test.text_count == 0) return true;
    for (size_t i = 0; i < test.text_count; ++i) {
      if (contains_ignoring_case(value, test.texts[i])) return true;
    }
    return false;
  }

  const osm_test *tests_;
  size_t count_;
};

/// Collects the nodes that the ways and relations with passing tags need.
class Collection : public osmium::handler::Handler {
 public:
  Collection(const Tests &tests, Places &places) : tests_(tests), places_(places) {}

  void way(const osmium::Way &way) {
    if (!tests_.pass(way.tags())) return;
    for (const auto &node : way.nodes()) places_.want(node.ref());
  }

  void relation(const osmium::Relation &relation) {
    if (!tests_.pass(relation.tags())) return;
    for (const auto &member : relation.members()) {
      if (member.type() == osmium::item_type::node) places_.want(member.ref());
    }
  }

 private:
  const Tests &tests_;
  Places &places_;
};

/// The smallest box around places.
class Box {
 public:
  void add(osmium::Location place) {
    if (!place.valid()) return;
    west_ = std::min(west_, place.lon());
    east_ = std::max(east_, place.lon());
    south_ = std::min(south_, place.lat());
    north_ = std::max(north_, place.lat());
    is_empty_ = false;
  }

  bool is_empty() const { return is_empty_; }
  double longitude() const { return (west_ + east_) / 2; }
  double latitude() const { return (south_ + north_) / 2; }

 private:
  double west_ = 180, east_ = -180, south_ = 90, north_ = -90;
  bool is_empty_ = true;
};

/// Writes the passing elements.
class Output : public osmium::handler::Handler {
 public:
  Output(const Tests &tests, Places &places, osm_sink sink, void *context)
      : tests_(tests), places_(places), sink_(sink), context_(context) {
    text_.reserve(osm::piece_size + (16 << 10));
  }

  void node(const osmium::Node &node) {
    places_.add(node);
    if (!tests_.pass(node.tags())) return;
    begin("node", node);
    if (node.location().valid()) place(node.location().lon(), node.location().lat());
    end(node.tags());
  }

  void way(const osmium::Way &way) {
    if (!tests_.pass(way.tags())) return;
    Box box;
    for (const auto &node : way.nodes()) box.add(places_[node.ref()]);
    begin("way", way);
    center(box);
    end(way.tags());
  }

  void relation(const osmium::Relation &relation) {
    if (!tests_.pass(relation.tags())) return;
    Box box;
    for (const auto &member : relation.members()) {
      if (member.type() == osmium::item_type::node) box.add(places_[member.ref()]);
    }
    begin("relation", relation);
    device(relation, box);
    center(box);
    end(relation.tags());
  }

  void flush() {
    if (!text_.empty() && sink_(context_, text_.data(), text_.size()) != 0) throw osm::Stopped{};
    text_.clear();
  }

 private:
  void begin(const char *type, const osmium::OSMObject &object) {
    text_ += "{\"type\":\"";
    text_ += type;
    text_ += "\",\"id\":" + std::to_string(object.id());
    if (object.version() > 0) text_ += ",\"version\":" + std::to_string(object.version());
    if (object.timestamp().valid()) text_ += ",\"timestamp\":\"" + object.timestamp().to_iso() + "\"";
    if (object.deleted()) text_ += ",\"visible\":false";
  }

  void place(double longitude, double latitude) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, ",\"lat\":%.9g,\"lon\":%.10g", latitude, longitude);
    text_ += numbers;
  }

  /// The node that is the device of a relation of enforcement. Its place is then that of the relation.
  void device(const osmium::Relation &relation, Box &box) {
    for (const auto &member : relation.members()) {
      if (member.type() != osmium::item_type::node || std::strcmp(member.role(), "device") != 0) continue;
      text_ += ",\"members\":[{\"type\":\"node\",\"role\":\"device\",\"ref\":"
          + std::to_string(member.ref()) + "}]";
      Box place;
      place.add(places_[member.ref()]);
      if (!place.is_empty()) box = place;
      return;
    }
  }

  void center(const Box &box) {
    if (box.is_empty()) return;
    char numbers[96];
    std::snprintf(
        numbers, sizeof numbers, ",\"center\":{\"lat\":%.10g,\"lon\":%.11g}", box.latitude(),
        box.longitude());
    text_ += numbers;
  }

  void end(const osmium::TagList &tags) {
    text_ += ",\"tags\":{";
    bool is_first = true;
    for (const auto &tag : tags) {
      if (!is_first) text_ += ',';
      is_first = false;
      quoted(tag.key());
      text_ += ':';
      quoted(tag.value());
    }
    text_ += "}}\n";
    if (text_.size() >= osm::piece_size) flush();
  }

  void quoted(const char *value) {
    text_ += '"';
    for (; *value != 0; ++value) {
      const unsigned char byte = static_cast<unsigned char>(*value);
      if (byte == '"' || byte == '\\') {
        text_ += '\\';
        text_ += *value;
      } else if (byte < 0x20) {
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", byte);
        text_ += code;
      } else {
        text_ += *value;
      }
    }
    text_ += '"';
  }

  const Tests &tests_;
  Places &places_;
  osm_sink sink_;
  void *context_;
  std::string text_;
};

}  // namespace

enum osm_result osm_extract(
    int file, const struct osm_test *tests, size_t test_count, size_t most_places, osm_sink sink,
    void *context, char *fault, size_t fault_size) {
  return osm::guarded(fault, fault_size, [&] {
    const int copy_of_file = osm::copy_of(file);
    osmium::thread::Pool pool{2, 4};
    const Tests rules{tests, test_count};
    Places places{most_places};
    Collection collection{rules, places};
    osm::read_all(
        copy_of_file, osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation, pool,
        collection);
    places.ready();
    Output output{rules, places, sink, context};
    osm::read_all(
        copy_of_file,
        osmium::osm_entity_bits::node | osmium::osm_entity_bits::way
            | osmium::osm_entity_bits::relation,
        pool, output);
    output.flush();
  });
}
