// What the reader and the writer share. Not part of the interface.

#ifndef FAROL_PARQUET_COMMON_H
#define FAROL_PARQUET_COMMON_H

#if !__has_include(<arrow/api.h>)
#error "Apache Arrow is missing. Run `make setup`, which puts it into data/arrow, then try again."
#endif

#include <arrow/api.h>
#include <parquet/exception.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "parquet_files.h"

namespace parquet_files {

/// Thrown when the other end does not take or give any more.
struct Stopped {};

/// Thrown for a status of Arrow that is not OK.
struct Failed {
  arrow::Status status;
};

inline void check(const arrow::Status &status) {
  if (!status.ok()) throw Failed{status};
}

template <typename T>
T checked(arrow::Result<T> result) {
  if (!result.ok()) throw Failed{result.status()};
  return std::move(result).ValueUnsafe();
}

/// The allocator of the C library, whose memory is limited. Arrow's own reserves address space first.
inline arrow::MemoryPool *memory() {
  setenv("ARROW_DEFAULT_MEMORY_POOL", "system", 1);
  return arrow::system_memory_pool();
}

inline void copy(const char *text, char *to, size_t size) {
  if (size == 0) return;
  std::strncpy(to, text, size - 1);
  to[size - 1] = 0;
}

inline enum parquet_result result_of(const arrow::Status &status, char *fault, size_t size) {
  if (status.IsOutOfMemory()) return PARQUET_NO_MEMORY;
  copy(status.message().c_str(), fault, size);
  return PARQUET_DAMAGED;
}

/// Runs `body` and turns everything that it throws into a result.
template <typename Body>
enum parquet_result guarded(char *fault, size_t size, Body body) {
  try {
    return body();
  } catch (const Stopped &) {
    return PARQUET_STOPPED;
  } catch (const Failed &failed) {
    return result_of(failed.status, fault, size);
  } catch (const parquet::ParquetStatusException &error) {
    return result_of(error.status(), fault, size);
  } catch (const std::bad_alloc &) {
    return PARQUET_NO_MEMORY;
  } catch (const std::length_error &) {
    return PARQUET_NO_MEMORY;
  } catch (const std::exception &error) {
    copy(error.what(), fault, size);
    return PARQUET_DAMAGED;
  } catch (...) {
    copy("unknown error", fault, size);
    return PARQUET_DAMAGED;
  }
}

}  // namespace parquet_files

#endif
