#include "server/api/socket_keys.h"

#include <gtest/gtest.h>

#include <string>

namespace server {
namespace {

http::fields socket_offering(const std::string& subprotocols) {
  http::fields headers;
  headers.set(http::field::upgrade, "websocket");
  headers.set(http::field::sec_websocket_protocol, subprotocols);
  return headers;
}

TEST(SocketKeys, AreReadFromTheSubprotocolsOfEachInterface) {
  struct Row {
    const char* offered;
    const char* answer;
    const char* key;
  };
  for (const Row& row :
       {Row{"token, my-key", "token", "my-key"}, Row{"bearer,my-key", "bearer", "my-key"},
        Row{"realtime, openai-insecure-api-key.my-key", "realtime", "my-key"},
        Row{"realtime, openai-insecure-api-key.k, openai-beta.realtime-v1", "realtime", "k"},
        Row{"realtime", "realtime", ""}, Row{"token", "", ""}, Row{"token, one, two", "", ""},
        Row{"my-key, token", "", ""}, Row{"chat", "", ""}, Row{" , ,", "", ""}, Row{"", "", ""}}) {
    const auto found = offered_subprotocols(socket_offering(row.offered));
    EXPECT_EQ(found.answer, row.answer) << row.offered;
    EXPECT_EQ(found.key, row.key) << row.offered;
  }
}

TEST(SocketKeys, OfSeveralFieldsAreOneList) {
  auto headers = socket_offering("token");
  headers.insert(http::field::sec_websocket_protocol, "my-key");
  EXPECT_EQ(offered_subprotocols(headers).key, "my-key");
}

class SocketKeysOfAda : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]")); }

  bool knows(const http::fields& headers) const {
    const auto principal = authenticate(keys, headers);
    return principal && principal->name == "ada";
  }

  ApiKeys keys;
};

TEST_F(SocketKeysOfAda, CountAsTheFieldAuthorizationDoes) {
  EXPECT_TRUE(knows(socket_offering("token, secret-key-of-ada")));
  EXPECT_TRUE(knows(socket_offering("realtime, openai-insecure-api-key.secret-key-of-ada")));
  EXPECT_FALSE(knows(socket_offering("token, secret-key-of-bob")));
  EXPECT_FALSE(knows(socket_offering("token")));
  for (const char* value :
       {"Token secret-key-of-ada", "token secret-key-of-ada", "Bearer secret-key-of-ada"}) {
    http::fields headers;
    headers.set(http::field::authorization, value);
    EXPECT_TRUE(knows(headers)) << value;
  }
}

TEST_F(SocketKeysOfAda, AreNoWayAroundAWrongKeyOrForOrdinaryRequests) {
  auto headers = socket_offering("token, secret-key-of-ada");
  headers.set(http::field::authorization, "Bearer secret-key-of-bob");
  EXPECT_FALSE(knows(headers));
  headers.erase(http::field::authorization);
  EXPECT_TRUE(knows(headers));
  headers.erase(http::field::upgrade);
  EXPECT_FALSE(knows(headers));
}

TEST(SocketKeysOfNobody, AreNotAskedForByAnOpenServer) {
  EXPECT_EQ(authenticate(ApiKeys(), socket_offering("token, any"))->name, "local");
}

}  // namespace
}  // namespace server
