#include "server/submission/helpers.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "server/models/helper_models.h"
#include "server/models/model_store.h"

namespace server {
namespace {

Error helper_not_installed(const std::string& model) {
  const std::string_view what = model == speakers_model_name
                                    ? "Speaker labels need"
                                    : "The VAD filter and long_form=parallel need";
  return {errc::helper_missing,
          fmt::format("{} the model '{}', which is not installed.", what, model),
          fmt::format("Run `scribed models pull {}`.", model)};
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

}  // namespace server
