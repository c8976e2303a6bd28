#include "server/base/call_places.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"
#include "tests/server/started.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;

class JobTextEdits : public test::ApiFixture {
 protected:
  std::string transcribed(bool ends = true) {
    FakeExchange exchange = test::form_request("/v1/jobs", test::form_file("sound"));
    ask(exchange);
    auto said = test::two_segments();
    said[0].words = {{0.1, 0.4, " Hello", 0.98765, 1}, {0.5, 1, " there.", 0.5, 1}};
    test::PlayedJob played{.waited_for = false, .said = std::move(said)};
    if (!ends) played.end.reset();
    const auto work = [&]() -> asio::awaitable<int> {
      co_await test::play(jobs, std::move(played));
      co_return 0;
    };
    test::run(io, work());
    return json_of(exchange)["id"];
  }
  FakeExchange send(http::verb method, const std::string& path, const std::string& body,
                    const std::string& match = "", const std::string& key = "") {
    FakeExchange exchange(method, path);
    exchange.body = body;
    if (!match.empty()) exchange.fields.set(http::field::if_match, match);
    if (!key.empty()) exchange.fields.set(http::field::authorization, "Bearer " + key);
    ask(exchange);
    return exchange;
  }
  FakeExchange edit(const std::string& id, const std::string& ops, const std::string& match = "*",
                    const std::string& key = "") {
    return send(http::verb::patch, "/v1/jobs/" + id + "/transcript", R"({"ops": )" + ops + "}",
                match, key);
  }
  FakeExchange get_with(const std::string& path, Headers queries) {
    FakeExchange exchange(http::verb::get, path);
    exchange.queries = std::move(queries);
    ask(exchange);
    return exchange;
  }
  static std::string header(const FakeExchange& exchange, const std::string& wanted) {
    for (const auto& [name, value] : exchange.answer.headers) {
      if (name == wanted) return value;
    }
    return "";
  }
  static std::string long_edit() {
    std::string text;
    while (text.size() < 9000) text += " words";
    std::string ops = R"([{"op": "text", "segment": "0", "text": ")" + text + R"("}, )";
    return ops + R"({"op": "text", "segment": "1", "text": ")" + text + R"("}])";
  }
  // Returns the parameter and the status of a refused edit.
  std::string refused(const std::string& id, const std::string& ops) {
    const auto answer = edit(id, ops);
    const json error = json_of(answer)["error"];
    return std::to_string(status_of(answer)) + " " + error["param"].get<std::string>();
  }
};

TEST_F(JobTextEdits, SegmentsHaveWordsInAShortShape) {
  const std::string id = transcribed();
  const auto answer = get("/v1/jobs/" + id + "/segments");
  ASSERT_EQ(status_of(answer), 200U) << answer.answer.body;
  EXPECT_EQ(header(answer, "etag"), "\"0\"");
  const json page = json_of(answer);
  EXPECT_EQ(page["version"], 0);
  EXPECT_EQ(page["has_more"], false);
  EXPECT_EQ(page["data"][0]["id"], "0");
  EXPECT_EQ(page["data"][0]["words"].dump(),
            R"([[" Hello",0.1,0.3,0.9877],[" there.",0.5,0.5,0.5]])");
  EXPECT_EQ(page["data"][0]["speaker"], nullptr);
  EXPECT_EQ(page["data"][1]["words"].dump(), "[]");
}

TEST_F(JobTextEdits, SegmentsAreReadWhileTheJobRuns) {
  const std::string id = transcribed(false);
  const auto first = json_of(get_with("/v1/jobs/" + id + "/segments", {{"limit", "1"}}));
  EXPECT_EQ(first["has_more"], true);
  const auto rest = json_of(get_with("/v1/jobs/" + id + "/segments", {{"after", "0"}}));
  EXPECT_EQ(rest["data"][0]["id"], "1");
  const auto refused = edit(id, R"([{"op": "delete", "segment": "0"}])");
  EXPECT_EQ(status_of(refused), 409U);
  EXPECT_EQ(error_of(refused), errc::job_not_ended);
}

// A client that does not read its answer holds it in memory.
TEST_F(JobTextEdits, AnAnswerAsksForItsRoom) {
  const std::string id = transcribed();
  const auto answer = edit(id, long_edit());
  ASSERT_EQ(status_of(answer), 200U) << answer.answer.body;
  EXPECT_EQ(answer.most_held, answer.answer.body.size());
  const auto page = get("/v1/jobs/" + id + "/segments");
  EXPECT_EQ(page.most_held, page.answer.body.size());
  const auto back = send(http::verb::post, "/v1/jobs/" + id + "/versions/0/restore", "");
  EXPECT_EQ(status_of(back), 200U);
  EXPECT_EQ(back.most_held, back.answer.body.size());
}

TEST_F(JobTextEdits, AChangeWhoseAnswerFindsNoRoomSaysThatItIsMade) {
  const std::string id = transcribed();
  FakeExchange exchange(http::verb::patch, "/v1/jobs/" + id + "/transcript");
  exchange.body = R"({"ops": )" + long_edit() + "}";
  exchange.fields.set(http::field::if_match, "*");
  exchange.room = 1000;
  ask(exchange);
  EXPECT_EQ(error_of(exchange), errc::overloaded);
  EXPECT_NE(exchange.answer.body.find("The text was changed, to version 1"), std::string::npos);
  EXPECT_EQ(json_of(get("/v1/jobs/" + id))["version"], 1);
}

TEST_F(JobTextEdits, AnEditAnswersWhatHasChanged) {
  const std::string id = transcribed();
  const auto answer =
      edit(id, R"([{"op": "text", "segment": "0", "text": " Hello Ada."}])", "\"0\"");
  ASSERT_EQ(status_of(answer), 200U) << answer.answer.body;
  EXPECT_EQ(header(answer, "etag"), "\"1\"");
  const json change = json_of(answer);
  EXPECT_EQ(change["version"], 1);
  EXPECT_EQ(change["changed"][0]["words"].dump(),
            R"([[" Hello",0.1,0.3,0.9877],[" Ada.",0.5,0.5,1.0]])");
  EXPECT_EQ(change["removed"].dump(), "[]");
  EXPECT_EQ(change["segments"], 2);
  const json job = json_of(get("/v1/jobs/" + id));
  EXPECT_EQ(job["version"], 1);
}

TEST_F(JobTextEdits, FormatsGiveTheNewestVersionUnlessAnotherIsWanted) {
  const std::string id = transcribed();
  edit(id, R"([{"op": "text", "segment": "0", "text": "Hello Ada."},
               {"op": "delete", "segment": "1"}])");
  const std::string path = "/v1/jobs/" + id + "/transcript";
  EXPECT_EQ(get(path).answer.body, "Hello Ada.\n");
  EXPECT_EQ(header(get(path), "etag"), "\"1\"");
  EXPECT_EQ(get_with(path, {{"version", "0"}}).answer.body, "Hello there.\nGoodbye.\n");
  const auto srt = get_with(path, {{"format", "srt"}, {"version", "1"}}).answer.body;
  EXPECT_EQ(srt, "1\n00:00:00,100 --> 00:00:01,000\nHello Ada.\n\n");
  const auto parsed = json::parse(get_with(path, {{"format", "json"}}).answer.body);
  EXPECT_EQ(parsed["text"], " Hello Ada.");
  for (const char* version : {"2", "-1", "x"}) {
    const auto none = get_with(path, {{"version", version}});
    EXPECT_EQ(json_of(none)["error"]["param"], "version") << version;
  }
}

TEST_F(JobTextEdits, AnEditNamesTheVersionThatItIsFor) {
  const std::string id = transcribed();
  const std::string ops = R"([{"op": "delete", "segment": "0"}])";
  const auto missing = edit(id, ops, "");
  EXPECT_EQ(status_of(missing), 428U);
  EXPECT_EQ(error_of(missing), errc::version_missing);
  EXPECT_EQ(status_of(edit(id, ops, "seven")), 400U);
  ASSERT_EQ(status_of(edit(id, ops, "\"0\"")), 200U);
  const auto late = edit(id, R"([{"op": "delete", "segment": "1"}])", "\"0\"");
  EXPECT_EQ(status_of(late), 412U);
  EXPECT_EQ(error_of(late), errc::version_conflict);
  EXPECT_EQ(json_of(late)["version"], 1);
  EXPECT_EQ(header(late, "etag"), "\"1\"");
}

TEST_F(JobTextEdits, ARefusalNamesThePlace) {
  const std::string id = transcribed();
  const std::string fine = R"({"op": "delete", "segment": "0"})";
  EXPECT_EQ(refused(id, "7"), "400 ops");
  EXPECT_EQ(refused(id, "[7]"), "400 ops[0]");
  EXPECT_EQ(refused(id, R"([{"op": "shout"}])"), "400 ops[0].op");
  EXPECT_EQ(refused(id, "[" + fine + R"(, {"op": "text", "segment": "1"}])"), "400 ops[1].text");
  EXPECT_EQ(refused(id, R"([{"op": "text", "segment": 1, "text": "a"}])"), "400 ops[0].segment");
  EXPECT_EQ(refused(id, R"([{"op": "split", "segment": "1", "word": 1.5}])"), "400 ops[0].word");
  EXPECT_EQ(refused(id, R"([{"op": "merge", "segment": "1", "with": "2"}])"), "400 ops[0].with");
  EXPECT_EQ(refused(id, R"([{"op": "replace", "find": "a", "with": "b", "case": 1}])"),
            "400 ops[0].case");
  EXPECT_EQ(refused(id, "[" + fine + R"(, {"op": "merge", "segment": "1"}])"), "422 ops[1]");
  std::string many = "[" + fine;
  for (int i = 0; i < 1000; ++i) many += "," + fine;
  EXPECT_EQ(refused(id, many + "]"), "400 ops");
  for (const char* body : {"", "[]", "{}", R"({"ops": [], "more": 1})"}) {
    const auto answer = send(http::verb::patch, "/v1/jobs/" + id + "/transcript", body, "*");
    EXPECT_EQ(status_of(answer), 400U) << body;
  }
  EXPECT_EQ(json_of(get("/v1/jobs/" + id))["version"], 0);
  EXPECT_EQ(status_of(edit(id, "[]")), 200U) << "nothing is no edit";
}

TEST_F(JobTextEdits, VersionsAreListedAndRestored) {
  const std::string id = transcribed();
  edit(id, R"([{"op": "delete", "segment": "0"}])");
  edit(id, R"([{"op": "replace", "find": "GOOD", "with": "Bad", "case": false, "whole": false}])");
  const std::string path = "/v1/jobs/" + id + "/versions";
  const json list = json_of(get(path));
  ASSERT_EQ(list["data"].size(), 3U) << list;
  EXPECT_EQ(list["version"], 2);
  EXPECT_EQ(list["data"][0]["ops"].dump(), R"({"replace":1})");
  EXPECT_EQ(list["data"][2]["version"], 0);
  EXPECT_EQ(list["data"][2]["created_at"], nullptr);
  const json page = json_of(get_with(path, {{"limit", "1"}, {"after", "2"}}));
  EXPECT_EQ(page["data"][0]["version"], 1);
  EXPECT_EQ(page["has_more"], true);
  EXPECT_EQ(json_of(get_with(path, {{"after", "1"}}))["data"].size(), 1U);
  EXPECT_EQ(json_of(get_with(path, {{"after", "0"}}))["data"].size(), 0U);
  EXPECT_EQ(status_of(send(http::verb::post, path + "/0/restore", "", "\"1\"")), 412U);
  const auto back = send(http::verb::post, path + "/0/restore", "");
  ASSERT_EQ(status_of(back), 200U) << back.answer.body;
  EXPECT_EQ(json_of(back)["version"], 3);
  EXPECT_EQ(json_of(back)["changed"].size(), 2U);
  EXPECT_EQ(json_of(get(path))["data"][0]["restored"], 0);
  EXPECT_EQ(status_of(send(http::verb::post, path + "/9/restore", "")), 404U);
  EXPECT_EQ(status_of(send(http::verb::post, path + "/x/restore", "")), 400U);
}

TEST_F(JobTextEdits, PagesAndVersionsAreReadInTurn) {
  const std::string id = transcribed();
  for (const char* list : {"/segments", "/versions"}) {
    std::vector<std::unique_ptr<CallPlaces::Place>> taken;
    for (int i = 0; i < 2; ++i) {
      taken.push_back(
          std::make_unique<CallPlaces::Place>(api.text_places, "local", io.get_executor()));
    }
    FakeExchange waits(http::verb::get, "/v1/jobs/" + id + list);
    asio::co_spawn(io, dispatch(api, waits), asio::detached);
    test::run_until(io, [&] { return api.text_places->calls_of("local") == 3; });
    EXPECT_FALSE(waits.has_answered());
    taken.clear();
    test::run_until(io, [&] { return waits.has_answered(); });
    EXPECT_EQ(status_of(waits), 200U);
    EXPECT_GT(waits.most_held, 0U) << "a client that does not read it holds it in memory";
  }
}

TEST_F(JobTextEdits, AreForTheOwnerAlone) {
  const std::string id = transcribed();
  ASSERT_TRUE(
      keys.add_lines("ada secret-key-of-ada\n"
                     "root secret-key-of-root [transcribe, manage]"));
  const std::string path = "/v1/jobs/" + id;
  for (const char* key : {"secret-key-of-ada", "secret-key-of-root"}) {
    const std::string ops = R"([{"op": "delete", "segment": "0"}])";
    EXPECT_EQ(status_of(edit(id, ops, "*", key)), 404U);
    EXPECT_EQ(status_of(send(http::verb::get, path + "/segments", "", "", key)), 404U);
    EXPECT_EQ(status_of(send(http::verb::get, path + "/versions", "", "", key)), 404U);
    EXPECT_EQ(status_of(send(http::verb::post, path + "/versions/0/restore", "", "", key)), 404U);
    const std::string title = R"({"title": "mine"})";
    EXPECT_EQ(status_of(send(http::verb::patch, path, title, "", key)), 404U);
  }
}

TEST_F(JobTextEdits, JobsAreNamedAndPinned) {
  const std::string id = transcribed();
  const std::string path = "/v1/jobs/" + id;
  const auto named =
      send(http::verb::patch, path, R"({"title": " Minutes\tof May ", "pinned": true})");
  ASSERT_EQ(status_of(named), 200U) << named.answer.body;
  const json job = json_of(named);
  EXPECT_EQ(job["title"], "Minutes of May");
  EXPECT_EQ(job["filename"], "talk.mp3");
  EXPECT_EQ(job["pinned"], true);
  EXPECT_EQ(job["expires_at"], nullptr);
  EXPECT_EQ(json_of(get_with("/v1/jobs", {{"pinned", "true"}}))["data"].size(), 1U);
  EXPECT_EQ(json_of(get_with("/v1/jobs", {{"pinned", "false"}}))["data"].size(), 0U);
  EXPECT_EQ(status_of(get_with("/v1/jobs", {{"pinned", "maybe"}})), 400U);
  const json back = json_of(send(http::verb::patch, path, R"({"title": null, "pinned": false})"));
  EXPECT_EQ(back["title"], "talk.mp3");
  EXPECT_EQ(back["expires_at"], nullptr) << "somebody has named it";
  for (const char* body : {R"({"title": 7})", R"({"pinned": "yes"})", "{}", R"({"colour": 1})",
                           R"({"title": "a\u0001b"})"}) {
    EXPECT_EQ(status_of(send(http::verb::patch, path, body)), 400U) << body;
  }
  const auto refused =
      send(http::verb::patch, path, R"({"title": "x", "speaker_names": {"Z": "Zoe"}})");
  EXPECT_EQ(status_of(refused), 400U);
  EXPECT_EQ(json_of(get(path))["title"], "talk.mp3") << "all or nothing";
}

TEST_F(JobTextEdits, ASearchSaysWhere) {
  const std::string id = transcribed();
  const json found = json_of(get_with("/v1/jobs", {{"q", "THERE"}}));
  ASSERT_EQ(found["data"].size(), 1U);
  EXPECT_EQ(found["data"][0]["matches"].dump(),
            R"([{"segment":"0","spans":[[6,11]],"start":0.0,"text":"Hello there."}])");
  const json by_title = json_of(get_with("/v1/jobs", {{"q", "talk.mp3"}}));
  EXPECT_EQ(by_title["data"][0]["matches"].dump(), "[]");
  EXPECT_FALSE(json_of(get("/v1/jobs"))["data"][0].contains("matches"));
}

}  // namespace
}  // namespace server
