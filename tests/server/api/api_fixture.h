#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "server/api/api.h"
#include "server/base/fair_calls.h"
#include "server/http/api_keys.h"
#include "server/http/origin_guard.h"
#include "server/inputs/allowed_paths.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/uploads.h"
#include "server/jobs/job_queue.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "server/live/live_services.h"
#include "server/metrics/metrics.h"
#include "server/models/model_store.h"
#include "server/pulls/model_pulls.h"
#include "server/sessions/client_secrets.h"
#include "server/sessions/sessions.h"
#include "server/sessions/shares.h"
#include "server/submission/services.h"
#include "server/submission/submission.h"
#include "server/transcription/model_pool.h"
#include "tests/server/api/fake_exchange.h"
#include "tests/server/fake_clip.h"
#include "tests/server/helpers_here.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

// The routes on real jobs, uploads and stores, without a model.
class ApiFixture : public testing::Test {
 protected:
  // Dispatches the exchange, which need not be answered.
  void serve(FakeExchange& exchange) { run(io, dispatch_it(exchange)); }
  // Dispatches the exchange and returns it with its answer.
  const FakeExchange& ask(FakeExchange& exchange) {
    serve(exchange);
    EXPECT_EQ(exchange.answers, 1) << exchange.path();
    return exchange;
  }
  FakeExchange get(const std::string& path) {
    FakeExchange exchange(http::verb::get, path);
    ask(exchange);
    return exchange;
  }
  static nlohmann::json json_of(const FakeExchange& exchange) {
    return nlohmann::json::parse(exchange.answer.body);
  }
  static unsigned status_of(const FakeExchange& exchange) {
    return static_cast<unsigned>(exchange.answer.status);
  }
  static std::string error_of(const FakeExchange& exchange) {
    return json_of(exchange)["error"]["code"];
  }

  TemporaryFolder folder;
  asio::io_context io;
  std::optional<KeptSound> told_sound{};  // what other daemons have of every job's
  JobQueue jobs{io.get_executor(),
                open_job_store({.file = folder / "jobs.sqlite"}).value(),
                {.find_sound = [this](const std::string&) { return told_sound; }}};
  ModelPool models{io.get_executor(), {}};
  ModelStore store{folder / "models"};
  AllowedPaths paths{{folder.path()}};
  Spool spool = Spool::open(folder / "spool").value();
  Uploads uploads = Uploads::open({.folder = folder / "uploads"}).value();
  SoundStore sounds = SoundStore::open(folder / "sounds").value();
  FairCalls disk{2, 16};
  FairCalls texts{2, 16};
  Services services{.jobs = jobs,
                    .models = models,
                    .store = store,
                    .paths = paths,
                    .spool = spool,
                    .uploads = uploads,
                    .sounds = sounds,
                    .disk = disk,
                    .texts = texts,
                    .default_model = "base",
                    .read_known_speaker = read_fake_clip,
                    .fetch_helper = has_helper};
  Submission submission{services, {.check_webhook = [](const std::string& url) {
                          if (url == "https://fine") return Result<void>();
                          return Result<void>(Error{errc::url_refused, "no", ""});
                        }}};
  ApiKeys keys;
  OriginGuard guard{{}};
  Metrics metrics{"1"};
  LiveServices live{io.get_executor(), services, metrics, {}};
  StoreCalls session_calls{open_session_store({}).value()};
  Sessions sessions{session_calls, {}};
  Shares shares{session_calls, {}};
  ClientSecrets client_secrets{session_calls};
  EventHub events{io.get_executor(), jobs, [] {
                    return EventHub::Status{{{"type", "status"}, {"waiting", 0}},
                                            {{"type", "status"}, {"waiting", nullptr}}};
                  }};
  // A hub that takes connections and never answers: a pull goes on until it is stopped.
  asio::ip::tcp::acceptor silent_hub{io, {asio::ip::address_v4::loopback(), 0}};
  ModelPulls pulls{io.get_executor(),
                   store,
                   {"http://127.0.0.1:" + std::to_string(silent_hub.local_endpoint().port()), {}}};
  std::optional<NotReady> not_ready{};
  Api api{.services = services,
          .submission = submission,
          .keys = keys,
          .guard = guard,
          .metrics = metrics,
          .live = live,
          .sessions = sessions,
          .shares = shares,
          .client_secrets = client_secrets,
          .events = events,
          .pulls = pulls,
          .not_ready = [this] { return not_ready; }};

 private:
  asio::awaitable<int> dispatch_it(FakeExchange& exchange) {
    co_await dispatch(api, exchange);
    co_return 0;
  }
};

}  // namespace server::test
