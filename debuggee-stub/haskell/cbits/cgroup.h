/*
 * The memory that control groups, such as a container's, leave this process.
 */
#ifndef GHCDBG_CGROUP_H
#define GHCDBG_CGROUP_H

#include <stdint.h>

/* Bytes up to the nearest limit, of version 1 or 2, of the group and those
 * above it; UINT64_MAX where there is no limit or none can be read. Cached
 * files that were not used lately count as given back, as the kubelet counts
 * them.
 *
 * mounts: where the hierarchies are mounted; /sys/fs/cgroup.
 * membership: the contents of /proc/self/cgroup. Groups that cannot be seen
 * from inside a container are passed over. */
uint64_t ghcdbg_cgroup_available(const char *mounts, const char *membership);

#endif
