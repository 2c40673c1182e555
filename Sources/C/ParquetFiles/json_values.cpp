#include "json_values.h"

#include <arrow/extension_type.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>
#include <arrow/util/formatting.h>
#include <arrow/util/utf8.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace parquet_files {

namespace {

/// Deeper lists and structures are left out.
constexpr int most_nested = 8;
/// Longer values that are no text are pictures and the like. A geometry of this length has 65,000 positions.
constexpr size_t longest_bytes = 1 << 20;
constexpr char hex[] = "0123456789abcdef";

template <typename Number>
void append_number(Number number, std::string &json) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  json.append(buffer, end);
}

template <typename Number>
void append_real(Number number, std::string &json) {
  if (std::isfinite(number)) return append_number(number, json);
  json += "null";
}

/// A time or a day as text of ISO 8601, without zeros that have no meaning.
template <typename Type>
void append_time(const arrow::Array &array, int64_t place, std::string &json) {
  const auto &values = static_cast<const typename arrow::TypeTraits<Type>::ArrayType &>(array);
  arrow::internal::StringFormatter<Type> formatter(array.type().get());
  std::string text;
  formatter(values.Value(place), [&](std::string_view found) { text = found; });
  // The end of a time in UTC.
  if (!text.empty() && text.back() == 'Z') text.pop_back();
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  if constexpr (std::is_same_v<Type, arrow::TimestampType>) {
    if (const auto gap = text.find(' '); gap != std::string::npos) text[gap] = 'T';
    // With a zone, the number is a time in UTC.
    if (!static_cast<const arrow::TimestampType &>(*array.type()).timezone().empty()) text += 'Z';
  }
  append_json(text, json);
}

/// Whether bytes are a text. Some programs write texts without saying so.
bool is_text(std::string_view bytes) {
  const bool has_signs = std::any_of(bytes.begin(), bytes.end(), [](const char byte) {
    const auto number = static_cast<unsigned char>(byte);
    return number < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
  });
  if (has_signs) return false;
  arrow::util::InitializeUTF8();
  return arrow::util::ValidateUTF8(bytes);
}

/// Bytes that are no text in hexadecimal digits, as the geometries of other exports of databases are written.
void append_bytes(std::string_view bytes, std::string &json) {
  if (is_text(bytes)) return append_json(bytes, json);
  if (bytes.size() > longest_bytes) {
    json += "null";
    return;
  }
  json += '"';
  for (const char byte : bytes) {
    json += hex[static_cast<unsigned char>(byte) >> 4];
    json += hex[static_cast<unsigned char>(byte) & 15];
  }
  json += '"';
}

void append_uuid(const arrow::Array &array, int64_t place, std::string &json) {
  const auto bytes = static_cast<const arrow::FixedSizeBinaryArray &>(array).GetValue(place);
  json += '"';
  for (int number = 0; number < 16; number++) {
    if (number == 4 || number == 6 || number == 8 || number == 10) json += '-';
    json += hex[bytes[number] >> 4];
    json += hex[bytes[number] & 15];
  }
  json += '"';
}

void append_list(
    const arrow::Array &values, int64_t begin, int64_t end, std::string &json, int depth) {
  json += '[';
  for (int64_t place = begin; place < end; place++) {
    if (place > begin) json += ',';
    append_json(values, place, json, depth + 1);
  }
  json += ']';
}

template <typename ListArray>
void append_list_of(const arrow::Array &array, int64_t place, std::string &json, int depth) {
  const auto &list = static_cast<const ListArray &>(array);
  const int64_t begin = list.value_offset(place);
  append_list(*list.values(), begin, begin + list.value_length(place), json, depth);
}

/// A map with texts as keys becomes an object, any other the list of its entries.
void append_map(const arrow::Array &array, int64_t place, std::string &json, int depth) {
  const auto &map = static_cast<const arrow::MapArray &>(array);
  if (map.keys()->type_id() != arrow::Type::STRING) {
    return append_list_of<arrow::ListArray>(array, place, json, depth);
  }
  const auto &keys = static_cast<const arrow::StringArray &>(*map.keys());
  const int64_t begin = map.value_offset(place), end = begin + map.value_length(place);
  json += '{';
  for (int64_t entry = begin; entry < end; entry++) {
    if (entry > begin) json += ',';
    append_json(keys.IsNull(entry) ? std::string_view() : keys.GetView(entry), json);
    json += ':';
    append_json(*map.items(), entry, json, depth + 1);
  }
  json += '}';
}

void append_structure(const arrow::Array &array, int64_t place, std::string &json, int depth) {
  const auto &structure = static_cast<const arrow::StructArray &>(array);
  json += '{';
  bool is_first = true;
  for (int number = 0; number < structure.num_fields(); number++) {
    const auto field = structure.field(number);
    if (field->IsNull(place)) continue;
    if (!is_first) json += ',';
    is_first = false;
    append_json(structure.type()->field(number)->name(), json);
    json += ':';
    append_json(*field, place, json, depth + 1);
  }
  json += '}';
}

template <typename Decimal, typename DecimalArray>
void append_decimal(const arrow::Array &array, int64_t place, std::string &json) {
  const auto scale = static_cast<const arrow::DecimalType &>(*array.type()).scale();
  const auto text =
      Decimal(static_cast<const DecimalArray &>(array).GetValue(place)).ToString(scale);
  // An exponent of Arrow, as in 1E+7, is also one of JSON.
  json += text;
}

void append_dictionary(const arrow::Array &array, int64_t place, std::string &json, int depth) {
  const auto &coded = static_cast<const arrow::DictionaryArray &>(array);
  append_json(*coded.dictionary(), coded.GetValueIndex(place), json, depth + 1);
}

void append_extension(const arrow::Array &array, int64_t place, std::string &json, int depth) {
  const auto &extension = static_cast<const arrow::ExtensionArray &>(array);
  const auto &type = static_cast<const arrow::ExtensionType &>(*array.type());
  if (type.extension_name() == "arrow.uuid") return append_uuid(*extension.storage(), place, json);
  append_json(*extension.storage(), place, json, depth + 1);
}

}  // namespace

void append_json(std::string_view text, std::string &json) {
  json += '"';
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte == '"' || byte == '\\') {
      json += '\\';
      json += letter;
    } else if (byte < 0x20) {
      json += "\\u00";
      json += hex[byte >> 4];
      json += hex[byte & 15];
    } else {
      json += letter;
    }
  }
  json += '"';
}

// NOLINTNEXTLINE(misc-no-recursion): the depth is limited.
void append_json(const arrow::Array &array, int64_t place, std::string &json, int depth) {
  using Type = arrow::Type;
  if (depth > most_nested || place < 0 || place >= array.length() || array.IsNull(place)) {
    json += "null";
    return;
  }
#define NUMBER(type, array_type) \
  case Type::type: return append_number(static_cast<const arrow::array_type &>(array).Value(place), json)
#define TEXT(type, array_type) \
  case Type::type: return append_json(static_cast<const arrow::array_type &>(array).GetView(place), json)
#define BYTES(type, array_type) \
  case Type::type: return append_bytes(static_cast<const arrow::array_type &>(array).GetView(place), json)
  switch (array.type_id()) {
    NUMBER(INT8, Int8Array);
    NUMBER(INT16, Int16Array);
    NUMBER(INT32, Int32Array);
    NUMBER(INT64, Int64Array);
    NUMBER(UINT8, UInt8Array);
    NUMBER(UINT16, UInt16Array);
    NUMBER(UINT32, UInt32Array);
    NUMBER(UINT64, UInt64Array);
    TEXT(STRING, StringArray);
    TEXT(LARGE_STRING, LargeStringArray);
    TEXT(STRING_VIEW, StringViewArray);
    BYTES(BINARY, BinaryArray);
    BYTES(LARGE_BINARY, LargeBinaryArray);
    BYTES(BINARY_VIEW, BinaryViewArray);
    BYTES(FIXED_SIZE_BINARY, FixedSizeBinaryArray);
    case Type::BOOL:
      json += static_cast<const arrow::BooleanArray &>(array).Value(place) ? "true" : "false";
      return;
    case Type::HALF_FLOAT:
      return append_real(
          arrow::util::Float16::FromBits(static_cast<const arrow::HalfFloatArray &>(array).Value(place))
              .ToFloat(),
          json);
    case Type::FLOAT: return append_real(static_cast<const arrow::FloatArray &>(array).Value(place), json);
    case Type::DOUBLE: return append_real(static_cast<const arrow::DoubleArray &>(array).Value(place), json);
    case Type::DECIMAL32: return append_decimal<arrow::Decimal32, arrow::Decimal32Array>(array, place, json);
    case Type::DECIMAL64: return append_decimal<arrow::Decimal64, arrow::Decimal64Array>(array, place, json);
    case Type::DECIMAL128:
      return append_decimal<arrow::Decimal128, arrow::Decimal128Array>(array, place, json);
    case Type::DECIMAL256:
      return append_decimal<arrow::Decimal256, arrow::Decimal256Array>(array, place, json);
    case Type::DATE32: return append_time<arrow::Date32Type>(array, place, json);
    case Type::DATE64: return append_time<arrow::Date64Type>(array, place, json);
    case Type::TIME32: return append_time<arrow::Time32Type>(array, place, json);
    case Type::TIME64: return append_time<arrow::Time64Type>(array, place, json);
    case Type::TIMESTAMP: return append_time<arrow::TimestampType>(array, place, json);
    case Type::LIST: return append_list_of<arrow::ListArray>(array, place, json, depth);
    case Type::LARGE_LIST: return append_list_of<arrow::LargeListArray>(array, place, json, depth);
    case Type::FIXED_SIZE_LIST: return append_list_of<arrow::FixedSizeListArray>(array, place, json, depth);
    case Type::MAP: return append_map(array, place, json, depth);
    case Type::STRUCT: return append_structure(array, place, json, depth);
    case Type::DICTIONARY: return append_dictionary(array, place, json, depth);
    case Type::EXTENSION: return append_extension(array, place, json, depth);
    default: json += "null";
  }
#undef NUMBER
#undef TEXT
#undef BYTES
}

}  // namespace parquet_files
