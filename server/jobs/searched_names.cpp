#include "server/jobs/searched_names.h"

#include <algorithm>

#include "server/jobs/speaker_rename.h"

namespace server {
namespace {

bool is_label(const std::string& speaker) {
  return speaker.size() <= 2 &&
         std::ranges::all_of(speaker, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

std::vector<std::string> searched_names(const Job& job, std::span<const std::string> speakers) {
  std::vector<std::string> names = job.request.channel_labels;
  const auto add = [&](const std::string& label) {
    const std::string name = protocol::called(job.speaker_names, label);
    const bool is_new = std::ranges::find(names, name) == names.end();
    if (!is_label(name) && is_new) names.push_back(name);
  };
  for (const auto& label : speaker_labels(job)) add(label);
  for (const auto& label : speakers) add(label);
  return names;
}

}  // namespace server
