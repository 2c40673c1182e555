// An open file. Not part of the interface.

#ifndef FAROL_PARQUET_FILE_H
#define FAROL_PARQUET_FILE_H

#include <arrow/io/interfaces.h>
#include <parquet/arrow/reader.h>
#include <parquet/metadata.h>

#include <memory>
#include <numeric>
#include <vector>

#include "parquet_common.h"

struct parquet_file {
  std::shared_ptr<arrow::io::RandomAccessFile> input;
  std::unique_ptr<parquet::arrow::FileReader> reader;
  std::shared_ptr<parquet::FileMetaData> metadata;
};

namespace parquet_files {

/// The numbers of all row groups.
inline std::vector<int> all_groups(const parquet_file &file) {
  std::vector<int> groups(file.metadata->num_row_groups());
  std::iota(groups.begin(), groups.end(), 0);
  return groups;
}

}  // namespace parquet_files

#endif
