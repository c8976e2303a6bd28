#pragma once

#include <unistd.h>

#include <array>
#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>

#include "platform/unique_fd.h"
#include "protocol/known_speaker.h"
#include "server/base/error.h"

namespace server::test {

// Stands for the decoder: the sound of a clip is its bytes, and "no sound" is none.
inline boost::asio::awaitable<Result<protocol::KnownSpeaker>> read_fake_clip(
    std::string name, platform::UniqueFd file) {
  std::array<char, 256> bytes{};
  const auto count = ::read(file.get(), bytes.data(), bytes.size());
  const std::string clip(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  if (clip == "no sound") co_return Error{protocol::unusable_clip, name + "'s is none", ""};
  co_return protocol::KnownSpeaker{std::move(name), clip};
}

}  // namespace server::test
