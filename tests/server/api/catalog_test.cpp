#include "server/submission/model_name.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/models/temporary_store.h"

namespace server {
namespace {

class CatalogRoutes : public test::ApiFixture {
 protected:
  nlohmann::json entry(const std::string& name) {
    const auto body = json_of(get("/v1/catalog"));
    for (const auto& model : body["data"]) {
      if (model["id"] == name) return model;
    }
    return {};
  }
  // Puts a model into the store whose files no engine could read.
  void install(const std::string& name) {
    const auto staged = partial_folder(store.root()) / name / "test";
    testing::write(staged / "model.bin", "weights");
    const auto hash = hash_file(staged / "model.bin", Digest::Kind::sha256);
    const Manifest manifest{
        name, "safetensors", "hub", "somewhere@main", utc_now(), {}, {{"model.bin", 7, *hash}}};
    ASSERT_TRUE(publish(staged, manifest, store.root()));
  }
  test::FakeExchange send(http::verb method, const std::string& path) {
    test::FakeExchange exchange(method, path);
    serve(exchange);
    return exchange;
  }
};

TEST_F(CatalogRoutes, NamesWhatCanBeFetched) {
  const auto base = entry("base");
  EXPECT_EQ(base["installed"], false);
  EXPECT_EQ(base["bytes"], nullptr);
  EXPECT_EQ(base["damaged"], nullptr);
  EXPECT_EQ(base["default"], true);
  EXPECT_EQ(base["use"], "transcription");
  EXPECT_EQ(base["source"], "openai/whisper-base");
  EXPECT_EQ(base["languages"].size(), 99U);
  EXPECT_GT(base["download_bytes"], 100'000'000);
  EXPECT_EQ(base["pull"], nullptr);
  EXPECT_EQ(entry("large-v3")["languages"].size(), 100U);
  EXPECT_EQ(entry("tiny.en")["languages"], nlohmann::json{"en"});
  EXPECT_EQ(entry("distil-small.en")["download_bytes"], nullptr) << "only its hub knows";
  EXPECT_EQ(entry("distil-small.en")["weights_bytes"], nullptr);
  EXPECT_EQ(entry("small.en")["download_bytes"], nullptr) << "the size of a small file is unknown";
  EXPECT_GT(entry("small.en")["weights_bytes"], 900'000'000);
  EXPECT_EQ(entry("speakers")["download_bytes"], 81'010'833) << "of the package, not of its files";
  EXPECT_EQ(entry("speakers")["use"], "speaker_recognition");
  EXPECT_EQ(entry("silero-vad")["licence"], "MIT");
}

TEST_F(CatalogRoutes, SaysWhatIsHere) {
  install("base");
  install("my-own");
  EXPECT_EQ(entry("base")["installed"], true);
  EXPECT_EQ(entry("base")["bytes"], 7);
  EXPECT_EQ(entry("my-own")["installed"], true);
  EXPECT_EQ(entry("my-own")["source"], nullptr);
  testing::write(store.root() / "base" / "model.bin", "cut");
  EXPECT_NE(entry("base")["damaged"].get<std::string>().find("damaged"), std::string::npos);
}

TEST_F(CatalogRoutes, AModelThatIsFetchedSaysHowFarItIs) {
  const auto begun = send(http::verb::post, "/v1/models/small/pull");
  EXPECT_EQ(status_of(begun), 202U);
  EXPECT_EQ(json_of(begun)["model"], "small");
  EXPECT_GT(json_of(begun)["total_bytes"], 400'000'000);
  EXPECT_EQ(entry("small")["pull"]["done_bytes"], 0);
  const auto again = send(http::verb::post, "/v1/models/small/pull");
  EXPECT_EQ(status_of(again), 409U);
  EXPECT_EQ(error_of(again), errc::pull_running);
  EXPECT_EQ(error_of(send(http::verb::delete_, "/v1/models/small")), errc::model_in_use);
  const auto stopped = send(http::verb::delete_, "/v1/models/small/pull");
  EXPECT_EQ(json_of(stopped), (nlohmann::json{{"model", "small"}, {"stopped", true}}));
  EXPECT_EQ(entry("small")["pull"], nullptr);
  EXPECT_EQ(error_of(send(http::verb::delete_, "/v1/models/small/pull")), errc::no_pull);
}

TEST_F(CatalogRoutes, WhatIsHereOrNotKnownIsNotFetched) {
  install("base");
  const auto here = send(http::verb::post, "/v1/models/base/pull");
  EXPECT_EQ(status_of(here), 409U);
  EXPECT_EQ(error_of(here), "already_installed");
  const auto unknown = send(http::verb::post, "/v1/models/no-such-model/pull");
  EXPECT_EQ(status_of(unknown), 404U);
  EXPECT_EQ(error_of(unknown), "model_not_found");
}

TEST_F(CatalogRoutes, AModelIsRemoved) {
  install("base");
  const auto feed = events.feed_of("local");
  const auto removed = send(http::verb::delete_, "/v1/models/base");
  EXPECT_EQ(json_of(removed),
            (nlohmann::json{{"id", "base"}, {"object", "model"}, {"deleted", true}}));
  EXPECT_EQ(entry("base")["installed"], false);
  EXPECT_EQ(feed->newest_of("model:base", Audience::operators),
            R"({"type":"model.removed","model":"base"})");
  EXPECT_EQ(error_of(send(http::verb::delete_, "/v1/models/base")), "model_not_found");
}

TEST_F(CatalogRoutes, ManagingNeedsItsRight) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe, read_status]"));
  for (const auto& [method, path] : {std::pair(http::verb::post, "/v1/models/base/pull"),
                                     std::pair(http::verb::delete_, "/v1/models/base/pull"),
                                     std::pair(http::verb::delete_, "/v1/models/base")}) {
    test::FakeExchange exchange(method, path);
    exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
    EXPECT_EQ(status_of(ask(exchange)), 403U) << path;
  }
}

// Its jobs wait for it, as they do for the model that is fetched at the start.
TEST_F(CatalogRoutes, AModelThatIsFetchedIsNoUnknownOne) {
  EXPECT_EQ(status_of(get("/v1/models/small")), 404U);
  services.is_fetching = [](const std::string& model) { return model == "small"; };
  EXPECT_EQ(model_for(services, "openai/whisper-small").value(), "small");
  EXPECT_FALSE(model_for(services, "medium"));
}

}  // namespace
}  // namespace server
