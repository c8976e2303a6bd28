// A server that hangs, rows that others hold, and databases that are not as scribed makes them.

#include "server/jobs_postgres/connection.h"

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "server/jobs_postgres/session.h"
#include "tests/server/jobs_postgres/cutting_proxy.h"
#include "tests/server/jobs_postgres/two_daemons.h"

namespace server {
namespace {

using postgres::Failure;
using postgres::Session;
using postgres::Step;
using std::chrono::milliseconds;

class ConnectionTest : public test::TwoDaemons {
 protected:
  void SetUp() override {
    TwoDaemons::SetUp();
    if (IsSkipped()) return;
    proxy_.emplace(test::PostgresCluster::instance().folder());
    connection_ = {.address = proxy_->address(),
                   .schema = settings_.schema,
                   .connect_timeout = std::chrono::seconds(2),
                   .lock_timeout = milliseconds(20),
                   .answer_timeout = milliseconds(1000)};
  }
  void TearDown() override { proxy_.reset(); }
  static bool ask(Step& step) { return !step.query("SELECT 1").empty(); }
  template <class Work>
  static std::optional<Failure> failure_of(Session& session, const Work& work) {
    try {
      session.transact(work);
      return std::nullopt;
    } catch (const Failure& failure) {
      return failure;
    }
  }

  std::optional<test::CuttingProxy> proxy_{};
  postgres::ConnectionSettings connection_{};
};

TEST_F(ConnectionTest, AServerThatHangsIsLost) {
  Session session(connection_);
  EXPECT_TRUE(session.transact(ask));
  proxy_->hang();
  const auto lost = failure_of(session, ask);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->kind(), Failure::Kind::lost);
  proxy_->hang(false);
  bool answers = false;
  for (int i = 0; i < 1000 && !answers; ++i) {
    std::this_thread::sleep_for(milliseconds(20));
    answers = !failure_of(session, ask);
  }
  EXPECT_TRUE(answers);
}

TEST_F(ConnectionTest, ACommitThatHangsIsInDoubt) {
  Session session(connection_);
  const auto doubt = failure_of(session, [&](Step& step) {
    const bool asked = ask(step);
    proxy_->hang();
    return asked;
  });
  ASSERT_TRUE(doubt);
  EXPECT_EQ(doubt->kind(), Failure::Kind::in_doubt);
}

TEST_F(ConnectionTest, MuchIsSentToAServerThatTakesLittleAtATime) {
  connection_.answer_timeout = std::chrono::seconds(30);
  Session session(connection_);
  const std::string much(20'000'000, 'x');
  const auto length = [&](Step& step) {
    return step.query("SELECT length($1::text) AS length", much)[0].integer("length");
  };
  EXPECT_EQ(session.transact(length), 20'000'000);
}

TEST_F(ConnectionTest, ARowThatAnotherHoldsIsAConflict) {
  const std::string id = add().id;
  Session other(under_.connection), session(connection_);
  other.transact([&](Step& held) {
    held.query("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE", id);
    const auto busy = failure_of(session, [&](Step& step) {
      step.query("DELETE FROM jobs WHERE id = $1", id);
      return true;
    });
    EXPECT_TRUE(busy && busy->kind() == Failure::Kind::conflict);
    return true;
  });
}

TEST_F(ConnectionTest, ADatabaseOfAnotherEncodingIsRefused) {
  under_.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
  auto settings = settings_;
  settings.address = test::PostgresCluster::instance().address() + " dbname=latin";
  const auto refused = open_postgres_job_store(settings).error();
  EXPECT_EQ(refused.code, errc::bad_config);
  EXPECT_NE(refused.message.find("LATIN1"), std::string::npos);
  under_.execute("DROP DATABASE latin");
}

TEST_F(ConnectionTest, AUserWhoWasGivenTheSchemaNeedsNoOther) {
  auto settings = settings_;
  settings.schema = test::PostgresUnderTest::next_schema();
  settings.address += " user=limited";
  under_.execute("CREATE ROLE limited LOGIN");
  EXPECT_FALSE(open_postgres_job_store(settings));
  under_.execute("CREATE SCHEMA " + settings.schema + " AUTHORIZATION limited");
  EXPECT_TRUE(open_postgres_job_store(settings));
  under_.execute("DROP SCHEMA " + settings.schema + " CASCADE; DROP ROLE limited");
}

}  // namespace
}  // namespace server
