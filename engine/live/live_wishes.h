#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <variant>

#include "platform/unique_fd.h"
#include "protocol/live_options.h"

namespace engine {

namespace live {

struct Commit {};
struct Clear {};

// A client wants something behind `sample` samples of its session: the turn at hand to end, the
// sound since the last turn to be forgotten, or other settings.
struct Wish {
  std::int64_t sample = 0;
  std::variant<Commit, Clear, protocol::LiveSettings> what{};
};

}  // namespace live

// The wishes of a session that do not hold yet, in the order of their samples. One thread adds them
// while another takes them.
class LiveWishes {
 public:
  static constexpr std::size_t most = 1000;

  LiveWishes();

  // Beyond `most` waiting ones nothing is added, and overflowed() tells so from then on.
  void add(live::Wish wish);

  // Returns the next wish, if it holds at `sample` or before.
  std::optional<live::Wish> take_until(std::int64_t sample);

  bool overflowed() const;

  // Returns a descriptor that is readable from add() on until quiet() is called; -1 where there is
  // none, which poll(2) skips: a wish is then found when the next sound comes.
  int news() const { return news_.get(); }
  void quiet();

 private:
  platform::UniqueFd news_;  // an eventfd, which Linux alone has
  mutable std::mutex mutex_;
  std::deque<live::Wish> waiting_{};  // guarded by mutex_, as the next
  bool overflowed_ = false;
};

}  // namespace engine
