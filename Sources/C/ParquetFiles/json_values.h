// Values of Arrow as JSON. Not part of the interface.

#ifndef FAROL_JSON_VALUES_H
#define FAROL_JSON_VALUES_H

#include <arrow/api.h>

#include <string>
#include <string_view>

namespace parquet_files {

void append_json(std::string_view text, std::string &json);

/// The value at `place` of `array`. Bytes that are no text become hexadecimal digits. Long ones, numbers that JSON
/// lacks, and what is nested too deeply become null.
void append_json(const arrow::Array &array, int64_t place, std::string &json, int depth = 0);

}  // namespace parquet_files

#endif
