/* usage: without fork|process_vm_readv PROGRAM [ARGUMENT...]
 *
 * Runs a program that may not fork (EAGAIN, as at a limit of processes), or not
 * read memory by process_vm_readv (EPERM, as in some containers). Threads and
 * programs can be started as ever. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

static struct sock_filter no_process_vm_readv[] = {
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
    REFUSE(EPERM),
    ALLOW,
};

static struct sock_filter no_fork[] = {
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 3, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
    LOAD(args[0]), /* the flags: their lower half */
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_VM, 1, 0),
    REFUSE(EAGAIN),
    ALLOW,
};

#define FILTER(code) {.len = sizeof code / sizeof code[0], .filter = code}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    struct sock_fprog filter;
  } calls[] = {{"fork", FILTER(no_fork)}, {"process_vm_readv", FILTER(no_process_vm_readv)}};
  for (size_t i = 0; argc > 2 && i < sizeof calls / sizeof calls[0]; i++) {
    if (strcmp(argv[1], calls[i].name) == 0) {
      if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
          prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &calls[i].filter) == 0) {
        execv(argv[2], argv + 2);
      }
      perror(argv[2]);
      return 1;
    }
  }
  fputs("usage: without fork|process_vm_readv PROGRAM [ARGUMENT...]\n", stderr);
  return 2;
}
