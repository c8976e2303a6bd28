#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace server {

// A decoder at work, and how much of the processor it has used.
struct DecoderAtWork {
  std::string owner{};
  std::chrono::nanoseconds used{0};
  bool gives_way = false;
};

// Returns the places of the decoders that have to give way: of each owner's long ones all but the
// first two, which come first.
std::vector<std::size_t> decoders_to_give_way(const std::vector<DecoderAtWork>& decoders);

// Watches decoders, and lets an owner's long ones give way to those of others and to the workers:
// whoever has many of them would else have most of the processor. It is used on one thread.
class DecoderTurns : public std::enable_shared_from_this<DecoderTurns> {
  struct Watched {
    pid_t pid;
    std::string owner;
    bool gives_way = false;
  };

 public:
  // A decoder is watched until its object is destroyed, which it must be before the process is
  // reaped.
  class Watch {
   public:
    Watch(const Watch&) = delete;
    ~Watch();

   private:
    friend class DecoderTurns;
    Watch(std::shared_ptr<DecoderTurns> turns, std::list<Watched>::iterator place)
        : turns_(std::move(turns)), place_(place) {}

    std::shared_ptr<DecoderTurns> turns_;
    std::list<Watched>::iterator place_;
  };

  std::unique_ptr<Watch> watch(const boost::asio::any_io_executor& executor, pid_t pid,
                               std::string owner);

 private:
  void look_later();
  void look();

  std::list<Watched> watched_{};  // in the order in which they were started
  std::optional<boost::asio::steady_timer> timer_{};
};

}  // namespace server
