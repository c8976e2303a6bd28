#include <cstdlib>

#include "tests/server/mcp/tools/models_fixture.h"

namespace server {
namespace {

using mcp::Json;

class LoadModelTool : public test::ModelTools {};

TEST_F(LoadModelTool, SaysWhereTheModelIsWhenItIsLoaded) {
  const Json result = call_tool("load_model", Json::object());
  ASSERT_FALSE(is_error(result)) << result;
  EXPECT_EQ(result["structuredContent"]["name"], "base");
  EXPECT_EQ(result["structuredContent"]["device"], "cpu");
  EXPECT_EQ(result["structuredContent"]["is_loading"], false);
  EXPECT_TRUE(text_of(result).starts_with("Model base on cpu")) << text_of(result);
  ASSERT_EQ(workers.loaded().size(), 1U);
}

TEST_F(LoadModelTool, KeepsTheModelAsLongAsIsWanted) {
  call_tool("load_model", {{"keep_alive", "-1"}});
  ASSERT_EQ(workers.loaded().size(), 1U);
  EXPECT_FALSE(workers.loaded()[0].expires_in) << "for ever";
  call_tool("load_model", {{"keep_alive", "1h"}});
  EXPECT_GT(workers.loaded()[0].expires_in.value(), std::chrono::minutes(59));
}

TEST_F(LoadModelTool, AModelThatTakesLongerThanACallGoesOnLoading) {
  ::setenv("SCRIBED_FAKE_WORKER", "silent_start", 1);
  make_tools_for({.wait = std::chrono::seconds(1)});
  const Json result = call_tool("load_model", Json::object());
  ::unsetenv("SCRIBED_FAKE_WORKER");
  ASSERT_FALSE(is_error(result)) << result;
  EXPECT_EQ(result["structuredContent"]["is_loading"], true);
  EXPECT_NE(text_of(result).find("It continues in the background"), std::string::npos)
      << text_of(result);
  ASSERT_EQ(workers.loaded().size(), 1U);
  EXPECT_TRUE(workers.loaded()[0].is_loading);
}

TEST_F(LoadModelTool, RefusesWhatItCannotLoadAndSaysWhatToDo) {
  for (const Json& arguments : {Json{{"model", "none"}}, Json{{"keep_alive", "soon"}},
                                Json{{"model", 7}}, Json{{"device", "cuda"}}}) {
    EXPECT_TRUE(is_error(call_tool("load_model", arguments))) << arguments;
  }
  EXPECT_TRUE(workers.loaded().empty());
}

TEST_F(LoadModelTool, NeedsTheRightToManage) {
  make_tools_for({.may = [](const std::string&, Right right) { return right != Right::manage; }});
  for (const char* tool : {"load_model", "unload_model"}) {
    const Json result = call_tool(tool, {{"model", "base"}});
    EXPECT_TRUE(is_error(result)) << tool;
    EXPECT_NE(text_of(result).find("This key lacks the right manage."), std::string::npos) << tool;
  }
  EXPECT_FALSE(is_error(call_tool("status", Json::object())));
  EXPECT_TRUE(workers.loaded().empty());
}

}  // namespace
}  // namespace server
