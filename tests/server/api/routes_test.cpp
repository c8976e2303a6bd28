#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "server/api/route.h"

namespace server {
namespace {

// A link to a job is opened by its token; /v1/session says who asks, and lets them sign in.
TEST(Routes, OnlyWhatTellsNothingOrAsksForATokenIsOpen) {
  std::set<std::string_view> open;
  for (const auto& route : routes()) {
    const bool is_link = route.path.starts_with("/v1/shares/{token}");
    EXPECT_TRUE(!is_link || route.method == http::verb::get) << route.path;
    if (route.access == Access::open && !is_link) open.insert(route.path);
  }
  EXPECT_EQ(open, (std::set<std::string_view>{"/", "/.well-known/oauth-protected-resource",
                                              "/.well-known/oauth-protected-resource/mcp",
                                              "/app/{path}", "/docs", "/docs/{path}", "/health",
                                              "/livez", "/openapi.json", "/readyz", "/v1/proof",
                                              "/v1/session", "/v1/uploads", "/v1/uploads/{id}"}));
}

TEST(Routes, OnlyWhatChangesForEverybodyNeedsTheRightToManage) {
  std::set<std::string_view> managed;
  for (const auto& route : routes()) {
    if (route.access == Access::manage) managed.insert(route.path);
  }
  EXPECT_EQ(managed,
            (std::set<std::string_view>{"/load", "/v1/config/reload", "/v1/models/{model}",
                                        "/v1/models/{model}/load", "/v1/models/{model}/pull",
                                        "/v1/models/{model}/unload"}));
}

TEST(Routes, OnlyTheBackupTellsWhatEverybodyHasSaid) {
  for (const auto& route : routes()) {
    EXPECT_EQ(route.access == Access::back_up, route.path == "/v1/backup") << route.path;
  }
}

// If two rows match a path, only the first is ever taken.
TEST(Routes, EveryRowIsReached) {
  for (const auto& route : routes()) {
    std::string path(route.path);
    if (const auto open = path.find('{'); open != path.npos) {
      path.replace(open, path.find('}') + 1 - open, "x");
    }
    EXPECT_EQ(find_route(routes(), route.method, path).route, &route) << path;
  }
}

TEST(Routes, APlaceholderForSlashesIsTheOnlyOneOfItsPattern) {
  for (const auto& route : routes()) {
    const auto names = placeholders_of(route.path);
    for (const auto name : names) {
      if (name == "path" || name == "model") {
        EXPECT_EQ(names.size(), 1U) << route.path;
      }
    }
  }
}

TEST(Routes, EachSaysWhatItIsFor) {
  for (const auto& route : routes()) {
    EXPECT_FALSE(route.summary.empty()) << route.path;
    EXPECT_NE(route.handler, nullptr) << route.path;
  }
}

}  // namespace
}  // namespace server
