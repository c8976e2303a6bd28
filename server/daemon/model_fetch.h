#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>

#include "server/base/blocking_calls.h"
#include "server/log/log.h"
#include "server/models/hub.h"
#include "server/models/model_store.h"

namespace server {

// Fetches a model on a thread of its own while everything else already works.
class ModelFetch {
 public:
  ModelFetch(Log& log, const ModelStore& store, HubAccess hub)
      : log_(log), store_(store), hub_(std::move(hub)) {}

  // Fetches `model`, and the VAD model with it. It ends when they are installed, or where `model`
  // cannot be fetched by its name. Other failures (no network, another process that fetches it,
  // too) are retried.
  asio::awaitable<void> run(std::string model);

  // Returns the model that is being fetched; empty: none.
  const std::string& model() const { return model_; }
  // Returns whether that model is being fetched. It is false also in the pause after a failure: a
  // job that needs the model then gets the error that it is missing.
  bool is_fetching(const std::string& model) const { return is_trying_ && model == model_; }

 private:
  asio::awaitable<Result<void>> fetch_once(std::string name);

  Log& log_;
  const ModelStore& store_;
  HubAccess hub_;
  std::string model_{};
  bool is_trying_ = false;
  BlockingCalls threads_{1, 1};
};

}  // namespace server
