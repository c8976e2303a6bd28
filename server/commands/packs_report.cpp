#include "server/commands/packs_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/verdict/finding_codes.h"
#include "server/commands/models_progress.h"

namespace server {
namespace {

using nlohmann::ordered_json;

std::string build_of(const platform::BuildInfo& build) {
  std::string text;
  if (!build.cuda.empty()) text = "CUDA " + build.cuda + ", ";
  if (!build.rocm.empty()) text = "ROCm " + build.rocm + ", ";
  return text + "torch " + build.torch;
}

bool only_lacks_libraries(const platform::Finding& finding) {
  return finding.code == platform::code::cuda_pack_missing ||
         finding.code == platform::code::rocm_pack_missing;
}

PackFit fit_of(const platform::Verdict& verdict) {
  const auto* finding = verdict.headline();
  const bool fits = verdict.usable() || (finding != nullptr && only_lacks_libraries(*finding));
  return {verdict.device_name, fits, fits || finding == nullptr ? "" : finding->headline};
}

std::string fit_text(const PackFit& fit) {
  return fit.fits ? "fits " + fit.card : "does not fit: " + fit.obstacle;
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json json_of_listed(const ListedPack& pack) {
  auto fits = ordered_json::array();
  for (const auto& fit : pack.fits) {
    fits.push_back(ordered_json{
        {"card", fit.card}, {"fits", fit.fits}, {"obstacle", text_or_null(fit.obstacle)}});
  }
  auto packages = ordered_json::array();
  for (const auto& package : pack.packages) {
    packages.push_back(ordered_json{{"name", package.name},
                                    {"version", package.version},
                                    {"file", package.wheel},
                                    {"size", package.size},
                                    {"sha256", package.sha256}});
  }
  return ordered_json{{"name", pack.name},
                      {"runtime", pack.runtime},
                      {"build", pack.build},
                      {"installed", !pack.folder.empty()},
                      {"folder", text_or_null(pack.folder)},
                      {"download_bytes", pack.download_bytes},
                      {"installed_bytes", pack.installed_bytes},
                      {"fits", std::move(fits)},
                      {"command", text_or_null(pack.command())},
                      {"packages", std::move(packages)}};
}

}  // namespace

std::string ListedPack::command() const {
  const bool fits_one = std::ranges::any_of(fits, &PackFit::fits);
  return folder.empty() && fits_one ? "scribed packs install " + name : "";
}

std::vector<ListedPack> listed_packs(const std::vector<ShippedPack>& shipped,
                                     const std::vector<platform::Pack>& packs,
                                     const std::vector<platform::Verdict>& verdicts) {
  std::vector<ListedPack> listed;
  for (const auto& [runtime, list] : shipped) {
    ListedPack pack{.name = list.name,
                    .runtime = runtime,
                    .download_bytes = download_bytes(list),
                    .installed_bytes = installed_bytes(list),
                    .packages = list.packages};
    const auto found = std::ranges::find(packs, runtime, &platform::Pack::name);
    if (found != packs.end()) {
      pack.build = build_of(found->build);
      pack.folder = found->fetched_to;
    }
    for (const auto& verdict : verdicts) {
      const bool is_gpu = verdict.backend != platform::Backend::cpu;
      if (is_gpu && verdict.pack.name == runtime) pack.fits.push_back(fit_of(verdict));
    }
    listed.push_back(std::move(pack));
  }
  return listed;
}

ordered_json json_of(const std::vector<ListedPack>& packs) {
  auto list = ordered_json::array();
  for (const auto& pack : packs) list.push_back(json_of_listed(pack));
  return ordered_json{{"packs", std::move(list)}};
}

std::string text_of(const std::vector<ListedPack>& packs) {
  if (packs.empty()) {
    return "This installation brings no pack whose libraries can be fetched. See: scribed doctor\n";
  }
  std::string text;
  for (const auto& pack : packs) {
    text += fmt::format("{} ({})\n", pack.name, pack.build);
    if (pack.folder.empty()) {
      text += fmt::format("  not installed: {} to fetch, {} on the disk\n",
                          readable_size(pack.download_bytes), readable_size(pack.installed_bytes));
    } else {
      text +=
          fmt::format("  installed: {} in {}\n", readable_size(pack.installed_bytes), pack.folder);
    }
    for (const auto& fit : pack.fits) text += "  " + fit_text(fit) + "\n";
    if (pack.fits.empty()) text += "  this machine has no card that it is for\n";
    if (const auto command = pack.command(); !command.empty()) {
      text += "  install it: " + command + "\n";
    }
  }
  return text;
}

}  // namespace server
