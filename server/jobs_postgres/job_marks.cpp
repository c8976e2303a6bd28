#include "server/jobs_postgres/job_marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "server/jobs_postgres/database_text.h"

namespace server::postgres {
namespace {

// Ids may be any texts: clients name jobs that are not there.
std::string json_list(std::span<const std::string> ids) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& id : ids) list.push_back(database_text(id));
  return list.dump();
}

}  // namespace

std::map<std::string, std::string> marks_of(Step& step, std::span<const std::string> ids) {
  const auto rows = step.query(
      "SELECT id, xmin::text AS mark FROM jobs WHERE id IN "
      "(SELECT json_array_elements_text($1::json))",
      json_list(ids));
  std::map<std::string, std::string> marks;
  for (int i = 0; i < rows.size(); ++i) marks[rows[i].text("id")] = rows[i].text("mark");
  return marks;
}

std::vector<Claim> lost_of(Step& step, std::span<const Claim> claims) {
  std::vector<std::int64_t> numbers, epochs;
  for (const Claim& claim : claims) {
    numbers.push_back(claim.number);
    epochs.push_back(claim.epoch);
  }
  const auto rows = step.query(
      "SELECT held.number, held.epoch FROM unnest($1::bigint[], $2::bigint[]) "
      "AS held (number, epoch) WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE "
      "jobs.number = held.number AND jobs.epoch = held.epoch AND jobs.node IS NOT NULL)",
      fmt::format("{{{}}}", fmt::join(numbers, ",")),
      fmt::format("{{{}}}", fmt::join(epochs, ",")));
  std::vector<Claim> lost;
  for (int i = 0; i < rows.size(); ++i) {
    lost.push_back({rows[i].integer("number"), rows[i].integer("epoch")});
  }
  return lost;
}

}  // namespace server::postgres
