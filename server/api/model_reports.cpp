#include "server/api/model_reports.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>

#include "protocol/json_text.h"
#include "server/models/model_report.h"

namespace server {
namespace {

// A file that is replaced has another inode, and one that is written to another time.
std::string state_of_file(const std::filesystem::path& file) {
  struct ::stat info {};
  if (::stat(file.c_str(), &info) != 0) return "-";
#if defined(__APPLE__)
  const auto& changed = info.st_mtimespec;
#else
  const auto& changed = info.st_mtim;
#endif
  return fmt::format("{} {} {}.{}", static_cast<std::uint64_t>(info.st_ino),
                     static_cast<std::uint64_t>(info.st_size),
                     static_cast<std::int64_t>(changed.tv_sec),
                     static_cast<std::int64_t>(changed.tv_nsec));
}

// Returns what changes with the files of a model.
std::string state_of(const InstalledModel& model) {
  std::string state = model.manifest.name + "\n" + state_of_file(model.folder) + "\n" +
                      state_of_file(model.folder / manifest_file);
  for (const auto& file : model.manifest.files) {
    state += "\n" + state_of_file(model.folder / file.name);
  }
  return state;
}

}  // namespace

asio::awaitable<Result<std::string>> ModelReports::find(std::string model, std::string owner) {
  const auto installed = store_.find(model);
  if (!installed) co_return to_error(installed.error());
  const std::string name = installed->manifest.name;
  const std::string state = state_of(*installed);
  const auto known = known_.find(name);
  if (known != known_.end() && known->second.state == state) co_return known->second.text;
  std::function<asio::awaitable<Result<std::string>>()> begin = [&] {
    return make(name, std::move(owner), state);
  };
  auto making = calls_.run(state, std::move(begin));
  co_return co_await std::move(making);
}

asio::awaitable<Result<std::string>> ModelReports::make(std::string model, std::string owner,
                                                        std::string state) {
  std::function<Result<std::string>(std::stop_token)> work =
      [&store = store_, model](std::stop_token) -> Result<std::string> {
    const auto report = check_installed(store, model);
    if (!report) return to_error(report.error());
    return protocol::json::dump(report_json(*report));
  };
  auto running = thread_.run(std::move(owner), std::move(work));
  auto text = co_await std::move(running);
  if (!text) co_return text;
  if (known_.size() >= most_known) known_.clear();
  known_[model] = {std::move(state), *text};
  co_return text;
}

}  // namespace server
