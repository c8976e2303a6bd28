#include "engine/media/more_memory.h"

#include <unistd.h>  // also says whether the C library is glibc

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SCRIBED_REPLACES_MALLOC
#endif

#ifdef SCRIBED_REPLACES_MALLOC
#include <sys/resource.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "protocol/decoder_memory.h"

extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
}
#endif

namespace engine::media {

#ifdef SCRIBED_REPLACES_MALLOC
namespace {

// malloc has no argument for it. -1: there is nobody to ask, or no more to be had.
constinit int memory_report = -1;
constinit bool memory_was_asked_for = false;

// Returns whether an allocation of `size` bytes is worth another try, after a moment in which more
// memory may have been granted.
bool wait_for_memory(std::size_t size) {
  if (memory_report < 0) return false;
  struct rlimit data {};
  if (::getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur == data.rlim_max) {
    memory_report = -1;
    return true;
  }
  if (size >= data.rlim_max) return false;
  if (!memory_was_asked_for) {
    memory_was_asked_for = true;
    const std::string_view line = protocol::decoder::memory_wanted;
    if (::write(memory_report, line.data(), line.size()) < 0) memory_report = -1;
  }
  const timespec moment{.tv_sec = 0, .tv_nsec = 20'000'000};
  ::nanosleep(&moment, nullptr);
  return true;
}

template <class Allocate>
void* allocated(std::size_t size, Allocate allocate) {
  void* memory = allocate();
  while (memory == nullptr && errno == ENOMEM && wait_for_memory(size)) {
    errno = 0;
    memory = allocate();
  }
  return memory;
}

}  // namespace

bool ask_for_memory(int report_fd) {
  memory_report = report_fd;
  return true;
}
#else
bool ask_for_memory(int) {
  return false;
}
#endif

}  // namespace engine::media

#ifdef SCRIBED_REPLACES_MALLOC
// These take the place of glibc's own in this program and in its libraries (glibc's manual:
// "Replacing malloc"). free() stays glibc's, whose memory it is.
extern "C" {

void* malloc(std::size_t size) noexcept {
  return engine::media::allocated(size, [=] { return __libc_malloc(size); });
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return engine::media::allocated(bytes, [=] { return __libc_calloc(count, size); });
}

void* realloc(void* memory, std::size_t size) noexcept {
  if (memory != nullptr && size == 0) return __libc_realloc(memory, size);  // which frees
  return engine::media::allocated(size, [=] { return __libc_realloc(memory, size); });
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return engine::media::allocated(size, [=] { return __libc_memalign(alignment, size); });
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const got = memalign(alignment, size);
  if (got == nullptr) return ENOMEM;
  *memory = got;
  return 0;
}
}
#endif
