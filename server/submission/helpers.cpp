#include "server/submission/helpers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/race.h"
#include "server/models/helper_models.h"
#include "server/models/model_store.h"

namespace server {
namespace {

constexpr std::chrono::milliseconds fetch_look_interval{200};

Error helper_not_installed(const std::string& model) {
  const std::string_view what = model == speakers_model_name
                                    ? "Speaker labels need"
                                    : "Voice activity detection, in live sound and for the VAD "
                                      "filter and long_form=parallel, needs";
  return {errc::helper_missing,
          fmt::format("{} the model '{}', which is not installed.", what, model),
          fmt::format("Run `scribed models pull {}`.", model)};
}

bool is_fetching_any(const Services& services, const protocol::TranscribeOptions& options) {
  return std::ranges::any_of(needed_helpers(options), [&services](std::string_view model) {
    return services.is_fetching(std::string(model));
  });
}

}  // namespace

boost::asio::awaitable<Result<void>> require_helpers(const Services& services,
                                                     protocol::TranscribeOptions options) {
  if (services.works_elsewhere) co_return Result<void>();
  for (const std::string_view name : needed_helpers(options)) {
    std::string model(name);
    if (services.store.find_whole(model) || services.is_fetching(model)) continue;
    Error missing = helper_not_installed(model);
    if (!services.fetch_helper) co_return missing;
    auto fetching = services.fetch_helper(std::move(model));
    const auto fetched = co_await std::move(fetching);
    if (fetched) continue;
    missing.message += fmt::format(" It could not be downloaded: {}", fetched.error().message);
    co_return missing;
  }
  co_return Result<void>();
}

boost::asio::awaitable<Result<void>> fetched_helpers(const Services& services,
                                                     protocol::TranscribeOptions options) {
  auto requiring = require_helpers(services, options);
  const auto required = co_await std::move(requiring);
  if (!required) co_return required.error();
  if (!is_fetching_any(services, options)) co_return Result<void>();
  while (is_fetching_any(services, options)) co_await sleep_for(fetch_look_interval);
  co_return check_fetched_helpers(services.store, options);
}

Result<void> check_fetched_helpers(const ModelStore& store,
                                   const protocol::TranscribeOptions& options) {
  for (const std::string_view name : needed_helpers(options)) {
    std::string model(name);
    if (store.find_whole(model)) continue;
    Error missing = helper_not_installed(model);
    missing.message += " It could not be downloaded.";
    return missing;
  }
  return {};
}

}  // namespace server
