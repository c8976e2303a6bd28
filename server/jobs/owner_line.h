#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace server {

namespace asio = boost::asio;

// Lets one piece of work of each owner in at a time; others of the same owner wait in order. All
// calls are on the executor's thread.
class OwnerLine {
 public:
  explicit OwnerLine(asio::any_io_executor executor) : executor_(std::move(executor)) {}

  // Waits for this owner's turn, which ends when the token is released.
  asio::awaitable<std::shared_ptr<void>> enter(std::string owner);

 private:
  struct Waiting {
    asio::steady_timer* timer;  // owned by its coroutine
    bool is_in = false;
  };
  using Lines = std::map<std::string, std::list<Waiting*>>;

  // One who was let in lets the next in, and one who gives up leaves the line.
  class Place {
   public:
    Place(std::shared_ptr<Lines> lines, std::string owner, Waiting* waiting)
        : lines_(std::move(lines)), owner_(std::move(owner)), waiting_(waiting) {}
    Place(const Place&) = delete;
    ~Place();
    void is_let_in() { waiting_ = nullptr; }

   private:
    std::shared_ptr<Lines> lines_;
    std::string owner_;
    Waiting* waiting_;  // nullptr: it does not wait
  };

  asio::any_io_executor executor_;
  // Those who wait of each owner of whom one is in.
  std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
};

}  // namespace server
