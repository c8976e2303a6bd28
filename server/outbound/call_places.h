#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace server {

namespace asio = boost::asio;

// A few places for calls that may take long. Owners take turns, and one of them does not get all of
// the places, so that receivers of one that are slow on purpose do not hold up the calls of others.
// On one thread.
class CallPlaces {
 public:
  CallPlaces(int places, int most_of_one) : free_(places), most_of_one_(most_of_one) {}

  // Calls of that owner, those that wait for their turn included.
  int calls_of(const std::string& owner) const;

  // The place of one call, from the end of turn() until it goes.
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
    std::int64_t last_begun = 0;  // counted in calls
  };

  void grant();

  int free_;
  int most_of_one_;
  std::int64_t last_number_ = 0;
  std::map<std::string, Owner> owners_{};  // those with calls
};

}  // namespace server
