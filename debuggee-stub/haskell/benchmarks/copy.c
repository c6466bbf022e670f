/* usage: copy SOCKET
 *
 * Pauses a debuggee and copies its blocks as plainly as C can: over the socket, then out of the
 * process's memory. Prints GB/s of each: the measure for what the Java client makes of it.
 *
 *   cc -O2 -o copy copy.c
 *
 * Docs: ../../../docs/protocol-extensions.md. */
#define _GNU_SOURCE
#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { HELLO = 0x100, PAUSE2 = 0x103, BLOCK_LIST = 0x108, BLOCK_CONTENTS = 0x109, RESUME = 3 };
enum { CONTINUES = 1, DESCRIPTOR_BYTES = 32, PIECE = 4 << 20 };

static int server;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void take(void *to, size_t bytes) {
  for (char *at = to; bytes > 0;) {
    const ssize_t got = read(server, at, bytes);
    if (got <= 0) {
      die("read");
    }
    at += got;
    bytes -= (size_t)got;
  }
}

static void ask(uint32_t command, const void *payload, uint32_t bytes) {
  unsigned char frame[64];
  const uint32_t header[2] = {htobe32(4 + bytes), htobe32(command)};
  memcpy(frame, header, sizeof header);
  if (bytes > 0) {
    memcpy(frame + sizeof header, payload, bytes);
  }
  if (write(server, frame, sizeof header + bytes) != (ssize_t)(sizeof header + bytes)) {
    die("write");
  }
}

/* Takes an answer; the caller frees it. */
static char *answer(size_t *bytes) {
  char *all = NULL;
  size_t size = 0, room = 0;
  uint16_t status;
  do {
    unsigned char header[6];
    uint32_t length;
    take(header, sizeof header);
    memcpy(&length, header, sizeof length);
    memcpy(&status, header + 4, sizeof status);
    length = be32toh(length);
    status = be16toh(status);
    if (size + length > room) {
      room = 2 * (size + length);
      all = realloc(all, room);
      if (all == NULL) {
        die("realloc");
      }
    }
    take(all + size, length);
    size += length;
  } while (status == CONTINUES);
  if (status != 0) {
    fprintf(stderr, "copy: status 0x%04x\n", status);
    exit(1);
  }
  *bytes = size;
  return all;
}

static void say(const char *path, size_t bytes, double seconds) {
  printf("%s %.2f GB/s, %.1f ms, %zu bytes\n", path, (double)bytes / seconds / 1e9, seconds * 1e3,
         bytes);
}

int main(int argc, char **argv) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const unsigned char hold[12] = {0};
  size_t bytes;
  if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path) {
    fprintf(stderr, "usage: copy SOCKET\n");
    return 2;
  }
  strcpy(address.sun_path, argv[1]);
  server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
    die(argv[1]);
  }
  ask(HELLO, NULL, 0);
  free(answer(&bytes));
  ask(PAUSE2, hold, sizeof hold);
  free(answer(&bytes));

  /* Twice: the first time the kernel hands out the memory that is copied to. */
  for (int round = 0; round < 2; round++) {
    const double start = now();
    ask(BLOCK_CONTENTS, NULL, 0);
    char *contents = answer(&bytes);
    if (round == 1) {
      say("socket", bytes, now() - start);
    }
    free(contents);
  }

  const double asked = now();
  ask(BLOCK_LIST, NULL, 0);
  char *list = answer(&bytes);
  printf("list %zu, %.1f ms\n", bytes / DESCRIPTOR_BYTES, (now() - asked) * 1e3);
  const size_t groups = bytes / DESCRIPTOR_BYTES;
  struct ucred peer;
  socklen_t length = sizeof peer;
  char path[64];
  if (getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
    die("SO_PEERCRED");
  }
  snprintf(path, sizeof path, "/proc/%d/mem", peer.pid);
  const int memory = open(path, O_RDONLY | O_CLOEXEC);
  if (memory < 0) {
    die(path);
  }
  size_t total = 0;
  for (size_t i = 0; i < groups; i++) {
    uint64_t group_bytes;
    memcpy(&group_bytes, list + i * DESCRIPTOR_BYTES + 8, sizeof group_bytes);
    total += group_bytes;
  }
  char *copy = malloc(total);
  if (copy == NULL) {
    die("malloc");
  }
  for (int round = 0; round < 2; round++) {
    const double start = now();
    size_t at = 0;
    for (size_t i = 0; i < groups;) {
      uint64_t first, end, next[2];
      memcpy(next, list + i * DESCRIPTOR_BYTES, sizeof next);
      first = next[0];
      end = first + next[1];
      for (i++; i < groups; i++) {
        memcpy(next, list + i * DESCRIPTOR_BYTES, sizeof next);
        if (next[0] != end) {
          break;
        }
        end += next[1];
      }
      while (first < end) {
        const size_t want = end - first < PIECE ? end - first : PIECE;
        const ssize_t got = pread(memory, copy + at, want, (off_t)first);
        if (got <= 0) {
          die(path);
        }
        first += (uint64_t)got;
        at += (size_t)got;
      }
    }
    if (round == 1) {
      say("memory", total, now() - start);
    }
  }
  ask(RESUME, NULL, 0);
  free(answer(&bytes));
  free(copy);
  free(list);
  return 0;
}
