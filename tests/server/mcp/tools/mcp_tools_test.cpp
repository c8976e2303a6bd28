#include "server/mcp/tools/mcp_tools.h"

#include <algorithm>
#include <set>

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

class Tools : public test::ToolsFixture {
 protected:
  // Returns the part of a tool's answer that its output schema does not allow; empty: none.
  std::string misfit(const std::string& tool, const Json& arguments) {
    const Json result = call_tool(tool, arguments);
    EXPECT_FALSE(is_error(result)) << result;
    const Json schema = tools->features().find_tool(tool)->output_schema;
    const Json& structured = result["structuredContent"];
    for (const auto& [name, value] : structured.items()) {
      if (!schema["properties"].contains(name)) return name + " is not described";
    }
    for (const auto& name : schema["required"]) {
      if (!structured.contains(name.get<std::string>())) return name.dump() + " is missing";
    }
    return "";
  }
};

TEST_F(Tools, AnswerWhatTheirSchemasPromise) {
  const std::string path = sounds / "talk.mp3", id = start();
  EXPECT_EQ(misfit("transcribe", {{"path", path}}), "");
  EXPECT_EQ(misfit("transcribe", {{"path", path}, {"format", "srt"}}), "");
  EXPECT_EQ(misfit("get_job", {{"job", id}}), "");
  transcribe_next(said(3));
  EXPECT_EQ(misfit("get_job", {{"job", id}}), "");
  EXPECT_EQ(misfit("get_job", {{"job", id}, {"format", "vtt"}}), "");
  EXPECT_EQ(misfit("get_job", {{"job", id}, {"output_file", (sounds / "a.txt").string()}}), "");
  for (const char* tool : {"list_jobs", "list_models", "status"}) {
    EXPECT_EQ(misfit(tool, Json::object()), "") << tool;
  }
  EXPECT_EQ(misfit("search_transcripts", {{"query", "hello"}}), "");
  EXPECT_EQ(misfit("search_transcripts", {{"query", "nobody"}}), "");
  EXPECT_EQ(misfit("cancel_job", {{"job", id}}), "");
  EXPECT_EQ(misfit("unload_model", {{"model", "base"}}), "");
}

// Everything that a client is told before it calls anything.
std::string told_by(const mcp::Features& features) {
  std::string told = features.instructions;
  for (const auto& tool : features.tools) told += tool.description + tool.input_schema.dump();
  for (const auto& prompt : features.prompts) told += prompt.name;
  return told;
}

TEST_F(Tools, NothingIsToldOfThatIsNotAllowed) {
  const auto is_told = [this](ToolSettings settings, const std::string& part) {
    make_tools_as(std::move(settings));
    return told_by(tools->features()).find(part) != std::string::npos;
  };
  for (const char* part : {"\"path\"", "\"url\"", "\"upload\"", "output_file", "make_subtitles"}) {
    EXPECT_FALSE(is_told({}, part)) << part;
  }
  const ToolSettings own{.folders = {"/srv/calls"}, .may_write = true};
  for (const char* part : {"\"path\"", "output_file", "make_subtitles", "/srv/calls"}) {
    EXPECT_TRUE(is_told(own, part)) << part;
  }
  EXPECT_FALSE(is_told(own, "\"upload\""));
  for (const char* part : {"\"url\"", "\"upload\"", "/v1/uploads"}) {
    EXPECT_TRUE(is_told({.may_fetch = true, .takes_uploads = true}, part)) << part;
  }
}

// So that a mistaken argument is told and not passed over.
TEST_F(Tools, TakeNoOtherArgumentsThanTheyDescribe) {
  EXPECT_EQ(tools->features().tools.size(), 11U);
  for (const auto& tool : tools->features().tools) {
    EXPECT_EQ(tool.input_schema["additionalProperties"], false) << tool.name;
    for (const auto& needed : tool.input_schema.value("required", Json::array())) {
      EXPECT_TRUE(tool.input_schema["properties"].contains(needed.get<std::string>()));
    }
    EXPECT_TRUE(is_error(call_tool(tool.name, {{"no_such_argument", 1}}))) << tool.name;
  }
}

TEST_F(Tools, OthersSeeNothingOfAJob) {
  const std::string id = start();
  context.name = "bob";
  EXPECT_TRUE(is_error(call_tool("get_job", {{"job", id}})));
  EXPECT_TRUE(is_error(call_tool("cancel_job", {{"job", id}})));
  EXPECT_EQ(call_tool("list_jobs", Json::object())["structuredContent"]["jobs"].size(), 0u);
  EXPECT_TRUE(std::holds_alternative<protocol::jsonrpc::Error>(
      answer(mcp::ReadResource{.uri = "transcript://" + id})));
}

TEST_F(Tools, EachNeedsItsRight) {
  std::set<Right> asked_for;
  make_tools({.may = [&](const std::string& principal, Right right) {
    EXPECT_EQ(principal, "ada");
    asked_for.insert(right);
    return false;
  }});
  for (const auto& tool : tools->features().tools) {
    EXPECT_TRUE(is_error(call_tool(tool.name, Json::object()))) << tool.name;
  }
  EXPECT_EQ(asked_for, (std::set{Right::transcribe, Right::read_status, Right::manage}));
}

}  // namespace
}  // namespace server
