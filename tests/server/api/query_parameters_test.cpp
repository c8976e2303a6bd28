#include "server/api/query_parameters.h"

#include <gtest/gtest.h>

#include "server/options/line_options.h"
#include "tests/server/api/fake_exchange.h"

namespace server {
namespace {

FormProblem check(http::verb method, const char* path, Headers queries) {
  test::FakeExchange exchange(method, path);
  exchange.queries = std::move(queries);
  return check_query(*find_route(routes(), method, path).route, exchange);
}

TEST(QueryParameters, OfARouteAreTaken) {
  EXPECT_FALSE(check(http::verb::get, "/v1/jobs", {{"limit", "5"}, {"status", "done"}}));
  EXPECT_FALSE(check(http::verb::head, "/v1/jobs", {{"q", ""}}));
  EXPECT_FALSE(check(http::verb::get, "/v1/jobs/x/transcript", {{"format", "srt"}}));
  EXPECT_FALSE(check(http::verb::get, "/v1/models", {}));
}

TEST(QueryParameters, OfSubtitlesAreTheSameEverywhere) {
  const auto described = [](std::string_view path) {
    std::vector<std::pair<std::string_view, std::string_view>> found;
    for (const auto& parameter : query_parameters()) {
      const bool is_of_lines = is_line_option(parameter.name) || parameter.name == "subtitle_style";
      if (parameter.path != path || !is_of_lines) continue;
      found.emplace_back(parameter.name, parameter.description);
    }
    return found;
  };
  const auto of_jobs = described("/v1/jobs/{id}/transcript");
  EXPECT_EQ(of_jobs.size(), line_options.size() + 1);
  EXPECT_EQ(described("/v1/shares/{token}/transcript"), of_jobs);
  EXPECT_EQ(described("/asr"), of_jobs);
  EXPECT_FALSE(check(http::verb::get, "/v1/shares/x/transcript", {{"max_words_per_line", "3"}}));
}

TEST(QueryParameters, ThatNobodyKnowsAreNamedWithThoseThatThereAre) {
  const auto problem = check(http::verb::get, "/v1/jobs", {{"limit", "5"}, {"state", "done"}});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->parameter, "state");
  EXPECT_EQ(problem->error.code, errc::unknown_parameter);
  EXPECT_NE(problem->error.fix.find("limit, after, status"), std::string::npos);
  EXPECT_EQ(check(http::verb::get, "/v1/jobs/x", {{"limit", "5"}})->parameter, "limit");
  EXPECT_EQ(check(http::verb::get, "/v1/catalog", {{"limit", "5"}})->parameter, "limit");
}

TEST(QueryParameters, OfAFormBelongIntoItsBody) {
  const auto problem = check(http::verb::post, "/v1/jobs", {{"status", "done"}});
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->error.fix.find("body"), std::string::npos);
}

TEST(QueryParameters, AreGivenOnce) {
  const auto problem = check(http::verb::get, "/v1/jobs", {{"limit", "5"}, {"limit", "6"}});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->error.code, errc::usage);
}

TEST(QueryParameters, OfFeaturesThatOtherServicesHaveAreNotLookedAt) {
  EXPECT_FALSE(check(http::verb::get, "/v1/realtime", {{"call_id", "1"}}));
  EXPECT_FALSE(check(http::verb::get, "/v1/listen", {{"smart_format", "true"}}));
}

TEST(QueryParameters, OfModelsAreIgnored) {
  EXPECT_FALSE(check(http::verb::get, "/v1/models", {{"limit", "1"}, {"limit", "2"}}));
  EXPECT_FALSE(check(http::verb::get, "/v1/models/org/base", {{"x", ""}}));
  EXPECT_TRUE(check(http::verb::post, "/v1/models/base/load", {{"keep_alive", "5m"}}));
}

TEST(QueryParameters, OfProbesAreNotLookedAt) {
  EXPECT_FALSE(check(http::verb::get, "/livez", {{"t", "1"}}));
}

}  // namespace
}  // namespace server
