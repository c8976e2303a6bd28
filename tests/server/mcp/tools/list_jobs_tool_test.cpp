#include <set>
#include <vector>

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

class ListJobsTool : public test::ToolsFixture {
 protected:
  std::vector<std::string> listed(const Json& arguments) {
    std::vector<std::string> ids;
    const Json jobs_of_page = call_tool("list_jobs", arguments)["structuredContent"]["jobs"];
    for (const Json& job : jobs_of_page) {
      ids.push_back(job["job"].get<std::string>());
    }
    return ids;
  }
};

TEST_F(ListJobsTool, NamesTheNewestFirstAndGoesOnBehindAJob) {
  const std::string first = start(), second = start(), third = start();
  EXPECT_EQ(listed(Json::object()), (std::vector{third, second, first}));
  EXPECT_EQ(listed({{"limit", 2}}), (std::vector{third, second}));
  EXPECT_EQ(listed({{"limit", 2}, {"before", second}}), std::vector{first});
}

TEST_F(ListJobsTool, ALineIsAJob) {
  const std::string id = start();
  transcribe_next(said(1));
  const Json result = call_tool("list_jobs", Json::object());
  EXPECT_TRUE(text_of(result).starts_with("1 job, the newest first")) << text_of(result);
  EXPECT_EQ(block_of(result, 1), id + " done \"talk.mp3\"\n");
  EXPECT_EQ(result["structuredContent"]["jobs"][0]["title"], "talk.mp3");
}

TEST_F(ListJobsTool, SaysThatThereAreNone) {
  start();
  context.name = "bob";
  EXPECT_EQ(text_of(call_tool("list_jobs", Json::object())), "There are no jobs.");
  EXPECT_TRUE(listed(Json::object()).empty());
}

TEST_F(ListJobsTool, WhatDoesNotFitIntoAResultIsNamedByTheNextOne) {
  make_tools({.wait = std::chrono::seconds(0), .result_bytes = 4000});
  for (int i = 0; i < 20; ++i) start();
  std::set<std::string> all;
  std::string before;
  for (int calls = 0; calls < 20; ++calls) {
    const Json result = call_tool("list_jobs", {{"limit", 20}, {"before", before}});
    EXPECT_LE(result.dump().size(), 4000U);
    const Json& structured = result["structuredContent"];
    for (const auto& job : structured["jobs"]) all.insert(job["job"].get<std::string>());
    if (!structured.contains("next_step")) break;
    before = structured["jobs"].back()["job"];
    EXPECT_NE(structured["next_step"].get<std::string>().find(before), std::string::npos);
  }
  EXPECT_EQ(all.size(), 20U);
}

TEST_F(ListJobsTool, RefusesAPageThatCannotBe) {
  for (const Json& arguments :
       {Json{{"limit", 0}}, Json{{"limit", 101}}, Json{{"before", "none"}}}) {
    EXPECT_TRUE(is_error(call_tool("list_jobs", arguments))) << arguments;
  }
}

}  // namespace
}  // namespace server
