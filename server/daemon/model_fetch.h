#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>

#include "server/base/blocking_calls.h"
#include "server/log/log.h"
#include "server/store/hub.h"
#include "server/store/model_store.h"

namespace server {

// Fetches a model while everything else works already, on a thread of its own.
class ModelFetch {
 public:
  ModelFetch(Log& log, const ModelStore& store, HubAccess hub)
      : log_(log), store_(store), hub_(std::move(hub)) {}

  // Ends when the model is installed, and with it the one that tells where speech is, or where it
  // cannot be fetched by its name. What fails otherwise (no network, another process that fetches
  // it, too) is tried again.
  asio::awaitable<void> run(std::string model);

  // Empty: nothing is being fetched.
  const std::string& model() const { return model_; }
  // False also in the pause after a failure: who needs the model then is told that it is not there.
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
