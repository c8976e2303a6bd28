#include "engine/live/live_listener.h"

#include <poll.h>

#include <array>
#include <chrono>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "engine/audio/pcm_pipe.h"

namespace engine {
namespace {

constexpr std::size_t block_samples = 16'384;  // a pipe holds no more
constexpr int stop_check_ms = 100;
// A wish that was sent before the sound ended may come so much later: it takes another way.
constexpr int last_wish_ms = 20;

// Waits until there is sound, or the end of it, and returns true; or returns false where something
// else has come or is wanted.
bool wait_for_sound(int pipe, int news) {
  std::array<pollfd, 2> entries{{{pipe, POLLIN, 0}, {news, POLLIN, 0}}};
  return ::poll(entries.data(), entries.size(), stop_check_ms) > 0 && entries[0].revents != 0;
}

bool wait_for_news(int news) {
  pollfd entry{news, POLLIN, 0};
  return ::poll(&entry, 1, last_wish_ms) > 0;
}

}  // namespace

LiveListener::LiveListener(LiveInput input, LiveWishes& wishes, std::stop_token stop)
    : pipe_(input.pipe),
      live_(std::move(input.live)),
      wishes_(wishes),
      stop_(std::move(stop)),
      turns_(std::move(input.listen), pieces_, std::move(input.tell)),
      thread_([this](const std::stop_token& ended) { run(ended); }) {}

void LiveListener::run(const std::stop_token& stop) {
  try {
    if (const auto heard = listen(stop); !heard) pieces_.fail(heard.error());
  } catch (const std::exception& error) {
    pieces_.fail({Errc::internal, std::string("listening has failed: ") + error.what(), ""});
  }
}

Result<void> LiveListener::listen(const std::stop_token& stop) {
  if (auto configured = turns_.configure(live_); !configured) return configured;
  std::vector<float> block(block_samples);
  for (bool at_end = false; !at_end;) {
    if (!pieces_.wait_for_room(stop) || stop.stop_requested()) return {};
    if (wait_for_sound(pipe_, wishes_.news())) {
      const auto count = read_samples(pipe_, block, 1, stop);
      if (!count) return count.error();
      at_end = *count == 0;
      turns_.push(std::span(block).first(*count));
    }
    pace_.came(turns_.heard(), std::chrono::steady_clock::now());
    if (auto held = hold_wishes(); !held) return held;
    turns_.advance();
  }
  while (wait_for_news(wishes_.news())) {
    if (auto held = hold_wishes(); !held) return held;
  }
  turns_.finish();
  return {};
}

Result<void> LiveListener::hold_wishes() {
  wishes_.quiet();
  while (const auto wish = wishes_.take_until(turns_.heard())) {
    if (auto applied = turns_.apply(*wish); !applied) return applied;
  }
  if (!wishes_.overflowed()) return {};
  return Error{Errc::invalid_option,
               "more than " + std::to_string(LiveWishes::most) +
                   " commits and changes wait for earlier audio",
               "Send fewer of them, or send audio in real time."};
}

}  // namespace engine
