#include "server/jobs/turn_rules.h"

namespace server {

bool is_turn_of_bulk(std::uint64_t begun) {
  return (begun + 1) % bulk_is_first_every == 0;
}

double cost_of_job(const JobLimits& limits, const std::string& owner) {
  const auto found = limits.of_owner.find(owner);
  return found == limits.of_owner.end() ? 1 : 1 / found->second.weight;
}

}  // namespace server
