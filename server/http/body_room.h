#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <string>

#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

// The memory that bodies of requests and messages of live clients take together while they are
// held. An owner may have half of what the others leave, so nobody can take all of it and an owner
// who comes later finds some. It is used on one thread.
class BodyRoom {
 public:
  // So many bytes of each body do not count, so that small requests never wait. The limits of
  // connections and requests bound them.
  static constexpr std::size_t free_bytes = 64 * 1024;

  // The room of one body. All of it is given back at the end of this object.
  class Share {
   public:
    // `room` must outlive this object.
    explicit Share(BodyRoom& room) : room_(room) {}
    Share(const Share&) = delete;
    ~Share() { room_.give_back(owner_, held_); }

    // Takes room for so many bytes in all, or gives back what is more. Only taking waits, and no
    // longer than `patience`. Errors: too_many_requests, where the owner has his share; overloaded.
    asio::awaitable<Result<void>> hold(std::string owner, std::size_t bytes);

   private:
    BodyRoom& room_;
    std::string owner_{};
    std::size_t held_ = 0;
  };

  BodyRoom(std::size_t bytes, std::chrono::milliseconds patience)
      : bytes_(bytes), patience_(patience) {}

  // Sets how much there is. Bodies that are held stay.
  void set_bytes(std::size_t bytes) { bytes_ = bytes; }
  std::size_t held() const { return all_; }

 private:
  class Listed;

  bool has_room(const std::string& owner, std::size_t bytes) const;
  std::size_t held_by(const std::string& owner) const;
  asio::awaitable<Result<void>> take(std::string owner, std::size_t bytes);
  asio::awaitable<bool> wait_for_room(std::string owner, std::size_t bytes);
  void give_back(const std::string& owner, std::size_t bytes);

  std::size_t bytes_;
  std::chrono::milliseconds patience_;
  std::size_t all_ = 0;
  std::map<std::string, std::size_t> of_owner_{};  // only owners who hold some
  std::list<asio::steady_timer*> waiting_{};       // cancelled when there is more room
};

}  // namespace server
