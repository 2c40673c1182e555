#include "CConfinement.h"

#include <errno.h>
#include <linux/fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define FAROL_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FAROL_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

int keep_rights_as_they_are(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int leave_no_core(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int close_files_from(unsigned int first) {
  return syscall(__NR_close_range, first, ~0U, 0) == 0 ? 0 : -1;
}

int allow_only_computing(int knows_open_files) {
#ifdef FAROL_ARCHITECTURE
#define FAROL_ALLOW(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FAROL_REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
// Allowed if none of `bits` is set in the argument at `place` (its lower half, little-endian).
#define FAROL_ALLOW_WITHOUT(call, place, bits) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[place])), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), FAROL_REFUSE(EPERM)
// Allowed if one of `bits` is set.
#define FAROL_ALLOW_WITH(call, place, bits) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[place])), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), FAROL_REFUSE(EPERM)
  // No system call has the other number.
  const unsigned int facts_of_file = knows_open_files ? __NR_newfstatat : ~0U;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FAROL_ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      FAROL_ALLOW(read),
      FAROL_ALLOW(pread64),
      FAROL_ALLOW(pwrite64),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, facts_of_file, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AT_EMPTY_PATH, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), FAROL_REFUSE(EPERM),
      FAROL_ALLOW(write),
      FAROL_ALLOW(close),
      // Copies of open descriptors.
      FAROL_ALLOW(dup),
      FAROL_ALLOW(dup3),
      FAROL_ALLOW(fstat),
      FAROL_ALLOW(lseek),
      FAROL_ALLOW(futex),
      FAROL_ALLOW(munmap),
      FAROL_ALLOW(mremap),
      FAROL_ALLOW(madvise),
      FAROL_ALLOW(brk),
      FAROL_ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
      FAROL_ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
      // glibc then falls back to `clone`, whose flags the filter can check: threads, not processes.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
      FAROL_REFUSE(ENOSYS),
      FAROL_ALLOW_WITH(clone, 0, CLONE_THREAD),
      FAROL_ALLOW(set_robust_list),
      FAROL_ALLOW(rseq),
      FAROL_ALLOW(rt_sigprocmask),
      FAROL_ALLOW(rt_sigaction),
      FAROL_ALLOW(rt_sigreturn),
      // Builds with the address sanitizer call this after each error in a library.
      FAROL_ALLOW(sigaltstack),
      FAROL_ALLOW(restart_syscall),
      FAROL_ALLOW(sched_yield),
      FAROL_ALLOW(sched_getaffinity),
      FAROL_ALLOW(clock_gettime),
      FAROL_ALLOW(clock_nanosleep),
      FAROL_ALLOW(gettimeofday),
      FAROL_ALLOW(getrandom),
      FAROL_ALLOW(getpid),
      FAROL_ALLOW(gettid),
      FAROL_ALLOW(exit),
      FAROL_ALLOW(exit_group),
      FAROL_REFUSE(EPERM),
  };
  struct sock_fprog program = {
      .len = (unsigned short)(sizeof filter / sizeof filter[0]), .filter = filter};
  long status =
      syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return status == 0 ? 0 : -1;
#undef FAROL_ALLOW
#undef FAROL_REFUSE
#undef FAROL_ALLOW_WITHOUT
#undef FAROL_ALLOW_WITH
#else
  return -1;
#endif
}
