#include "engine/kernels/attention/attention_buffer.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace engine::kernels {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

AttentionBuffer::AttentionBuffer(std::size_t bytes) {
  const std::size_t alignment = bytes < huge_page ? cache_line : huge_page;
  bytes_ = (bytes + alignment - 1) / alignment * alignment;
  if (bytes_ == 0) return;
  memory_.reset(std::aligned_alloc(alignment, bytes_));
  if (!memory_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // Huge pages are only faster, so it does not matter if there are none.
  if (alignment == huge_page) madvise(memory_.get(), bytes_, MADV_HUGEPAGE);
#endif
  std::memset(memory_.get(), 0, bytes_);
}

}  // namespace engine::kernels
