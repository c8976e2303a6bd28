#include "server/config/known_variables.h"

#include <gtest/gtest.h>

#include "server/config/load_config.h"
#include "server/config/settings_table.h"

namespace server {
namespace {

UnknownVariable judged(const std::string& name) {
  const auto unknown = unknown_variables({name});
  EXPECT_EQ(unknown.size(), 1U) << name;
  return unknown.empty() ? UnknownVariable() : unknown.front();
}

TEST(KnownVariables, AreThoseOfSettingsAndAFewMore) {
  std::vector<std::string> names{"SCRIBED_CONFIG", "SCRIBED_SERVER", "SCRIBED_CPU", "HOME",
                                 "SCRIBEDX",       "HF_TOKEN",       "PATH"};
  for (const Setting& setting : settings()) names.push_back(environment_name(setting));
  EXPECT_TRUE(unknown_variables(names).empty());
}

TEST(KnownVariables, AWrongNameIsToldWithTheNearestOne) {
  EXPECT_EQ(judged("SCRIBED_SERVER_LISTN").nearest, "SCRIBED_SERVER_LISTEN");
  EXPECT_EQ(judged("SCRIBED_ALLOW_ANYONE").nearest, "SCRIBED_SERVER_ALLOW_ANYONE");
  EXPECT_EQ(judged("SCRIBED_URL").nearest, "");
  EXPECT_EQ(judged("SCRIBED_").nearest, "");
  EXPECT_EQ(judged("SCRIBED_" + std::string(1 << 20, 'X')).nearest, "");
  EXPECT_EQ(text_of(judged("SCRIBED_API_KY")),
            "SCRIBED_API_KY is set, and scribed does not know it. Did you mean SCRIBED_API_KEY?");
  EXPECT_EQ(text_of(judged("SCRIBED_URL")),
            "SCRIBED_URL is set, and scribed does not know it. See: scribed config example");
}

TEST(KnownVariables, WhatMayBeMeantAsAKeyResemblesOne) {
  for (const char* name : {"SCRIBED_API_KY", "SCRIBED_APIKEY", "SCRIBED_API_KEYS", "SCRIBED_KEY",
                           "SCRIBED_API_KEY_FILE", "SCRIBED_KEY_FILE", "SCRIBED_SERVER_KEYFILE",
                           "SCRIBED_SERVER_API_KEY", "SCRIBED_SECRET_KEY"}) {
    EXPECT_TRUE(judged(name).resembles_key) << name;
  }
  for (const char* name : {"SCRIBED_SERVER_LISTN", "SCRIBED_URL"}) {
    EXPECT_FALSE(judged(name).resembles_key) << name;
  }
}

TEST(KnownVariables, OfKubernetesAreNobodysMistake) {
  EXPECT_TRUE(unknown_variables({"SCRIBED_SERVICE_HOST", "SCRIBED_SERVICE_PORT",
                                 "SCRIBED_SERVICE_PORT_HTTP", "SCRIBED_PORT",
                                 "SCRIBED_PORT_8080_TCP", "SCRIBED_PORT_8080_TCP_ADDR",
                                 "SCRIBED_GATEWAY_SERVICE_HOST", "SCRIBED_GATEWAY_PORT"})
                  .empty());
  EXPECT_EQ(unknown_variables({"SCRIBED_PORTS", "SCRIBED_PORT_NUMBER"}).size(), 2U);
}

TEST(KnownVariables, AWrongNameOfAKeyIsInTheConfiguration) {
  ConfigSources sources{.environment = [](const char*) { return std::string(); },
                        .names = [] { return std::vector<std::string>{"SCRIBED_APIKEY"}; },
                        .system_file = "/nowhere"};
  EXPECT_EQ(load_config(sources)->unknown_key_variable, "SCRIBED_APIKEY");
  EXPECT_EQ(load_config(sources)->meant_key_variable, "SCRIBED_API_KEY");
}

}  // namespace
}  // namespace server
