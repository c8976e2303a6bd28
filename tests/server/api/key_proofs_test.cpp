#include <string>

#include "server/http/key_proof.h"
#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using test::FakeExchange;

constexpr char nonce[] = "00112233445566778899aabbccddeeff";
constexpr char key[] = "secret-key-of-ada";

class KeyProofs : public test::ApiFixture {
 protected:
  FakeExchange challenge(const std::string& id, const std::string& number = nonce) {
    FakeExchange exchange(http::verb::get, "/v1/proof");
    exchange.queries = {{"key_id", id}, {"nonce", number}};
    return exchange;
  }
  const std::string adas = key_id(hash_of_key(key));
};

TEST_F(KeyProofs, AreOfKeysThatTheServerKnows) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  auto exchange = challenge(adas);
  EXPECT_EQ(json_of(ask(exchange)),
            (nlohmann::json{{"keys_required", true},
                            {"proofs", {key_proof(hash_of_key(key), nonce, "127.0.0.1:8080")}}}));
  auto other = challenge("0000");
  EXPECT_EQ(json_of(ask(other)),
            (nlohmann::json{{"keys_required", true}, {"proofs", nlohmann::json::array()}}));
}

TEST_F(KeyProofs, AreNoneOfAServerWithoutKeys) {
  auto exchange = challenge(adas);
  EXPECT_EQ(json_of(ask(exchange)),
            (nlohmann::json{{"keys_required", false}, {"proofs", nlohmann::json::array()}}));
}

TEST_F(KeyProofs, AreForClientsOfThisMachineAlone) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  for (const char* address : {"192.0.2.1:8080", "172.17.0.2:8080", "[fe80::1]:80", ""}) {
    auto exchange = challenge(adas);
    exchange.own_address = address;
    EXPECT_EQ(status_of(ask(exchange)), 403U) << address;
  }
  for (const char* field : {"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"}) {
    auto exchange = challenge(adas);
    exchange.fields.set(field, "192.0.2.1");
    EXPECT_EQ(status_of(ask(exchange)), 403U) << field;
  }
  auto proxied = challenge(adas);
  proxied.fields.set("Host", "voice.example");
  EXPECT_EQ(status_of(ask(proxied)), 403U);
  for (const char* host : {"localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080"}) {
    auto exchange = challenge(adas);
    exchange.fields.set("Host", host);
    EXPECT_EQ(status_of(ask(exchange)), 200U) << host;
  }
  auto exchange = challenge(adas);
  exchange.own_address = "[::1]:8080";
  EXPECT_EQ(status_of(ask(exchange)), 200U);
}

TEST_F(KeyProofs, AreAskedForInOneForm) {
  for (const std::string id : {"", "12", "12345"}) {
    auto exchange = challenge(id);
    EXPECT_EQ(status_of(ask(exchange)), 400U) << id;
  }
  for (const std::string number : {"", "00", "zz112233445566778899aabbccddeeff"}) {
    auto exchange = challenge(adas, number);
    EXPECT_EQ(status_of(ask(exchange)), 400U) << number;
  }
}

TEST_F(KeyProofs, AreNotGuessedAt) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada"));
  for (int i = 0; i < 5; ++i) {
    auto wrong = challenge("000" + std::to_string(i));
    EXPECT_EQ(status_of(ask(wrong)), 200U);
  }
  auto exchange = challenge(adas);
  EXPECT_EQ(status_of(ask(exchange)), 429U) << "a right id would be learnt";
}

}  // namespace
}  // namespace server
