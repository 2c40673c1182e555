#include <arrow/util/key_value_metadata.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "parquet_common.h"
#include "parquet_target.h"

using namespace parquet_files;

namespace {

/// Rows that are handed to Arrow together.
constexpr int64_t batch_rows = 4'096;
constexpr uint32_t no_text = 0xFFFFFFFF;
/// Longer texts are a fault of the sender.
constexpr uint32_t longest_text = 16 << 20;

/// The rows as they arrive, in pieces.
class Source {
 public:
  explicit Source(int descriptor) : descriptor_(descriptor), buffer_(256 << 10) {}

  /// Whether another byte follows.
  bool has_more() { return place_ < end_ || fill(); }

  /// The next bytes, valid until the next call.
  const char *take(size_t count) {
    while (end_ - place_ < count) {
      if (count > buffer_.size()) buffer_.resize(count);
      if (!fill()) throw Failed{arrow::Status::Invalid("the last row is incomplete")};
    }
    const char *found = buffer_.data() + place_;
    place_ += count;
    total_ += count;
    return found;
  }

  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  int64_t total() const { return total_; }

 private:
  bool fill() {
    std::memmove(buffer_.data(), buffer_.data() + place_, end_ - place_);
    end_ -= place_;
    place_ = 0;
    ssize_t count;
    do {
      count = read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    } while (count < 0 && errno == EINTR);
    if (count < 0) throw Stopped{};
    end_ += count;
    return count > 0;
  }

  int descriptor_;
  std::vector<char> buffer_;
  size_t place_ = 0, end_ = 0;
  int64_t total_ = 0;
};

/// `count` digits as a number.
int digits(const char *text, int count) {
  int value = 0;
  for (int place = 0; place < count; place++) {
    if (text[place] < '0' || text[place] > '9') throw Failed{arrow::Status::Invalid("not a time")};
    value = value * 10 + (text[place] - '0');
  }
  return value;
}

/// Days since 1970 of `YYYY-MM-DD`, in the Gregorian calendar; its eras of 400 years begin in March.
int32_t day(const char *text, size_t length) {
  if (length < 10) throw Failed{arrow::Status::Invalid("not a day")};
  int year = digits(text, 4);
  const int month = digits(text + 5, 2), day_of_month = digits(text + 8, 2);
  if (month <= 2) year -= 1;
  const int era = year / 400, year_of_era = year - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day_of_month - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year
         - 719'468;
}

/// Milliseconds since 1970 of `YYYY-MM-DDTHH:MM:SS[.sss]Z`.
int64_t moment(const char *text, size_t length) {
  if (length < 20 || text[length - 1] != 'Z') throw Failed{arrow::Status::Invalid("not a time in UTC")};
  const int64_t seconds =
      digits(text + 11, 2) * 3'600 + digits(text + 14, 2) * 60 + digits(text + 17, 2);
  int64_t milliseconds = 0;
  if (length >= 24 && text[19] == '.') milliseconds = digits(text + 20, 3);
  return (day(text, length) * int64_t{86'400} + seconds) * 1'000 + milliseconds;
}

std::shared_ptr<arrow::DataType> type_of(parquet_kind kind) {
  switch (kind) {
    case PARQUET_INTEGER: return arrow::int64();
    case PARQUET_NUMBER: return arrow::float64();
    case PARQUET_FLAG: return arrow::boolean();
    case PARQUET_TIME: return arrow::timestamp(arrow::TimeUnit::MILLI, "UTC");
    case PARQUET_DAY: return arrow::date32();
    case PARQUET_TEXT: break;
  }
  return arrow::utf8();
}

/// The values of one column until the batch is complete.
class Column {
 public:
  Column(const parquet_column &column, arrow::MemoryPool *pool)
      : name(column.name), kind_(column.kind),
        builder_(checked(arrow::MakeBuilder(type_of(column.kind), pool))) {}

  const std::string name;

  void append(Source &source) {
    switch (kind_) {
      case PARQUET_INTEGER: return number<arrow::Int64Builder, int64_t>(source);
      case PARQUET_NUMBER: return number<arrow::DoubleBuilder, double>(source);
      case PARQUET_FLAG: {
        const auto value = source.take<uint8_t>();
        return check(value > 1 ? builder_->AppendNull() : as<arrow::BooleanBuilder>().Append(value));
      }
      case PARQUET_TEXT:
      case PARQUET_TIME:
      case PARQUET_DAY: break;
    }
    const auto length = source.take<uint32_t>();
    if (length == no_text) return check(builder_->AppendNull());
    if (length > longest_text) throw Failed{arrow::Status::Invalid("a text is too long")};
    const char *text = source.take(length);
    switch (kind_) {
      case PARQUET_TIME: return check(as<arrow::TimestampBuilder>().Append(moment(text, length)));
      case PARQUET_DAY: return check(as<arrow::Date32Builder>().Append(day(text, length)));
      default: return check(as<arrow::StringBuilder>().Append(text, length));
    }
  }

  std::shared_ptr<arrow::Array> finish() { return checked(builder_->Finish()); }

 private:
  template <typename Builder>
  Builder &as() { return static_cast<Builder &>(*builder_); }

  template <typename Builder, typename Value>
  void number(Source &source) {
    const bool is_set = source.take<uint8_t>() != 0;
    const auto value = source.take<Value>();
    check(is_set ? as<Builder>().Append(value) : builder_->AppendNull());
  }

  parquet_kind kind_;
  std::unique_ptr<arrow::ArrayBuilder> builder_;
};

/// The shortest text that reads as the same number.
std::string text_of(double number) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  return std::string(buffer, end);
}

/// The positions: points in WKB (OGC 06-103r4, 8.2), and their boxes, which programs without geometry read.
class Points {
 public:
  explicit Points(arrow::MemoryPool *pool)
      : points_(pool), longitudes_(pool), latitudes_(pool) {}

  void append(Source &source) {
    char point[21] = {1, 1, 0, 0, 0};
    std::memcpy(point + 5, source.take(16), 16);
    double longitude, latitude;
    std::memcpy(&longitude, point + 5, 8);
    std::memcpy(&latitude, point + 13, 8);
    check(points_.Append(point, sizeof point));
    check(longitudes_.Append(longitude));
    check(latitudes_.Append(latitude));
    west_ = std::min(west_, longitude), east_ = std::max(east_, longitude);
    south_ = std::min(south_, latitude), north_ = std::max(north_, latitude);
  }

  static arrow::FieldVector fields() {
    return {arrow::field("geometry", arrow::binary(), false), arrow::field("bbox", box(), false)};
  }

  /// The arrays of both columns.
  arrow::ArrayVector finish() {
    const auto points = checked(points_.Finish());
    const auto x = checked(longitudes_.Finish()), y = checked(latitudes_.Finish());
    const auto boxes = std::make_shared<arrow::StructArray>(
        box(), points->length(), arrow::ArrayVector{x, y, x, y});
    return {points, boxes};
  }

  /// The metadata of GeoParquet. Without `crs`, the coordinates are longitude and latitude in WGS 84.
  std::string metadata() const {
    std::string json =
        R"({"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB",)"
        R"("geometry_types":["Point"],"covering":{"bbox":{"xmin":["bbox","xmin"],"ymin":["bbox","ymin"],)"
        R"("xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}})";
    if (west_ <= east_) {
      json += ",\"bbox\":[" + text_of(west_) + "," + text_of(south_) + "," + text_of(east_) + ","
              + text_of(north_) + "]";
    }
    return json + "}}}";
  }

 private:
  static std::shared_ptr<arrow::DataType> box() {
    arrow::FieldVector edges;
    for (const char *name : {"xmin", "ymin", "xmax", "ymax"})
      edges.push_back(arrow::field(name, arrow::float64(), false));
    return arrow::struct_(edges);
  }

  arrow::BinaryBuilder points_;
  arrow::DoubleBuilder longitudes_, latitudes_;
  double west_ = std::numeric_limits<double>::infinity(), east_ = -west_, south_ = west_, north_ = -west_;
};

enum parquet_result write_rows(
    Source &source, int to, const parquet_column *columns, size_t column_count,
    const parquet_fact *facts, size_t fact_count) {
  const auto pool = memory();
  std::vector<Column> values;
  arrow::FieldVector fields;
  for (size_t place = 0; place < column_count; place++) {
    values.emplace_back(columns[place], pool);
    fields.push_back(arrow::field(columns[place].name, type_of(columns[place].kind)));
  }
  for (const auto &field : Points::fields()) fields.push_back(field);
  const auto schema = arrow::schema(fields);
  const auto writer = checked(parquet::arrow::FileWriter::Open(
      *schema, pool, std::make_shared<Target>(to), properties(pool)));
  Points points{pool};
  int64_t rows = 0, group_begin = 0;
  auto finish_batch = [&] {
    if (rows == 0) return;
    arrow::ArrayVector arrays;
    for (auto &column : values) arrays.push_back(column.finish());
    for (const auto &array : points.finish()) arrays.push_back(array);
    check(writer->WriteRecordBatch(*arrow::RecordBatch::Make(schema, rows, arrays)));
    rows = 0;
    if (source.total() - group_begin < group_bytes) return;
    group_begin = source.total();
    check(writer->NewBufferedRowGroup());
  };
  while (source.has_more()) {
    points.append(source);
    for (auto &column : values) column.append(source);
    if (++rows == batch_rows) finish_batch();
  }
  finish_batch();
  auto about = std::make_shared<arrow::KeyValueMetadata>();
  about->Append("geo", points.metadata());
  for (size_t place = 0; place < fact_count; place++) about->Append(facts[place].key, facts[place].value);
  check(writer->AddKeyValueMetadata(about));
  check(writer->Close());
  return PARQUET_DONE;
}

}  // namespace

enum parquet_result parquet_write(
    int from, int to, const struct parquet_column *columns, size_t column_count,
    const struct parquet_fact *facts, size_t fact_count, char *fault, size_t fault_size) {
  return guarded(fault, fault_size, [&] {
    Source source{from};
    return write_rows(source, to, columns, column_count, facts, fact_count);
  });
}
