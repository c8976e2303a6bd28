#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <map>
#include <stop_token>
#include <string>

#include "server/api/shared_calls.h"
#include "server/base/fair_calls.h"
#include "server/models/model_store.h"

namespace server {

// Reports of installed models (server/models/model_report.h). Making one takes some tenths of a
// second, so it is made once for all who ask until the model's files change, on a thread of its
// own, on which owners take turns. It is used on one thread.
class ModelReports {
 public:
  explicit ModelReports(const ModelStore& store) : store_(store) {}

  // Returns the report as a JSON object. `owner` is who asks. Errors: too_many_requests, and those
  // of check_installed().
  asio::awaitable<Result<std::string>> find(std::string model, std::string owner);

 private:
  static constexpr std::size_t most_known = 64;
  static constexpr int most_of_one = 16;

  struct Known {
    std::string state{};  // of the model's files
    std::string text{};
  };

  asio::awaitable<Result<std::string>> make(std::string model, std::string owner,
                                            std::string state);

  const ModelStore& store_;
  std::map<std::string, Known> known_{};  // by the model's name
  api::SharedCalls<std::string> calls_{};
  FairCalls thread_{1, most_of_one};  // last: it ends before what its work uses
};

}  // namespace server
