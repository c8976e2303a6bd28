#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/jobs/job.h"
#include "server/log/log.h"
#include "server/models/model_store.h"
#include "server/pulls/model_pulls.h"

namespace server {

// Fetches the default model at the start, while everything else already works, and helper models
// when they are needed.
class ModelFetch {
 public:
  ModelFetch(Log& log, const ModelStore& store, ModelPulls& pulls)
      : log_(log), store_(store), pulls_(pulls) {}

  // Fetches `model`, and the VAD model with it. It ends when they are installed, or where `model`
  // cannot be fetched by its name, or somebody has stopped it. Other failures (no network, another
  // process that fetches it, too) are retried.
  asio::awaitable<void> run(std::string model);

  // Fetches a helper model for a request. Returns when it is installed, or after a moment: its jobs
  // wait for it. The error is that of a download that cannot begin.
  asio::awaitable<Result<void>> fetch_helper(std::string model);
  // Returns whether a model that the job needs is being fetched.
  bool is_fetching(const JobRequest& request) const;
  // Checks that the helper models that the job needs are there. The error is model_not_installed.
  Result<void> check_fetched(const JobRequest& request) const;

  // Returns the model that is being fetched, or will be tried again; empty: none.
  const std::string& model() const { return model_; }

 private:
  Log& log_;
  const ModelStore& store_;
  ModelPulls& pulls_;
  std::string model_{};
};

}  // namespace server
