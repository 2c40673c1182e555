/* Intercepts the system calls of Farol that access files below one folder, and those that read the
 * wall clock.
 *
 * FAROL_FAULTS_FOLDER  the folder
 * FAROL_FAULTS_STATE   a mapped file of numbers, through which the tests switch faults on and off
 * FAROL_FAULTS_TRACE   optional: a file to which every file change and every sync is written in order,
 *                      so that the tests can build any state that a power cut may leave
 *
 * Built by shim.py, loaded with LD_PRELOAD. Only calls that SQLite and Farol make are covered.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The state that the tests set; shim.py uses the same order. */
struct state {
  /* Seconds by which the wall clock is wrong; the monotonic clock stays correct. */
  volatile int64_t shift;
  /* Error numbers; with 0 the call is passed on. */
  volatile int32_t on_write, on_sync, on_open_to_write, on_read;
  /* Percentage of reads that fail with on_read; 0 for all. */
  volatile int32_t read_share;
  volatile int32_t hits;
};

static struct state calm;
static struct state *state = &calm;
static char folder[4096];
static size_t folder_length;
static int trace = -1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void prepare(void) {
  const char *path = getenv("FAROL_FAULTS_STATE");
  const char *below = getenv("FAROL_FAULTS_FOLDER");
  const char *into = getenv("FAROL_FAULTS_TRACE");
  if (!path || !below || strlen(below) >= sizeof folder - 1) return;
  strcpy(folder, below);
  folder_length = strlen(folder);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return;
  void *found = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (found != MAP_FAILED) state = found;
  syscall(SYS_close, file);
  if (into)
    trace = (int)syscall(SYS_openat, AT_FDCWD, into, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_below(const char *path) {
  return folder_length && strncmp(path, folder, folder_length) == 0 && path[folder_length] == '/';
}

/* The path of an open file below the folder; returns 0 for other files. */
static int path_of(int file, char *path, size_t size) {
  char link[48];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int fails(int file, volatile int32_t *number) {
  char path[4096];
  if (!*number || !path_of(file, path, sizeof path)) return 0;
  __sync_fetch_and_add(&state->hits, 1);
  errno = *number;
  return 1;
}

/* One record: a line "kind offset count path-length", the path, the bytes. */
static void note(char kind, const char *path, int64_t offset, const void *bytes, size_t count) {
  char head[96];
  int length = snprintf(head, sizeof head, "%c %lld %zu %zu\n", kind, (long long)offset,
                        bytes ? count : 0, strlen(path));
  struct iovec parts[3] = {{head, (size_t)length}, {(void *)path, strlen(path)},
                           {(void *)bytes, bytes ? count : 0}};
  syscall(SYS_writev, trace, parts, 3);
}

static ssize_t put(int file, const void *bytes, size_t count, off_t offset) {
  if (fails(file, &state->on_write)) return -1;
  char path[4096];
  if (trace < 0 || !path_of(file, path, sizeof path))
    return syscall(SYS_pwrite64, file, bytes, count, offset);
  pthread_mutex_lock(&turn);
  ssize_t done = syscall(SYS_pwrite64, file, bytes, count, offset);
  int kept = errno;
  if (done > 0) note('w', path, offset, bytes, (size_t)done);
  pthread_mutex_unlock(&turn);
  errno = kept;
  return done;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return put(file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return put(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (fails(file, &state->on_write)) return -1;
  return syscall(SYS_write, file, bytes, count);
}

static int sync_with(long call, int file) {
  if (fails(file, &state->on_sync)) return -1;
  char path[4096];
  if (trace < 0 || !path_of(file, path, sizeof path)) return (int)syscall(call, file);
  pthread_mutex_lock(&turn);
  /* Only the disk that the trace describes matters, so no real sync is needed. */
  note('s', path, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return 0;
}
int fsync(int file) { return sync_with(SYS_fsync, file); }
int fdatasync(int file) { return sync_with(SYS_fdatasync, file); }

static int cut(int file, off_t length) {
  if (fails(file, &state->on_write)) return -1;
  char path[4096];
  if (trace < 0 || !path_of(file, path, sizeof path)) return (int)syscall(SYS_ftruncate, file, length);
  pthread_mutex_lock(&turn);
  int done = (int)syscall(SYS_ftruncate, file, length);
  if (done == 0) note('t', path, length, NULL, 0);
  pthread_mutex_unlock(&turn);
  return done;
}
int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off64_t length) { return cut(file, length); }

/* Whether this read is one of those that fail. They are spread pseudorandomly, in the same way in
 * each run (a step of SplitMix64). */
static int is_chosen(void) {
  static uint64_t turn_of_read;
  if (!state->read_share) return 1;
  uint64_t mixed = __sync_add_and_fetch(&turn_of_read, 1) * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return (int32_t)((mixed ^ (mixed >> 31)) % 100) < state->read_share;
}

static ssize_t get(int file, void *bytes, size_t count, off_t offset) {
  if (state->on_read && is_chosen() && fails(file, &state->on_read)) return -1;
  return syscall(SYS_pread64, file, bytes, count, offset);
}
ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  return get(file, bytes, count, offset);
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
  return get(file, bytes, count, offset);
}

static int opened(int at, const char *path, int flags, mode_t mode) {
  if (state->on_open_to_write && (flags & O_ACCMODE) != O_RDONLY && is_below(path)) {
    __sync_fetch_and_add(&state->hits, 1);
    errno = state->on_open_to_write;
    return -1;
  }
  return (int)syscall(SYS_openat, at, path, flags, mode);
}

#define MODE_OF(flags)                                     \
  mode_t mode = 0;                                         \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {                 \
    va_list more;                                          \
    va_start(more, flags);                                 \
    mode = va_arg(more, mode_t);                           \
    va_end(more);                                          \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int at, const char *path, int flags, ...) {
  MODE_OF(flags)
  return opened(at, path, flags, mode);
}

int unlink(const char *path) {
  if (state->on_open_to_write && is_below(path)) {
    errno = state->on_open_to_write;
    return -1;
  }
  int done = (int)syscall(SYS_unlink, path);
  if (done == 0 && trace >= 0 && is_below(path)) {
    pthread_mutex_lock(&turn);
    note('u', path, 0, NULL, 0);
    pthread_mutex_unlock(&turn);
  }
  return done;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int done = (int)syscall(SYS_clock_gettime, clock, time);
  if (done == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    time->tv_sec += state->shift;
  return done;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int done = (int)syscall(SYS_gettimeofday, time, zone);
  if (done == 0) time->tv_sec += state->shift;
  return done;
}

time_t time(time_t *told) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (told) *told = now.tv_sec;
  return now.tv_sec;
}

/* A wait until a wall clock time ends when the clock shows that time, even if it is set meanwhile. */
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  for (;;) {
    struct timespec now, next;
    clock_gettime(CLOCK_REALTIME, &now);
    int is_over = now.tv_sec > until->tv_sec ||
                  (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &next);
    if (!is_over) next.tv_nsec += 20000000;
    if (next.tv_nsec >= 1000000000) next.tv_sec++, next.tv_nsec -= 1000000000;
    if (sem_clockwait(semaphore, CLOCK_MONOTONIC, &next) == 0) return 0;
    if (errno != ETIMEDOUT || is_over) return -1;
  }
}
