/* A library for LD_PRELOAD, with which hours pass for a process in a moment. The file that
   SCRIBED_PASSING_TIME names has a number of seconds, in 8 bytes; by what it has grown since the
   process began, its steady clock is ahead. The time of day and that since the boot go along for a
   few minutes at most: a bucket refuses signatures of another hour. passing_time.py uses it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { most_of_day = 310 };

static const volatile long long *passed;
static long long at_start;

__attribute__((constructor)) static void open_file(void) {
  const char *name = getenv("SCRIBED_PASSING_TIME");
  const int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *passed, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return;
  passed = mapped;
  at_start = *passed;
}

static long long ahead(clockid_t clock) {
  const long long seconds = passed == NULL ? 0 : *passed - at_start;
  if (clock == CLOCK_MONOTONIC) return seconds;
  if (clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME) return 0;
  return seconds < most_of_day ? seconds : most_of_day;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const int result = real(clock, now);
  if (result == 0) now->tv_sec += ahead(clock);
  return result;
}

/* The kernel's clock ends the wait. */
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (real == NULL) {
    real = (int (*)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))dlsym(
        RTLD_NEXT, "pthread_cond_clockwait");
  }
  struct timespec theirs = *until;
  theirs.tv_sec -= ahead(clock);
  return real(condition, mutex, clock, &theirs);
}
