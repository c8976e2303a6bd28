#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <list>
#include <stop_token>
#include <string>

#include "server/models/manifest.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/started.h"

namespace server {
namespace {

using test::FakeExchange;

class Models : public test::ApiFixture {
 protected:
  void install(const std::string& name) {
    const auto of_it = store.root() / name;
    std::filesystem::create_directories(of_it);
    const Manifest manifest{.name = name,
                            .format = "safetensors",
                            .source = "import",
                            .origin = "",
                            .installed = "2026-01-31T12:00:00Z",
                            .dims = {{"n_mels", 80}},
                            .files = {{"model.safetensors", 100, "aa"}}};
    test::write_text(of_it / manifest_file, manifest_text(manifest));
  }
};

TEST_F(Models, AreNoneWhereNoneIsInstalled) {
  const auto list = json_of(get("/v1/models"));
  EXPECT_EQ(list["object"], "list");
  EXPECT_TRUE(list["data"].empty());
  EXPECT_TRUE(json_of(get("/v1/ps"))["models"].empty());
}

TEST_F(Models, AreListedWithTheTimeOfTheirInstallation) {
  install("base");
  install("tiny");
  const auto list = json_of(get("/v1/models"))["data"];
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["id"], "base");
  EXPECT_EQ(list[1]["id"], "tiny");
  EXPECT_EQ(list[0]["created"], 1769860800);
}

TEST_F(Models, HaveTheNameByWhichTheyWereAskedFor) {
  install("base");
  for (const char* name : {"base", "whisper-1"}) {
    const auto model = json_of(get(std::string("/v1/models/") + name));
    EXPECT_EQ(model["id"], name);
    EXPECT_EQ(model["created"], 1769860800);
  }
}

TEST_F(Models, HaveAReportOfTheirFiles) {
  install("base");
  EXPECT_EQ(error_of(get("/v1/models/none/report")), "model_not_found");
  // The file that the manifest names is not there.
  EXPECT_EQ(error_of(get("/v1/models/base/report")), "damaged_model");
  std::ofstream(store.root() / "base" / "model.safetensors") << std::string(100, 'x');
  const auto report = json_of(get("/v1/models/openai/whisper-base/report"));
  EXPECT_EQ(report["id"], "openai/whisper-base");
  EXPECT_EQ(report["usable"], false);
  EXPECT_EQ(report["refusal"]["code"], "invalid_model");
}

// The bytes of a file are changed behind the store's back, with the time that it had.
TEST_F(Models, HaveOneReportUntilTheirFilesChange) {
  install("base");
  const auto file = store.root() / "base" / "model.safetensors";
  std::ofstream(file) << std::string(100, 'x');
  const auto written = std::filesystem::last_write_time(file);
  const auto report = [&] { return json_of(get("/v1/models/base/report"))["refusal"]; };
  const auto first = report();
  const std::string head("\x5c\0\0\0\0\0\0\0", 8);
  std::ofstream(file) << head << "{}" << std::string(90, ' ');  // of safetensors, with no tensors
  std::filesystem::last_write_time(file, written);
  EXPECT_EQ(report(), first);
  std::filesystem::last_write_time(file, written + std::chrono::seconds(1));
  EXPECT_NE(report(), first);
  std::filesystem::remove(file);
  EXPECT_EQ(error_of(get("/v1/models/base/report")), "damaged_model");
}

// All threads of the disk are taken by calls that end when this object goes.
class BusyDisk {
 public:
  explicit BusyDisk(FairCalls& disk) {
    for (const char* owner : {"eve", "bob"}) calls_.emplace_back(io_, disk.run(owner, wait_));
    io_.poll();
  }
  ~BusyDisk() {
    until_.set_value();
    for (const auto& call : calls_) test::run_until(io_, [&] { return call.ended(); });
  }

 private:
  asio::io_context io_;
  std::promise<void> until_;
  const std::function<Result<int>(std::stop_token)> wait_ =
      [until = until_.get_future().share()](std::stop_token) -> Result<int> {
    until.wait();
    return 0;
  };
  std::list<test::Started<Result<int>>> calls_{};
};

TEST_F(Models, HaveReportsThatNeedNoThreadOfTheDisk) {
  install("base");
  std::ofstream(store.root() / "base" / "model.safetensors") << std::string(100, 'x');
  const BusyDisk busy(disk);
  FakeExchange exchange(http::verb::get, "/v1/models/base/report");
  asio::co_spawn(io, dispatch(api, exchange), asio::detached);
  test::run_until(io, [&] { return exchange.answers == 1; });
  EXPECT_EQ(json_of(exchange)["id"], "base");
}

TEST_F(Models, HaveNoReportForAClientThatHasLeft) {
  install("base");
  FakeExchange exchange(http::verb::get, "/v1/models/base/report");
  exchange.has_left = true;
  serve(exchange);
  EXPECT_EQ(exchange.answers, 0);
}

TEST_F(Models, MayHaveNamesWithSlashes) {
  install("base");
  services.aliases["org/model"] = "base";
  for (const char* name : {"openai/whisper-base", "org/model"}) {
    const auto path = std::string("/v1/models/") + name;
    EXPECT_EQ(json_of(get(path))["id"], name);
    FakeExchange unload(http::verb::post, path + "/unload");
    EXPECT_EQ(json_of(ask(unload))["name"], "base") << name;
  }
  EXPECT_EQ(error_of(get("/v1/models/org/other")), "model_not_found");
}

TEST_F(Models, ParametersOfTheirListsAreIgnoredAndNamed) {
  install("base");
  for (const char* path : {"/v1/models", "/v1/models/base"}) {
    FakeExchange exchange(http::verb::get, path);
    exchange.queries = {{"limit", "1"}};
    EXPECT_EQ(status_of(ask(exchange)), 200U);
    ASSERT_FALSE(exchange.added.empty());
    EXPECT_EQ(exchange.added.back().first, "warning");
    EXPECT_NE(exchange.added.back().second.find("limit"), std::string::npos);
  }
}

TEST_F(Models, ThatAreNotLoadedAreNotUnloaded) {
  FakeExchange exchange(http::verb::post, "/v1/models/whisper-1/unload");
  const auto answer = json_of(ask(exchange));
  EXPECT_EQ(answer["name"], "base");
  EXPECT_EQ(answer["unloaded"], false);
}

TEST_F(Models, ThatAreNotInstalledAreSaidToBeMissing) {
  const auto answer = get("/v1/models/large-v3");
  EXPECT_EQ(status_of(answer), 404U);
  EXPECT_EQ(json_of(answer)["error"]["param"], "model");
  EXPECT_EQ(error_of(answer), "model_not_found");
}

TEST_F(Models, AreNotLoadedForAKeepAliveThatMeansNothing) {
  for (const char* body : {"[]", "{\"keep\": 1}", "{\"keep_alive\": \"soon\"}", "{"}) {
    FakeExchange exchange(http::verb::post, "/v1/models/base/load");
    exchange.body = body;
    EXPECT_EQ(status_of(ask(exchange)), 400U) << body;
    EXPECT_EQ(json_of(exchange)["error"]["param"], "keep_alive") << body;
  }
}

TEST_F(Models, StatusTellsHowMuchSoundIsKept) {
  EXPECT_EQ(json_of(get("/v1/status"))["sound"]["jobs"], 0);
}

TEST_F(Models, StatusDoesNotReadTheFolderOfSoundForEachClient) {
  const std::string job(26, 'a');
  test::write_text(sounds.path(job), "sound!");
  EXPECT_EQ(json_of(get("/v1/status"))["sound"]["bytes"], 6);
  sounds.remove(job);
  const BusyDisk busy(disk);
  FakeExchange exchange(http::verb::get, "/v1/status");
  asio::co_spawn(io, dispatch(api, exchange), asio::detached);
  test::run_until(io, [&] { return exchange.answers == 1; });
  EXPECT_EQ(json_of(exchange)["sound"]["bytes"], 6);
}

TEST_F(Models, StatusNamesTheProblemToWhomMayReadIt) {
  EXPECT_EQ(json_of(get("/v1/status"))["problem"], nullptr);
  not_ready = NotReady{"/srv/scribed is full", "the disk is full"};
  const auto status = json_of(get("/v1/status"));
  EXPECT_EQ(status["ready"], false);
  EXPECT_EQ(status["problem"], "/srv/scribed is full");
}

}  // namespace
}  // namespace server
