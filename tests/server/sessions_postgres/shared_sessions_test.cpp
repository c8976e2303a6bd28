#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "server/sessions/client_secrets.h"
#include "server/sessions/sessions.h"
#include "server/sessions/shares.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/sessions/session_stores_under_test.h"

// Two daemons that share who has signed in, and links.
namespace server {
namespace {

constexpr double now = 1'000'000;
const KeyHash ada_key = hash_of_key("secret-key-of-ada");

// What one daemon knows.
struct Gateway {
  explicit Gateway(std::unique_ptr<SessionStore> store) : calls(std::move(store)) {
    calls.on_changes([this](const SessionChanges& changes) {
      if (changes.are_all) ++times_all;
      told += static_cast<int>(changes.ended_sessions.size());
    });
  }

  StoreCalls calls;
  Sessions sessions{calls, {}};
  Shares shares{calls, {}};
  ClientSecrets secrets{calls};
  int times_all = 0;  // how often it has read everything
  int told = 0;       // ends of sessions
};

class SharedSessionsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_test.why_not().empty()) GTEST_SKIP() << under_test.why_not();
    ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
    here.emplace(under_test.open());
    there.emplace(under_test.open());
  }

  std::string sign_in() { return test::run(io, here->sessions.begin(ada_key, "ada", now)).value(); }
  NewShare make_link() { return test::run(io, here->shares.add("job", "ada", 100, now)).value(); }
  std::string make_secret(double ends = now + 600) {
    ClientSecret secret{.maker = "ada", .key = ada_key, .ends = ends, .session = "{}"};
    return test::run(io, here->secrets.make(std::move(secret), now)).value();
  }
  Result<std::shared_ptr<const ClientSecret>> secret(Gateway& gateway, const std::string& value) {
    test::run(io, learned_secret(gateway, value));
    return gateway.secrets.find(value, now);
  }
  Result<Principal> caller(Gateway& gateway, const std::string& token) {
    test::run(io, learned(gateway, token));
    return gateway.sessions.find(token, keys, now);
  }
  Result<Share> reader(Gateway& gateway, const std::string& token) {
    test::run(io, learned_link(gateway, token));
    return gateway.shares.find(token, now);
  }
  Result<void> catch_up(Gateway& gateway) { return test::run(io, gateway.calls.catch_up()); }

  test::PostgresSessionsUnderTest under_test{};
  ApiKeys keys{};
  asio::io_context io{};
  std::optional<Gateway> here{}, there{};

 private:
  static asio::awaitable<int> learned(Gateway& gateway, std::string token) {
    co_await gateway.sessions.learn(token);
    co_return 0;
  }
  static asio::awaitable<int> learned_secret(Gateway& gateway, std::string value) {
    co_await gateway.secrets.learn(value);
    co_return 0;
  }
  static asio::awaitable<int> learned_link(Gateway& gateway, std::string token) {
    co_await gateway.shares.learn(token);
    co_return 0;
  }
};

TEST_F(SharedSessionsTest, WhoHasSignedInAtOneHasDoneSoAtAll) {
  ASSERT_TRUE(catch_up(*there)) << "it has looked before";
  const auto token = sign_in();
  const auto caller_there = caller(*there, token);
  ASSERT_TRUE(caller_there);
  EXPECT_EQ(caller_there->name, "ada");
  EXPECT_FALSE(caller(*there, token + "0"));
}

TEST_F(SharedSessionsTest, WhoHasSignedOutIsOutEverywhereAfterTheNextLook) {
  const auto token = sign_in();
  ASSERT_TRUE(caller(*there, token));
  ASSERT_TRUE(test::run(io, here->sessions.end(token)));
  EXPECT_TRUE(there->sessions.find(token, keys, now)) << "it has not looked since";
  ASSERT_TRUE(catch_up(*there));
  const auto out = there->sessions.find(token, keys, now);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, errc::unauthorized);
  EXPECT_EQ(there->told, 1);
  EXPECT_EQ(there->times_all, 1) << "only what has changed was read";
}

TEST_F(SharedSessionsTest, OneWhoNeverCameHereSignsOutHere) {
  const auto token = sign_in();
  ASSERT_TRUE(test::run(io, there->sessions.end(token)));
  ASSERT_TRUE(catch_up(*here));
  EXPECT_FALSE(here->sessions.find(token, keys, now));
}

TEST_F(SharedSessionsTest, ALinkIsReadAndListedAndEndedAnywhere) {
  const auto made = make_link();
  const auto read = reader(*there, made.token);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->job, "job");
  EXPECT_EQ(there->shares.of_job("job", "ada", now).size(), 1U);
  ASSERT_TRUE(test::run(io, there->shares.remove(made.share.id, "job", "ada")));
  ASSERT_TRUE(catch_up(*here));
  EXPECT_FALSE(here->shares.find(made.token, now));
  EXPECT_TRUE(here->shares.of_job("job", "ada", now).empty());
}

TEST_F(SharedSessionsTest, AClientSecretOpensSessionsAnywhere) {
  under_test.tables.set_now(now);
  ASSERT_TRUE(catch_up(*there)) << "it has looked before";
  const auto value = make_secret();
  const auto found = secret(*there, value).value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->maker, "ada");
  EXPECT_EQ(found->key, ada_key);
  EXPECT_EQ(found->ends, now + 600);
  EXPECT_EQ(found->session, "{}");
  EXPECT_FALSE(secret(*there, value + "0").value());
  EXPECT_FALSE(there->secrets.find(value, now + 600).value());
}

TEST_F(SharedSessionsTest, ClientSecretsThatHaveExpiredAreForgotten) {
  under_test.tables.set_now(now);
  make_secret(now + 10);
  under_test.tables.set_now(now + 20);
  make_secret(now + 600);
  postgres::Connection admin(under_test.tables.connection);
  admin.execute("SET search_path TO " + under_test.tables.settings.schema);
  EXPECT_EQ(admin.query("SELECT count(*) AS left FROM client_secrets")[0].integer("left"), 1);
}

// A daemon that makes none keeps those of others no longer.
TEST_F(SharedSessionsTest, ClientSecretsOfOthersAreForgottenToo) {
  under_test.tables.set_now(now);
  const auto value = make_secret();
  ASSERT_TRUE(secret(*there, value).value());
  there->secrets.remove_ended(now + 600);
  EXPECT_FALSE(there->secrets.find(value, now).value());
}

TEST_F(SharedSessionsTest, WithoutTheDatabaseAnUnknownClientSecretMayBeValid) {
  under_test.tables.set_now(now);
  const auto value = make_secret();
  under_test.tables.execute("ALTER TABLE page_state RENAME TO away");
  const auto unknown = secret(*there, value);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().code, errc::unauthorized);
  EXPECT_TRUE(secret(*here, value).value()) << "it is known there";
  ClientSecret another{.maker = "ada", .ends = now + 600, .session = "{}"};
  EXPECT_FALSE(test::run(io, here->secrets.make(std::move(another), now)));
}

TEST_F(SharedSessionsTest, WhereNothingEverChangedEverythingIsReadOnce) {
  for (int looks = 0; looks < 3; ++looks) ASSERT_TRUE(catch_up(*here));
  EXPECT_EQ(here->times_all, 1);
}

TEST_F(SharedSessionsTest, OneThatHasNotLookedForLongReadsEverythingAnew) {
  under_test.tables.set_now(now);
  const auto token = sign_in(), stays = sign_in();
  ASSERT_TRUE(caller(*there, token));
  ASSERT_TRUE(test::run(io, here->sessions.end(token)));
  under_test.tables.set_now(now + 7200);
  sign_in();  // forgets what ended long ago
  ASSERT_TRUE(catch_up(*there));
  EXPECT_EQ(there->times_all, 2);
  EXPECT_FALSE(there->sessions.find(token, keys, now));
  EXPECT_TRUE(there->sessions.find(stays, keys, now));
}

TEST_F(SharedSessionsTest, AKeyThatOneDaemonDoesNotKnowYetEndsNoSession) {
  const auto token = sign_in();
  ApiKeys others;
  ASSERT_TRUE(others.add_lines("bob secret-key-of-bob"));
  ASSERT_TRUE(caller(*there, token));
  ASSERT_TRUE(test::run(io, there->sessions.remove_ended(others, now)));
  ASSERT_TRUE(catch_up(*here));
  EXPECT_TRUE(here->sessions.find(token, keys, now));
}

// Nobody is signed out by a database that is away, and nobody gets in whom only it knows.
TEST_F(SharedSessionsTest, WithoutTheDatabaseTheKnownStayAndOthersAreToldToTryAgain) {
  const auto token = sign_in();
  under_test.tables.execute("ALTER TABLE page_state RENAME TO away");
  EXPECT_FALSE(catch_up(*here));
  EXPECT_TRUE(here->sessions.find(token, keys, now));
  const auto unknown = caller(*there, token);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().code, errc::unauthorized);
  under_test.tables.execute("ALTER TABLE away RENAME TO page_state");
  EXPECT_TRUE(caller(*there, token));
}

TEST_F(SharedSessionsTest, TokensAreKeptAsHashesAlone) {
  const auto token = sign_in();
  const auto link = make_link().token;
  const auto value = make_secret();
  postgres::Connection admin(under_test.tables.connection);
  admin.execute("SET search_path TO " + under_test.tables.settings.schema);
  const auto rows = admin.query(
      "SELECT count(*) AS found FROM (SELECT page_sessions::text AS row FROM page_sessions UNION "
      "ALL SELECT page_shares::text FROM page_shares UNION "
      "ALL SELECT client_secrets::text FROM client_secrets) AS all_rows "
      "WHERE row LIKE '%' || $1 || '%' OR row LIKE '%' || $2 || '%' OR row LIKE '%' || $3 || '%'",
      token, link, value);
  EXPECT_EQ(rows[0].integer("found"), 0);
}

}  // namespace
}  // namespace server
