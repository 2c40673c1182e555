#include <arrow/util/byte_size.h>
#include <arrow/util/key_value_metadata.h>

#include <memory>
#include <string_view>
#include <unordered_set>

#include "parquet_file.h"
#include "parquet_target.h"

using namespace parquet_files;

namespace {

using Texts = std::unordered_set<std::string_view>;

/// The lines of a text.
Texts lines(const char *text, size_t length) {
  Texts found;
  std::string_view rest{text, length};
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    found.insert(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

/// The texts of a column of a batch.
const arrow::StringArray &texts(const arrow::RecordBatch &batch, int column) {
  const auto &array = *batch.column(column);
  if (array.type_id() != arrow::Type::STRING) throw Failed{arrow::Status::Invalid("no column of texts")};
  return static_cast<const arrow::StringArray &>(array);
}

bool is_one(const arrow::StringArray &array, int64_t row, const Texts &wanted) {
  return !array.IsNull(row) && wanted.count(array.GetView(row)) > 0;
}

int64_t count(parquet_file &file, const char *column, const Texts &wanted) {
  const int leaf = file.metadata->schema()->ColumnIndex(column);
  if (leaf < 0) throw Failed{arrow::Status::Invalid("the column is missing")};
  const auto batches = checked(file.reader->GetRecordBatchReader(all_groups(file), {leaf}));
  int64_t found = 0;
  while (const auto batch = checked(batches->Next())) {
    const auto &array = texts(*batch, 0);
    for (int64_t row = 0; row < array.length(); row++) found += is_one(array, row, wanted);
  }
  return found;
}

/// Writes the rows between those that are left out.
void write_others(
    parquet::arrow::FileWriter &writer, const arrow::RecordBatch &batch, int column, const Texts &left_out) {
  const auto &array = texts(batch, column);
  for (int64_t row = 0, start = 0; row <= array.length(); row++) {
    if (row < array.length() && !is_one(array, row, left_out)) continue;
    if (row > start) check(writer.WriteRecordBatch(*batch.Slice(start, row - start)));
    start = row + 1;
  }
}

enum parquet_result filter(parquet_file &file, int to, const char *column, const Texts &left_out) {
  const auto batches = checked(file.reader->GetRecordBatchReader(all_groups(file)));
  const auto schema = batches->schema()->RemoveMetadata();
  const int place = schema->GetFieldIndex(column);
  if (place < 0) throw Failed{arrow::Status::Invalid("the column is missing")};
  const auto pool = memory();
  const auto writer = checked(parquet::arrow::FileWriter::Open(
      *schema, pool, std::make_shared<Target>(to), properties(pool)));
  int64_t bytes = 0;
  while (const auto batch = checked(batches->Next())) {
    write_others(*writer, *batch, place, left_out);
    bytes += arrow::util::TotalBufferSize(*batch);
    if (bytes < group_bytes) continue;
    bytes = 0;
    check(writer->NewBufferedRowGroup());
  }
  if (const auto facts = file.metadata->key_value_metadata()) check(writer->AddKeyValueMetadata(facts));
  check(writer->Close());
  return PARQUET_DONE;
}

}  // namespace

enum parquet_result parquet_count(
    struct parquet_file *file, const char *column, const char *texts, size_t length, int64_t *found,
    char *fault, size_t fault_size) {
  return guarded(fault, fault_size, [&] {
    *found = count(*file, column, lines(texts, length));
    return PARQUET_DONE;
  });
}

enum parquet_result parquet_filter(
    struct parquet_file *file, int to, const char *column, const char *texts, size_t length, char *fault,
    size_t fault_size) {
  return guarded(fault, fault_size, [&] { return filter(*file, to, column, lines(texts, length)); });
}
