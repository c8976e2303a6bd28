#include "server/mcp/tools/sound_source.h"

#include "server/inputs/url_fetcher.h"
#include "tests/server/mcp/tools/tools_fixture.h"
#include "tests/server/outbound/loopback_server.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class SoundSources : public test::ToolsFixture {};

TEST_F(SoundSources, RefusalsTellHowToCallThemRightly) {
  struct Case {
    Json arguments;
    const char* part;
  };
  const std::string path = (sounds / "talk.mp3").string();
  for (const auto& c :
       {Case{Json::object(), "exactly one of path, url, upload and audio_base64"},
        Case{{{"path", path}, {"upload", "x"}}, "exactly one of"},
        Case{{{"path", "/etc/passwd"}}, "outside the folders"},
        Case{{{"path", (sounds / "none.mp3").string()}}, "none.mp3"},
        Case{{{"path", path}, {"timestamps", "letter"}}, "one of: none, segment, word"},
        Case{{{"path", path}, {"language", "klingon"}}, "'klingon' is not a language"},
        Case{{{"path", path}, {"beam", 5}}, "There is no argument beam"},
        Case{{{"url", "https://example.org/a.mp3"}}, "does not fetch addresses"},
        Case{{{"upload", "upload://none"}}, "There is no such upload"},
        Case{{{"path", path}, {"prompt", std::string(8193, 'a')}},
             "argument prompt has 8193 bytes"},
        Case{{{"path", path}, {"languages", Json::array_t(101, "de")}}, "may have 100 at most"},
        Case{{{"audio_base64", "QQ=="}, {"file_name", std::string(256, 'a')}}, "file_name has 256"},
        Case{{{"audio_base64", "???"}}, "is not Base64"},
        Case{{{"audio_base64", std::string(1500000, 'A')}}, "more than"}}) {
    const Json result = call_tool("transcribe", c.arguments);
    EXPECT_TRUE(is_error(result)) << c.part;
    EXPECT_NE(text_of(result).find(c.part), std::string::npos) << text_of(result);
  }
}

TEST_F(SoundSources, SoundInTheCallItselfBecomesAJobsFile) {
  const Json result =
      call_tool("transcribe", {{"audio_base64", "aGVsbG8="}, {"file_name", "a.wav"}});
  ASSERT_FALSE(is_error(result)) << result;
  const auto job = run(io, jobs.find(result["structuredContent"]["job"], "ada")).value();
  EXPECT_EQ(test::read_text(job->request.input), "hello");
  EXPECT_TRUE(job->request.input_is_ours);
  EXPECT_EQ(job->request.title, "a.wav");
}

TEST_F(SoundSources, NothingIsFetchedForAJobThatHasNoPlace) {
  make_tools({.wait = std::chrono::seconds(30)});
  test::LoopbackServer web([](const std::string&) { return test::http_answer("200 OK", "x"); });
  UrlFetcher fetcher({.allow_private = true}, spool);
  services.urls = &fetcher;
  EXPECT_FALSE(is_error(call_tool("transcribe", {{"url", web.url("/a.mp3")}, {"wait_s", 0}})));
  const Json other{{"path", (sounds / "talk.mp3").string()}, {"wait_s", 0}};
  for (int waiting = 1; waiting < JobLimits().max_waiting_per_owner; ++waiting) {
    call_tool("transcribe", other);
  }
  const Json result = call_tool("transcribe", {{"url", web.url("/b.mp3")}, {"wait_s", 0}});
  EXPECT_TRUE(is_error(result)) << result;
  EXPECT_EQ(web.requests().size(), 1U);
}

}  // namespace
}  // namespace server
