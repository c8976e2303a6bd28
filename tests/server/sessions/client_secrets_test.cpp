#include "server/sessions/client_secrets.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/server/run_coroutine.h"

namespace server {
namespace {

constexpr double today = 1'000'000;

ClientSecret secret_of(const std::string& maker, double ends = today + 600) {
  return {.maker = maker, .ends = ends, .session = R"({"type":"transcription"})"};
}

class ClientSecretsTest : public testing::Test {
 protected:
  Result<std::string> make(const ClientSecret& secret, double at = today) {
    return test::run(io, secrets.make(secret, at));
  }
  std::shared_ptr<const ClientSecret> find(const std::string& value, double at = today) const {
    return secrets.find(value, at).value();
  }

  asio::io_context io{};
  StoreCalls calls{open_session_store({}).value()};
  ClientSecrets secrets{calls};
};

TEST_F(ClientSecretsTest, AreFoundUntilTheyExpire) {
  const auto value = make(secret_of("ada"));
  ASSERT_TRUE(value);
  EXPECT_TRUE(value->starts_with("ek_"));
  EXPECT_GE(value->size(), 29U) << "26 characters of 5 random bits each";
  ASSERT_TRUE(find(*value, today + 599));
  EXPECT_EQ(find(*value, today + 599)->maker, "ada");
  EXPECT_FALSE(find(*value, today + 600));
  EXPECT_FALSE(find("ek_other"));
  EXPECT_FALSE(find(""));
}

TEST_F(ClientSecretsTest, AreAllDifferent) {
  std::set<std::string> values;
  for (int i = 0; i < 100; ++i) values.insert(*make(secret_of("ada")));
  EXPECT_EQ(values.size(), 100U);
}

TEST_F(ClientSecretsTest, OfOneMakerAreOnlySoManyAtOnce) {
  for (std::size_t i = 0; i < ClientSecrets::most_of_one; ++i) {
    ASSERT_TRUE(make(secret_of("ada")));
  }
  const auto one_more = make(secret_of("ada"));
  ASSERT_FALSE(one_more);
  EXPECT_EQ(one_more.error().code, errc::too_many_requests);
  EXPECT_TRUE(make(secret_of("bob")));
  EXPECT_TRUE(make(secret_of("ada", today + 900), today + 600)) << "the others have expired";
}

ClientSecret secret_of_adas_key() {
  ClientSecret secret = secret_of("ada");
  secret.key = hash_of_key("secret-key-of-ada");
  return secret;
}

TEST(PrincipalOfASecret, MayTranscribeAndNothingElse) {
  ApiKeys keys;
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe,manage] running_jobs=2"));
  const auto principal = principal_of(secret_of_adas_key(), keys, today);
  EXPECT_EQ(principal->name, "ada");
  EXPECT_EQ(principal->rights, Rights{Right::transcribe});
  EXPECT_EQ(principal->limits.running_jobs, 2);
}

// Another key of the same name does not keep it.
TEST(PrincipalOfASecret, EndsWithTheKeyThatMadeIt) {
  ApiKeys others;
  ASSERT_TRUE(others.add_lines("ada another-key-of-ada [transcribe]"));
  EXPECT_FALSE(principal_of(secret_of_adas_key(), others, today));
  ApiKeys fewer_rights;
  ASSERT_TRUE(fewer_rights.add_lines("ada secret-key-of-ada [read_status]"));
  EXPECT_FALSE(principal_of(secret_of_adas_key(), fewer_rights, today));
  ApiKeys ending;
  ASSERT_TRUE(ending.add_lines("ada secret-key-of-ada [transcribe] until=2027-01-31"));
  const auto principal = principal_of(secret_of_adas_key(), ending, today);
  ASSERT_TRUE(principal);
  EXPECT_FALSE(principal_of(secret_of_adas_key(), ending, principal->until.value() + 1));
}

TEST(PrincipalOfASecret, OfAServerWithoutKeysEndsWhenItHasSome) {
  EXPECT_TRUE(principal_of(secret_of("local"), ApiKeys(), today));
  ApiKeys keys;
  ASSERT_TRUE(keys.add_lines("local2 secret-key-of-ada [transcribe]"));
  EXPECT_FALSE(principal_of(secret_of("local"), keys, today));
}

}  // namespace
}  // namespace server
