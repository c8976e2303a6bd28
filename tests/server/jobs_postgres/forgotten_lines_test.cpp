// Nodes that come back after a day, when their names and lines are being forgotten.

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>

#include "server/jobs_postgres/nodes.h"
#include "server/jobs_postgres/turns.h"
#include "tests/server/jobs_postgres/two_daemons.h"

namespace server {
namespace {

using postgres::Connection;
using postgres::Step;
using postgres::Transaction;

constexpr double lease_s = 15;

// `back` is the connection of a node with the name "away", `housekeeper` that of another one, which
// has forgotten that node and now removes what belongs to nobody.
class ForgottenLines : public test::TwoDaemons {
 protected:
  void forget_node() { under_.execute("DELETE FROM nodes WHERE name = 'away'"); }
  void leave_and_be_forgotten() {
    begin();
    forget_node();
  }
  void begin() {
    postgres::Session(under_.connection).transact([](Step& step) {
      return postgres::begin_node(step, "away", lease_s);
    });
  }
  void forget() {
    postgres::Session(under_.connection).transact([](Step& step) {
      postgres::forget_past_turns(step);
      return true;
    });
  }
  bool has_line() {
    Connection reader(under_.connection);
    reader.execute("SET search_path TO " + under_.settings.schema);
    return !reader.query("SELECT 1 FROM lines WHERE place = 'away'").empty();
  }
};

TEST_F(ForgottenLines, ANodeThatIsForgottenLeavesNoLine) {
  begin();
  forget();
  EXPECT_TRUE(has_line());
  forget_node();
  forget();
  EXPECT_FALSE(has_line());
}

TEST_F(ForgottenLines, ANodeThatIsAboutToComeBackKeepsItsLine) {
  leave_and_be_forgotten();
  Connection back(under_.connection);
  Transaction coming(back, under_.connection);
  Step step(back);
  postgres::begin_node(step, "away", lease_s);
  forget();
  coming.commit();
  EXPECT_TRUE(has_line());
}

TEST_F(ForgottenLines, ANodeThatComesBackWhileItsLineIsRemovedHasANewOne) {
  leave_and_be_forgotten();
  Connection housekeeper(under_.connection);
  Transaction forgetting(housekeeper, under_.connection);
  Step step(housekeeper);
  postgres::forget_past_turns(step);
  auto back = std::async(std::launch::async, [this] { begin(); });
  back.wait_for(std::chrono::milliseconds(100));
  forgetting.commit();
  back.get();
  EXPECT_TRUE(has_line());
}

TEST_F(ForgottenLines, ANodeHasALineWheneverItComesBack) {
  for (int i = 0; i < 200; ++i) {
    leave_and_be_forgotten();
    {
      const std::jthread housekeeper([this] { forget(); });
      begin();
    }
    ASSERT_TRUE(has_line()) << "in round " << i;
  }
}

}  // namespace
}  // namespace server
