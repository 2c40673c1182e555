#include <arrow/extension_type.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/file_reader.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "json_values.h"
#include "parquet_common.h"
#include "parquet_file.h"

using namespace parquet_files;

namespace {

/// Rows that are decoded together.
constexpr int64_t batch_rows = 1'024;
/// Bytes of each column that are read together, so that memory does not grow with a row group.
constexpr int64_t read_ahead = 32 << 10;
/// A file with more columns is no list; each needs memory of its own.
constexpr int most_columns = 2'000;
/// Row groups, and other lists in the metadata.
constexpr int most_parts = 100'000;
constexpr int deepest = 32;
constexpr int32_t longest_name = 16 << 20;

/// The file on a descriptor, whose size does not change.
class Input : public arrow::io::RandomAccessFile {
 public:
  Input(int descriptor, int64_t size) : descriptor_(descriptor), size_(size) {}

  arrow::Result<int64_t> ReadAt(int64_t position, int64_t count, void *to) override {
    if (position < 0 || count < 0) return arrow::Status::Invalid("outside of the file");
    count = std::max<int64_t>(std::min(count, size_ - position), 0);
    int64_t done = 0;
    while (done < count) {
      const ssize_t more =
          pread(descriptor_, static_cast<char *>(to) + done, count - done, position + done);
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) return arrow::Status::IOError("the file cannot be read");
      if (more == 0) break;
      done += more;
    }
    // The server shows how far the file has been read.
    lseek(descriptor_, position + done, SEEK_SET);
    return done;
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t count) override {
    // A file that states more than it has must not make us ask for that much memory.
    if (position < 0 || count < 0 || position > size_) {
      return arrow::Status::Invalid("outside of the file");
    }
    count = std::min(count, size_ - position);
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(count, memory()));
    ARROW_ASSIGN_OR_RAISE(const int64_t done, ReadAt(position, count, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(done));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }

  arrow::Result<int64_t> Read(int64_t count, void *to) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t done, ReadAt(place_, count, to));
    place_ += done;
    return done;
  }

  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t count) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(place_, count));
    place_ += buffer->size();
    return buffer;
  }

  arrow::Status Seek(int64_t position) override {
    place_ = position;
    return arrow::Status::OK();
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> Tell() const override { return place_; }
  arrow::Result<int64_t> GetSize() override { return size_; }
  bool closed() const override { return closed_; }

 private:
  int descriptor_;
  int64_t size_, place_ = 0;
  bool closed_ = false;
};

parquet::ReaderProperties reading() {
  parquet::ReaderProperties properties{memory()};
  properties.enable_buffered_stream();
  properties.set_buffer_size(read_ahead);
  properties.set_thrift_container_size_limit(most_parts);
  properties.set_thrift_string_size_limit(longest_name);
  properties.set_schema_depth_limit(deepest);
  properties.set_page_checksum_verification(true);
  return properties;
}

parquet::ArrowReaderProperties decoding() {
  parquet::ArrowReaderProperties properties{/*use_threads=*/false};
  properties.set_batch_size(batch_rows);
  properties.set_pre_buffer(false);
  // The usual range of a nanosecond would end in 2262.
  properties.set_coerce_int96_timestamp_unit(arrow::TimeUnit::MICRO);
  properties.set_arrow_extensions_enabled(true);
  return properties;
}

/// The numbers of the leaves below each top-level column, except those that are left out.
std::vector<int> wanted_leaves(
    const parquet::SchemaDescriptor &schema, const char *const *left_out, size_t count) {
  std::vector<int> leaves;
  for (int leaf = 0; leaf < schema.num_columns(); leaf++) {
    const std::string &name = schema.GetColumnRoot(leaf)->name();
    const bool is_left_out =
        std::any_of(left_out, left_out + count, [&](const char *other) { return name == other; });
    if (!is_left_out) leaves.push_back(leaf);
  }
  return leaves;
}

/// The bytes of a geometry, without the type that a file may give them.
std::shared_ptr<arrow::Array> bytes_of(std::shared_ptr<arrow::Array> column) {
  if (column->type_id() == arrow::Type::EXTENSION) {
    return static_cast<const arrow::ExtensionArray &>(*column).storage();
  }
  return column;
}

/// Passes on the rows of batches.
class Rows {
 public:
  Rows(const arrow::Schema &schema, const char *geometry, parquet_sink sink, void *context)
      : geometry_(geometry == nullptr ? -1 : schema.GetFieldIndex(geometry)), sink_(sink),
        context_(context) {
    for (const auto &field : schema.fields()) {
      // A name that occurs twice would replace the first value.
      std::string unique = field->name();
      for (int times = 2; !seen_.insert(unique).second; ++times)
        unique = field->name() + " (" + std::to_string(times) + ")";
      std::string name;
      append_json(unique, name);
      names_.push_back(name + ":");
    }
  }

  /// Whether the column exists, if one is named.
  bool has_geometry(const char *geometry) const { return geometry == nullptr || geometry_ >= 0; }

  bool pass(const arrow::RecordBatch &batch) {
    const auto shapes = geometry_ < 0 ? nullptr : bytes_of(batch.column(geometry_));
    if (shapes != nullptr && shapes->type_id() != arrow::Type::BINARY
        && shapes->type_id() != arrow::Type::LARGE_BINARY) {
      return false;
    }
    for (int64_t row = 0; row < batch.num_rows(); row++) {
      json_ = "{";
      for (int number = 0; number < batch.num_columns(); number++) {
        const auto &column = *batch.column(number);
        if (number == geometry_ || column.IsNull(row)) continue;
        if (json_.size() > 1) json_ += ',';
        json_ += names_[number];
        append_json(column, row, json_);
      }
      json_ += '}';
      pass(shapes.get(), row);
    }
    return true;
  }

 private:
  void pass(const arrow::Array *shapes, int64_t row) {
    std::string_view shape;
    if (shapes != nullptr && !shapes->IsNull(row)) {
      shape = shapes->type_id() == arrow::Type::BINARY
                  ? static_cast<const arrow::BinaryArray *>(shapes)->GetView(row)
                  : static_cast<const arrow::LargeBinaryArray *>(shapes)->GetView(row);
    }
    const auto bytes = shape.empty() ? nullptr : reinterpret_cast<const uint8_t *>(shape.data());
    if (sink_(context_, json_.data(), json_.size(), bytes, shape.size()) != 0) throw Stopped{};
  }

  int geometry_;
  parquet_sink sink_;
  void *context_;
  std::vector<std::string> names_;
  std::set<std::string> seen_;
  std::string json_;
};

enum parquet_result open(int descriptor, int64_t size, parquet_file **file) {
  auto opened = std::make_unique<parquet_file>();
  opened->input = std::make_shared<Input>(descriptor, size);
  char end[4] = {};
  (void)opened->input->ReadAt(size - 4, 4, end);
  if (std::memcmp(end, "PARE", 4) == 0) return PARQUET_ENCRYPTED;
  parquet::arrow::FileReaderBuilder builder;
  check(builder.Open(opened->input, reading()));
  opened->metadata = builder.raw_reader()->metadata();
  if (opened->metadata->is_encryption_algorithm_set()) return PARQUET_ENCRYPTED;
  if (opened->metadata->num_columns() > most_columns) {
    throw Failed{arrow::Status::Invalid("more than 2,000 columns")};
  }
  check(builder.memory_pool(memory())->properties(decoding())->Build(&opened->reader));
  *file = opened.release();
  return PARQUET_DONE;
}

enum parquet_result read(
    parquet_file &file, const char *geometry, const char *const *left_out, size_t left_out_count,
    parquet_sink sink, void *context) {
  const auto leaves = wanted_leaves(*file.metadata->schema(), left_out, left_out_count);
  if (leaves.empty()) return PARQUET_DONE;
  const auto batches = checked(file.reader->GetRecordBatchReader(all_groups(file), leaves));
  Rows rows{*batches->schema(), geometry, sink, context};
  if (!rows.has_geometry(geometry)) return PARQUET_NO_GEOMETRY;
  int64_t count = 0;
  while (const auto batch = checked(batches->Next())) {
    // Offsets and numbers in a file may point anywhere.
    check(batch->ValidateFull());
    if (!rows.pass(*batch)) return PARQUET_NO_GEOMETRY;
    count += batch->num_rows();
  }
  if (count != file.metadata->num_rows()) {
    throw Failed{arrow::Status::Invalid("the number of rows is not that of the file")};
  }
  return PARQUET_DONE;
}

}  // namespace

enum parquet_result parquet_open(
    int descriptor, int64_t size, struct parquet_file **file, char *fault, size_t fault_size) {
  return guarded(fault, fault_size, [&] { return open(descriptor, size, file); });
}

const char *parquet_metadata(struct parquet_file *file, const char *key, size_t *length) {
  const auto &facts = file->metadata->key_value_metadata();
  const int place = facts == nullptr ? -1 : facts->FindKey(key);
  if (place < 0) return nullptr;
  *length = facts->value(place).size();
  return facts->value(place).data();
}

int64_t parquet_rows(struct parquet_file *file) { return file->metadata->num_rows(); }

enum parquet_result parquet_read(
    struct parquet_file *file, const char *geometry, const char *const *left_out,
    size_t left_out_count, parquet_sink sink, void *context, char *fault, size_t fault_size) {
  return guarded(fault, fault_size, [&] {
    return read(*file, geometry, left_out, left_out_count, sink, context);
  });
}

void parquet_close(struct parquet_file *file) { delete file; }
