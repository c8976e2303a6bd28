#include "server/api/route.h"

#include <gtest/gtest.h>

#include <array>

namespace server {
namespace {

struct Row {
  http::verb method;
  const char* path;
  const char* pattern;  // "": none
  const char* id = "";
};

TEST(Route, FindsTheHandlerByMethodAndPath) {
  const Row table[] = {
      {http::verb::get, "/livez", "/livez"},
      {http::verb::head, "/livez", "/livez"},
      {http::verb::get, "/v1/jobs", "/v1/jobs"},
      {http::verb::get, "/v1/jobs/abc", "/v1/jobs/{id}", "abc"},
      {http::verb::get, "/v1/jobs/abc/events", "/v1/jobs/{id}/events", "abc"},
      {http::verb::post, "/v1/models/large-v3/load", "/v1/models/{model}/load", "large-v3"},
      {http::verb::get, "/v1/models/base", "/v1/models/{model}", "base"},
      {http::verb::get, "/v1/models/org/base", "/v1/models/{model}", "org/base"},
      {http::verb::delete_, "/v1/models/a/b/c", "/v1/models/{model}", "a/b/c"},
      {http::verb::post, "/v1/models/org/base/load", "/v1/models/{model}/load", "org/base"},
      {http::verb::post, "/v1/models/org/base/unload", "/v1/models/{model}/unload", "org/base"},
      {http::verb::post, "/v1/models/org/base/pull", "/v1/models/{model}/pull", "org/base"},
      {http::verb::delete_, "/v1/models/org/base/pull", "/v1/models/{model}/pull", "org/base"},
      {http::verb::get, "/v1/models/org/base/report", "/v1/models/{model}/report", "org/base"},
      {http::verb::get, "/v1/models/load", "/v1/models/{model}", "load"},
      {http::verb::post, "/v1/models//load", ""},
      {http::verb::get, "/v1/models/", ""},
      {http::verb::get, "/v1/models/org/", ""},
      {http::verb::get, "/docs/style.css", "/docs/{path}", "style.css"},
      {http::verb::get, "/docs/a/b.css", "/docs/{path}", "a/b.css"},
      {http::verb::get, "/docs/", ""},
      {http::verb::get, "/", "/"},
      {http::verb::get, "//", ""},
      {http::verb::get, "/v1/jobs/", ""},
      {http::verb::get, "/v1/jobs//events", ""},
      {http::verb::get, "/v1/jobs/a/b", ""},
      {http::verb::get, "/v1/jobs/a/b/events", ""},
      {http::verb::get, "/livez/x", ""},
      {http::verb::get, "/livez/", ""},
  };
  for (const auto& row : table) {
    const auto match = find_route(routes(), row.method, row.path);
    ASSERT_EQ(match.route != nullptr, *row.pattern != '\0') << row.path;
    if (match.route) {
      EXPECT_EQ(match.route->path, row.pattern);
    }
    EXPECT_EQ(match.id, row.id);
  }
}

TEST(Route, KnowsWhichMethodsAPathHas) {
  const auto match = find_route(routes(), http::verb::put, "/v1/jobs");
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.pattern, "/v1/jobs");
  EXPECT_EQ(match.allowed, (std::vector<std::string>{"POST", "GET"}));
}

TEST(Route, TheMostTextBehindAPlaceholderForSlashesSaysWhichPatternIsMeant) {
  const auto match = find_route(routes(), http::verb::get, "/v1/models/org/base/load");
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.pattern, "/v1/models/{model}/load");
  EXPECT_EQ(match.allowed, std::vector<std::string>{"POST"});
}

TEST(Route, APatternTellsWhatItsBracesHold) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(placeholders_of("/v1/jobs/{id}/events"), (Names{"id"}));
  EXPECT_EQ(placeholders_of("/v1/jobs/{id}/shares/{share}"), (Names{"id", "share"}));
  EXPECT_EQ(placeholders_of("/docs/{path}"), (Names{"path"}));
  EXPECT_EQ(placeholders_of("/livez"), Names{});
}

TEST(Route, APatternMayHaveTwoPlaceholders) {
  const std::array table{
      Route{http::verb::get, "/a/{id}/b/{part}/c", Access::open, nullptr, "", ""}};
  const auto match = find_route(table, http::verb::get, "/a/1/b/2/c");
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.id, "1");
  EXPECT_EQ(match.part, "2");
  for (const auto* path : {"/a/1/b/2", "/a/1/b//c", "/a/1/b/2/c/", "/a/1/2/b/c", "/a//b/2/c"}) {
    EXPECT_EQ(find_route(table, http::verb::get, path).route, nullptr) << path;
  }
}

}  // namespace
}  // namespace server
