// Restrictions that a Linux process can apply to itself without root. Swift cannot use them directly:
// `prctl` and `syscall` are variadic, and a system call filter (seccomp) consists of C macros.
//
// The kernel's headers stay out of this one: they define some types of glibc a second time (`struct flock`),
// and a Swift file that imports both would not compile.

#ifndef FAROL_CCONFINEMENT_H
#define FAROL_CCONFINEMENT_H

/// Prevents programs started from here from gaining privileges, for example by setuid. Returns 0 on
/// success.
int keep_rights_as_they_are(void);

/// Disables core dumps, and prevents other processes of the same owner from reading the memory.
int leave_no_core(void);

/// Closes all descriptors from `first` on (close_range(2)). Returns 0 on success.
int close_files_from(unsigned int first);

/// Restricts the system calls of all threads. The process may compute, use its open descriptors,
/// allocate non-executable memory, run threads and exit. It cannot open files, create sockets, or
/// start programs or processes: other system calls fail with "not permitted". Returns 0 when the
/// filter is active, -1 if the kernel or the architecture does not support it.
///
/// With `knows_open_files` the process may also ask for the size and times of a file. glibc asks with the call
/// that takes a path, so this reveals which files exist. SQLite needs it for a database that is already open.
int allow_only_computing(int knows_open_files);

#endif
