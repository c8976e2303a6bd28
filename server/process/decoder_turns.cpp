#include "server/process/decoder_turns.h"

#include <sys/resource.h>

#include <ctime>
#include <map>
#include <utility>

namespace server {
namespace {

// Clips and most recordings are decoded in less.
constexpr std::chrono::seconds long_time{2};
constexpr int most_of_an_owner = 2;
constexpr std::chrono::seconds look_every{1};
constexpr int gives_way_niceness = 15;

// Returns how much of the processor a process has used; 0 where the system does not tell.
std::chrono::nanoseconds used_by([[maybe_unused]] pid_t pid) {
#if defined(__APPLE__)
  return {};
#else
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
#endif
}

}  // namespace

std::vector<std::size_t> decoders_to_give_way(const std::vector<DecoderAtWork>& decoders) {
  std::vector<std::size_t> places;
  std::map<std::string, int> long_ones;
  for (std::size_t place = 0; place < decoders.size(); ++place) {
    const DecoderAtWork& decoder = decoders[place];
    if (decoder.gives_way || decoder.used < long_time) continue;
    if (++long_ones[decoder.owner] > most_of_an_owner) places.push_back(place);
  }
  return places;
}

DecoderTurns::Watch::~Watch() {
  turns_->watched_.erase(place_);
  if (turns_->watched_.empty()) turns_->timer_.reset();
}

std::unique_ptr<DecoderTurns::Watch> DecoderTurns::watch(
    const boost::asio::any_io_executor& executor, pid_t pid, std::string owner) {
  const auto place = watched_.insert(watched_.end(), {pid, std::move(owner)});
  if (!timer_) {
    timer_.emplace(executor);
    look_later();
  }
  return std::unique_ptr<Watch>(new Watch(shared_from_this(), place));
}

void DecoderTurns::look_later() {
  timer_->expires_after(look_every);
  timer_->async_wait([self = weak_from_this()](const boost::system::error_code& failure) {
    const auto turns = self.lock();
    if (!failure && turns && turns->timer_) turns->look();
  });
}

void DecoderTurns::look() {
  std::vector<DecoderAtWork> decoders;
  for (const Watched& one : watched_)
    decoders.push_back({one.owner, used_by(one.pid), one.gives_way});
  const auto places = decoders_to_give_way(decoders);
  auto next = places.begin();
  std::size_t place = 0;
  for (Watched& one : watched_) {
    if (next == places.end()) break;
    if (place++ != *next) continue;
    one.gives_way = true;
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(one.pid), gives_way_niceness);
    ++next;
  }
  look_later();
}

}  // namespace server
