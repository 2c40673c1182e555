// Where and how files are written. Not part of the interface.

#ifndef FAROL_PARQUET_TARGET_H
#define FAROL_PARQUET_TARGET_H

#include <arrow/io/interfaces.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "parquet_common.h"

namespace parquet_files {

/// The largest row group, in rows and in bytes of the rows in memory. A row group is in memory until it is complete.
constexpr int64_t group_rows = 100'000;
constexpr int64_t group_bytes = 48 << 20;

/// Where the file is written, from its beginning to its end.
class Target : public arrow::io::OutputStream {
 public:
  explicit Target(int descriptor) : descriptor_(descriptor) {}

  arrow::Status Write(const void *data, int64_t size) override {
    auto bytes = static_cast<const char *>(data);
    while (size > 0) {
      const ssize_t count = write(descriptor_, bytes, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return arrow::Status::IOError("the file cannot be written");
      bytes += count;
      size -= count;
      place_ += count;
    }
    return arrow::Status::OK();
  }

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> Tell() const override { return place_; }
  bool closed() const override { return closed_; }

 private:
  int descriptor_;
  int64_t place_ = 0;
  bool closed_ = false;
};

inline std::shared_ptr<parquet::WriterProperties> properties(arrow::MemoryPool *pool) {
  return parquet::WriterProperties::Builder()
      .memory_pool(pool)
      ->compression(parquet::Compression::ZSTD)
      ->compression_level(1)
      ->max_row_group_length(group_rows)
      // Their values differ in every row.
      ->disable_dictionary("id")
      ->disable_dictionary("geometry")
      // The first and the last of random bytes select no rows.
      ->disable_statistics("geometry")
      ->build();
}

}  // namespace parquet_files

#endif
