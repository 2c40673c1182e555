// GDAL's C interface. Its drivers are registered one by one; only a C++ header declares the functions that do
// so, although they have C names.

#ifndef FAROL_CGDAL_H
#define FAROL_CGDAL_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <string.h>
#include <sys/stat.h>

void RegisterOGRCSV(void);
void RegisterOGRFlatGeobuf(void);
void RegisterOGRGPX(void);
void RegisterOGRGeoPackage(void);
void RegisterOGRLIBKML(void);
void RegisterOGRODS(void);
void RegisterOGRShape(void);
void RegisterOGRXLSX(void);

/// The callbacks of a file system. Swift does not see the fields of GDAL's structure.
struct file_system {
  /// The size of the file with this name; -1 if there is none.
  long long (*size)(const char *name);
  void *(*open)(const char *name, const char *mode);
  vsi_l_offset (*tell)(void *file);
  int (*seek)(void *file, vsi_l_offset offset, int whence);
  size_t (*read)(void *file, void *buffer, size_t size, size_t count);
  int (*is_at_end)(void *file);
  int (*close)(void *file);
  /// Null in a read-only file system.
  size_t (*write)(void *file, const void *buffer, size_t size, size_t count);
};

static inline int file_system_stat(void *system, const char *name, VSIStatBufL *facts, int flags) {
  (void)flags;
  const long long size = ((const struct file_system *)system)->size(name);
  if (size < 0) return -1;
  // `struct stat64` has the layout of `struct stat` on 64-bit machines.
  struct stat *known = (struct stat *)facts;
  memset(known, 0, sizeof *known);
  known->st_mode = S_IFREG | 0400;
  known->st_size = size;
  return 0;
}

static inline void *file_system_open(void *system, const char *name, const char *mode) {
  return ((const struct file_system *)system)->open(name, mode);
}

/// The owner of the files removes them.
static inline int file_system_unlink(void *system, const char *name) {
  (void)system, (void)name;
  return 0;
}

/// Installs a file system; `system` must exist until the program ends. Returns 0 on success.
static inline int install_file_system(const char *prefix, const struct file_system *system) {
  VSIFilesystemPluginCallbacksStruct *callbacks = VSIAllocFilesystemPluginCallbacksStruct();
  if (callbacks == NULL) return -1;
  callbacks->pUserData = (void *)system;
  callbacks->stat = file_system_stat;
  callbacks->open = file_system_open;
  callbacks->tell = system->tell;
  callbacks->seek = system->seek;
  callbacks->read = system->read;
  callbacks->eof = system->is_at_end;
  callbacks->close = system->close;
  callbacks->unlink = file_system_unlink;
  callbacks->write = system->write;
  if (system->write == NULL) {
    callbacks->nBufferSize = 32 << 10;
    callbacks->nCacheSize = 1 << 20;
  }
  const int result = VSIInstallPluginHandler(prefix, callbacks);
  VSIFreeFilesystemPluginCallbacksStruct(callbacks);
  return result;
}

#endif
