/*
 * How much memory control groups of both versions leave, read from folders like theirs.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "check.h"

static char mounts[] = "/tmp/ghcdbg-cgroup-XXXXXX";

/* Makes a file and the folders above it. */
static void make(const char *name, const char *text) {
  char path[PATH_MAX];
  CHECK(snprintf(path, sizeof path, "%s/%s", mounts, name) < (int)sizeof path);
  for (char *slash = strchr(path + sizeof mounts, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    CHECK(mkdir(path, 0700) == 0 || errno == EEXIST);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static uint64_t available(const char *membership) {
  return ghcdbg_cgroup_available(mounts, membership);
}

static void no_limit(void) {
  CHECK(available("") == UINT64_MAX);
  CHECK(available("0::/\n") == UINT64_MAX);
  CHECK(available("0::/not/seen/from/here") == UINT64_MAX);
  CHECK(available("nonsense\n::\n0:\n:::\n4:memory") == UINT64_MAX);
  make("open/memory.max", "max\n");
  make("open/memory.current", "4096\n");
  CHECK(available("0::/open\n") == UINT64_MAX);
}

static void version_2(void) {
  make("app/memory.max", "1000000\n");
  make("app/memory.current", "300000\n");
  CHECK(available("0::/app\n") == 700000);
  make("app/memory.stat", "anon 5\nfile 7\nworkingset_inactive_file 9\ninactive_file 100000\n");
  CHECK(available("0::/app\n") == 800000);
  make("app/worker/memory.max", "max\n");
  make("app/worker/memory.current", "1\n");
  CHECK(available("0::/app/worker\n") == 800000); /* the limit is above it */
  make("app/worker/memory.max", "50000\n");
  make("app/worker/memory.current", "60000\n");
  CHECK(available("0::/app/worker\n") == 0);
}

static void version_1(void) {
  make("memory/service/memory.limit_in_bytes", "2000000\n");
  make("memory/service/memory.usage_in_bytes", "500000\n");
  make("memory/service/memory.stat", "inactive_file 3\ntotal_inactive_file 200000\n");
  CHECK(available("9:name=systemd:/\n4:memory:/service\n0::/\n") == 1700000);
  CHECK(available("4:cpu,memory,io:/service\n") == 1700000);
  CHECK(available("4:cpu,memory2:/service\n") == UINT64_MAX);
  CHECK(available("4:memory:/service\n0::/app/worker\n") == 0); /* the nearer limit */
  /* Without its own namespace a container sees its own group as the root of all. */
  make("memory/memory.limit_in_bytes", "900000\n");
  make("memory/memory.usage_in_bytes", "100000\n");
  CHECK(available("4:memory:/docker/0123\n") == 800000);
}

int main(void) {
  char command[sizeof mounts + 16];
  CHECK(mkdtemp(mounts) != NULL);
  no_limit();
  version_2();
  version_1();
  snprintf(command, sizeof command, "rm -r %s", mounts);
  CHECK(system(command) == 0);
  printf("cgroup-test: ok\n");
  return 0;
}
