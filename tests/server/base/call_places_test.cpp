#include "server/base/call_places.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <vector>

namespace server {
namespace {

using Place = std::shared_ptr<CallPlaces::Place>;

// Calls of owners, in the order in which they got their places.
class CallPlacesTest : public testing::Test {
 protected:
  void call(const std::string& owner) {
    asio::co_spawn(io_, wait(owner), asio::detached);
    io_.restart();
    io_.poll();
  }
  void end_first() {
    running_.erase(running_.begin());
    io_.restart();
    io_.poll();
  }

  static constexpr int most = 4;

  asio::io_context io_;
  std::shared_ptr<CallPlaces> places_ = std::make_shared<CallPlaces>(3, 2);
  std::vector<std::string> begun_{};
  std::vector<std::string> refused_{};
  std::vector<Place> running_{};

 private:
  asio::awaitable<void> wait(std::string owner) {
    auto waiting = place_for(places_, owner, most);
    auto place = co_await std::move(waiting);
    if (!place) {
      refused_.push_back(place.error().code);
      co_return;
    }
    begun_.push_back(owner);
    running_.push_back(*std::move(place));
  }
};

using Owners = std::vector<std::string>;

TEST_F(CallPlacesTest, OneOwnerDoesNotGetAllPlaces) {
  for (int i = 0; i < 3; ++i) call("bob");
  EXPECT_EQ(begun_, (Owners{"bob", "bob"}));
  call("eve");
  EXPECT_EQ(begun_, (Owners{"bob", "bob", "eve"}));
  end_first();
  EXPECT_EQ(begun_, (Owners{"bob", "bob", "eve", "bob"}));
}

TEST_F(CallPlacesTest, TooManyOfOneOwnerAreRefused) {
  for (int i = 0; i < most; ++i) call("bob");
  EXPECT_EQ(places_->calls_of("bob"), most);
  call("bob");
  EXPECT_EQ(refused_, Owners{errc::too_many_requests});
  call("eve");
  EXPECT_EQ(begun_.back(), "eve");
  EXPECT_EQ(places_->calls_of("bob"), most);
}

}  // namespace
}  // namespace server
