#include "cgroup.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum { TEXT_MAX = 4096 };

struct version {
  const char *folder, *limit, *usage, *cached;
};

static const struct version v1 = {.folder = "/memory",
                                  .limit = "memory.limit_in_bytes",
                                  .usage = "memory.usage_in_bytes",
                                  .cached = "total_inactive_file"};
static const struct version v2 = {
    .folder = "", .limit = "memory.max", .usage = "memory.current", .cached = "inactive_file"};

static bool read_group(const char *group, const char *name, char *text) {
  char path[PATH_MAX];
  return snprintf(path, sizeof path, "%s/%s", group, name) < (int)sizeof path &&
         read_text(path, text, TEXT_MAX);
}

/* False also for "max". */
static bool read_number(const char *group, const char *name, uint64_t *number) {
  char text[TEXT_MAX];
  return read_group(group, name, text) && sscanf(text, "%" SCNu64, number) == 1;
}

/* Lines of "name number". */
static uint64_t cached_bytes(const char *group, const char *name) {
  char text[TEXT_MAX];
  const size_t length = strlen(name);
  uint64_t bytes;
  if (read_group(group, "memory.stat", text)) {
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
      line += *line == '\n';
      if (strncmp(line, name, length) == 0 && sscanf(line + length, " %" SCNu64, &bytes) == 1) {
        return bytes;
      }
    }
  }
  return 0;
}

static uint64_t group_available(const struct version *v, const char *group) {
  uint64_t limit, usage;
  if (!read_number(group, v->limit, &limit) || !read_number(group, v->usage, &usage)) {
    return UINT64_MAX;
  }
  const uint64_t cached = cached_bytes(group, v->cached);
  const uint64_t held = usage > cached ? usage - cached : 0;
  return limit > held ? limit - held : 0;
}

/* The group and all above it. */
static uint64_t groups_available(const struct version *v, const char *mounts, const char *group,
                                 int length) {
  char path[PATH_MAX];
  const size_t root = strlen(mounts) + strlen(v->folder);
  if (snprintf(path, sizeof path, "%s%s%.*s", mounts, v->folder, length, group) >=
      (int)sizeof path) {
    return UINT64_MAX;
  }
  uint64_t least = UINT64_MAX;
  while (true) {
    const uint64_t available = group_available(v, path);
    least = available < least ? available : least;
    char *slash = strrchr(path + root, '/');
    if (slash == NULL) {
      return least;
    }
    *slash = 0;
  }
}

/* One of the names between commas. */
static bool names_memory(const char *controllers, size_t length) {
  static const char memory[] = "memory";
  const size_t wanted = sizeof memory - 1;
  for (const char *at = controllers, *end = at + length; at < end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    const char *name_end = comma == NULL ? end : comma;
    if ((size_t)(name_end - at) == wanted && memcmp(at, memory, wanted) == 0) {
      return true;
    }
    at = name_end + 1;
  }
  return false;
}

/* Lines of "hierarchy:controllers:group"; that of version 2 names no controllers. */
uint64_t ghcdbg_cgroup_available(const char *mounts, const char *membership) {
  uint64_t least = UINT64_MAX;
  for (const char *line = membership; *line != 0;) {
    const size_t length = strcspn(line, "\n");
    const char *controllers = memchr(line, ':', length);
    const char *group = controllers == NULL ? NULL : strchr(++controllers, ':');
    if (group != NULL && group < line + length) {
      const size_t named = (size_t)(group++ - controllers);
      if (named == 0 || names_memory(controllers, named)) {
        const uint64_t available =
            groups_available(named == 0 ? &v2 : &v1, mounts, group, (int)(line + length - group));
        least = available < least ? available : least;
      }
    }
    line += length + (line[length] == '\n');
  }
  return least;
}
