#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

// A few places for calls that may take long. Owners take turns, and one owner does not get all of
// the places, so that the slow receivers of one owner do not hold up the calls of others. It is
// used on one thread.
class CallPlaces {
 public:
  CallPlaces(int places, int most_of_one) : free_(places), most_of_one_(most_of_one) {}

  // Returns the number of that owner's calls, including those that wait for their turn.
  int calls_of(const std::string& owner) const;

  // The place of one call. It is held from the end of turn() until this object is destroyed.
  class Place {
   public:
    Place(std::shared_ptr<CallPlaces> places, std::string owner, asio::any_io_executor executor);
    Place(const Place&) = delete;
    ~Place();

    asio::awaitable<void> turn();

   private:
    friend class CallPlaces;

    std::shared_ptr<CallPlaces> places_;
    std::string owner_;
    asio::steady_timer granted_;  // cancelled when it is this call's turn
    bool is_granted_ = false;
    std::int64_t number_;
  };

 private:
  struct Owner {
    std::deque<Place*> waiting{};
    int running = 0;
    std::int64_t last_begun = 0;  // the number of the call
  };

  void grant();

  int free_;
  int most_of_one_;
  std::int64_t last_number_ = 0;
  std::map<std::string, Owner> owners_{};  // only owners with calls
};

// Waits for the turn of a call; its place is free again when what this returns is destroyed. The
// error is too_many_requests: `most` calls of that owner run or wait already.
asio::awaitable<Result<std::shared_ptr<CallPlaces::Place>>> place_for(
    std::shared_ptr<CallPlaces> places, std::string owner, int most);

}  // namespace server
