#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/error.h"

namespace engine {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

[[noreturn]] inline void damaged(const std::string& what) {
  throw Exception({Errc::damaged_model, "[weights] " + what,
                   "Fetch the model again; if that does not help, convert it again."});
}

[[noreturn]] inline void refused(const std::string& what, std::string fix) {
  throw Exception({Errc::refused_model, "[weights] " + what, std::move(fix)});
}

template <class T>
T load_unaligned(const std::byte* from) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A cursor over bytes from outside. A read beyond the end throws damaged_model before anything is
// allocated or touched.
class ByteReader {
 public:
  // `what` names the data in errors: "model.bin", "data.pkl".
  ByteReader(std::span<const std::byte> bytes, std::string_view what)
      : bytes_(bytes), what_(what) {}

  std::span<const std::byte> take(std::size_t count) {
    if (count > remaining()) {
      damaged(what_ + ": truncated: needs " + std::to_string(count) + " bytes at offset " +
              std::to_string(offset_) + " of " + std::to_string(bytes_.size()));
    }
    const auto part = bytes_.subspan(offset_, count);
    offset_ += count;
    return part;
  }

  template <class T>
  T read() {
    return load_unaligned<T>(take(sizeof(T)).data());
  }

  std::string_view text(std::size_t count) { return as_text(take(count)); }

  // Returns the next bytes without moving on; `count` is at most remaining().
  std::span<const std::byte> peek(std::size_t count) const {
    return bytes_.subspan(offset_, count);
  }

  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
  std::string what_;
};

}  // namespace engine
