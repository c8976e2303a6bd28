#include "server/commands/jobs_delete.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "protocol/json_text.h"
#include "server/base/counted.h"
#include "server/client/job_events.h"
#include "server/commands/answer_fields.h"
#include "server/commands/command.h"
#include "server/commands/job_report.h"
#include "server/http/percent.h"

namespace server {
namespace {

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Result<nlohmann::json> read(const ApiClient& client, const std::string& path) {
  const auto answer = client.call({.path = path});
  if (!answer) return answer.error();
  return json_of(client, *answer);
}

bool is_old(const nlohmann::json& job, double before) {
  if (!job_has_ended(job) || field_flag(job, "pinned")) return false;
  const auto finished = field_number(job, "finished_at");
  return finished && *finished > 0 && *finished < before;
}

// Returns the ids of all jobs that ended before a time and are not pinned.
Result<std::vector<std::string>> old_jobs(const ApiClient& client, const std::string& owner,
                                          double before) {
  std::vector<std::string> found;
  const std::string path =
      "/v1/jobs?limit=100" + (owner.empty() ? "" : "&owner=" + encode_percent(owner));
  std::string last;
  do {
    const auto page = read(client, last.empty() ? path : path + "&after=" + last);
    if (!page) return page.error();
    const auto& jobs = field_array(*page, "data");
    for (const auto& job : jobs) {
      if (is_old(job, before)) found.push_back(field_text(job, "id"));
    }
    last = jobs.empty() || !field_flag(*page, "has_more") ? "" : field_text(jobs.back(), "id");
  } while (!last.empty());
  return found;
}

Result<void> check_ended(const ApiClient& client, const std::string& id) {
  const auto path = path_of_job(id);
  if (!path) return path.error();
  const auto job = read(client, *path);
  if (!job) return job.error();
  if (job_has_ended(*job)) return {};
  return Error{errc::usage, fmt::format("the job {} is not finished", id),
               "Cancel it: scribed jobs cancel " + id};
}

// Returns the ids to delete. If one of the named jobs has not ended, the error says so, and no job
// is deleted.
Result<std::vector<std::string>> jobs_that_are_meant(const JobsToDelete& wanted,
                                                     const ApiClient& client) {
  if (!wanted.jobs.empty()) {
    for (const auto& id : wanted.jobs) {
      if (const auto fine = check_ended(client, id); !fine) return fine.error();
    }
    return wanted.jobs;
  }
  const auto age = read_age(wanted.older_than);
  if (age) return old_jobs(client, wanted.owner, seconds_since_1970() - *age);
  return Error{errc::usage, "there is nothing to delete: neither a job nor an age is named",
               "Name jobs, or an age as --older-than 30d, 12h or 90m."};
}

Result<bool> is_wanted(const JobsToDelete& wanted, std::size_t count) {
  if (wanted.yes || !wanted.jobs.empty() || count == 0) return true;
  if (::isatty(STDIN_FILENO) != 1) {
    return Error{errc::usage, fmt::format("{} would be deleted", counted(count, "job")),
                 "Add --yes."};
  }
  fmt::print(stderr, "Delete {} with their texts and recordings? [y/N] ", counted(count, "job"));
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

std::optional<double> read_age(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || end - rest != 1 || !(number > 0)) return std::nullopt;
  if (*rest == 'd') return number * 24 * 3600;
  if (*rest == 'h') return number * 3600;
  if (*rest == 'm') return number * 60;
  return std::nullopt;
}

ExitCode delete_jobs(const JobsToDelete& wanted, const ApiClient& client) {
  const auto ids = jobs_that_are_meant(wanted, client);
  if (!ids) return report_error(ids.error());
  const auto goes_on = is_wanted(wanted, ids->size());
  if (!goes_on) return report_error(goes_on.error());
  auto deleted = nlohmann::ordered_json::array();
  ExitCode code = ExitCode::ok;
  for (const auto& id : *goes_on ? *ids : std::vector<std::string>()) {
    const auto answer = client.call({.method = "DELETE", .path = *path_of_job(id)});
    if (!answer) {
      code = report_error(answer.error());
      break;
    }
    deleted.push_back(id);
  }
  if (wanted.json) {
    fmt::print("{}\n", protocol::json::dump(deleted));
  } else {
    fmt::print("{} deleted\n", counted(deleted.size(), "job"));
  }
  return code;
}

}  // namespace server
