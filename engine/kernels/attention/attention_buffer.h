#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace engine::kernels {

// Memory that is zeroed and aligned to cache lines, or to huge pages and made of them where it is
// that large: keys and values are read from front to back at the speed of the memory.
class AttentionBuffer {
 public:
  AttentionBuffer() = default;
  explicit AttentionBuffer(std::size_t bytes);

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_.get());
  }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(void* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace engine::kernels
