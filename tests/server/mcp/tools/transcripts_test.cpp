#include "server/mcp/tools/transcripts.h"

#include <memory>
#include <utility>
#include <vector>

#include "server/base/call_places.h"
#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

class Transcripts : public test::ToolsFixture {};

TEST_F(Transcripts, FinishedJobsAreResourcesInSeveralFormats) {
  const std::string id = start();
  transcribe_next(said(1));
  const Json list = std::get<Json>(answer(mcp::ListResources{}));
  ASSERT_EQ(list["resources"].size(), 1u);
  EXPECT_EQ(list["resources"][0]["uri"], "transcript://" + id);
  for (const auto& [ending, part] :
       {std::pair{"", "hello"}, {".srt", "-->"}, {".vtt", "WEBVTT"}, {".json", "\"segments\""}}) {
    const Json read =
        std::get<Json>(answer(mcp::ReadResource{.uri = "transcript://" + id + ending}));
    EXPECT_NE(read["contents"][0]["text"].get<std::string>().find(part), std::string::npos);
  }
  for (const auto& uri : {"transcript://" + id + ".exe", std::string("transcript://none"),
                          std::string("file:///etc/passwd")}) {
    EXPECT_TRUE(
        std::holds_alternative<protocol::jsonrpc::Error>(answer(mcp::ReadResource{.uri = uri})))
        << uri;
  }
}

TEST_F(Transcripts, OneTooLongForAnAnswerIsRefusedAndSaysWhatPagesIt) {
  const std::string id = start();
  transcribe_next(said(5, std::string(1 << 20, 'a')));
  const auto outcome = answer(mcp::ReadResource{.uri = "transcript://" + id});
  ASSERT_TRUE(std::holds_alternative<protocol::jsonrpc::Error>(outcome));
  const auto& error = std::get<protocol::jsonrpc::Error>(outcome);
  EXPECT_EQ(error.code, protocol::jsonrpc::invalid_params);
  EXPECT_NE(error.message.find("get_job with job=\"" + id + "\""), std::string::npos);
}

TEST_F(Transcripts, WordsWithTimesCountInJson) {
  const std::string id = start();
  auto spoken = said(1);
  spoken[0].words.assign(110'000, {0, 1, " a", 0.5, 1});
  transcribe_next(std::move(spoken));
  EXPECT_TRUE(std::holds_alternative<protocol::jsonrpc::Error>(
      answer(mcp::ReadResource{.uri = "transcript://" + id + ".json"})));
  EXPECT_TRUE(std::holds_alternative<Json>(answer(mcp::ReadResource{.uri = "transcript://" + id})));
}

TEST_F(Transcripts, ThePageBehindAnUnknownTranscriptIsNone) {
  const auto outcome = answer(mcp::ListResources{.cursor = "none"});
  ASSERT_TRUE(std::holds_alternative<protocol::jsonrpc::Error>(outcome));
  EXPECT_EQ(std::get<protocol::jsonrpc::Error>(outcome).code, protocol::jsonrpc::invalid_params);
}

TEST_F(Transcripts, ListsTakeTurnsWithThoseOfJobs) {
  std::vector<std::unique_ptr<CallPlaces::Place>> taken;
  for (int i = 0; i < Services::most_lists_of_one; ++i) {
    taken.push_back(std::make_unique<CallPlaces::Place>(services.lists, context.principal(),
                                                        io.get_executor()));
  }
  EXPECT_TRUE(std::holds_alternative<protocol::jsonrpc::Error>(answer(mcp::ListResources{})));
  taken.pop_back();
  taken.resize(1);  // the owner's other place is free
  EXPECT_TRUE(std::holds_alternative<Json>(answer(mcp::ListResources{})));
}

}  // namespace
}  // namespace server
