#include "server/models/curl_handle.h"

#include <gtest/gtest.h>

namespace server {
namespace {

struct Address {
  const char* url;
  const char* shown;
};

TEST(CurlHandle, MessagesShowNoLogin) {
  for (const auto& [url, shown] : {
           Address{"https://host/simple/a/", "https://host/simple/a/"},
           Address{"https://user:token@host/simple/a/", "https://host/simple/a/"},
           Address{"http://token@host:8080/a?k=1", "http://host:8080/a?k=1"},
           Address{"http://user:p%40ss@host/a@1.whl", "http://host/a@1.whl"},
           Address{"user:token@host/a", "http://host/a"},
           Address{"http://user:to ken@host/a", "host/a"},
           Address{"no address", "no address"},
       }) {
    EXPECT_EQ(without_login(url), shown) << url;
  }
}

TEST(CurlHandle, ErrorsShowNoLogin) {
  const std::string url = "http://user:token@host/a";
  for (const StoreError& error :
       {curl_error(url, CURLE_COULDNT_CONNECT), status_error(url, 403), status_error(url, 404)}) {
    EXPECT_EQ(error.message.find("token"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("http://host/a"), std::string::npos) << error.message;
  }
}

}  // namespace
}  // namespace server
