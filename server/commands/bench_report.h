#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "protocol/bench_messages.h"

namespace server {

// What was measured with a model, for people: tables, and the kernels that computed.
std::string bench_report(const std::string& model, const protocol::worker::BenchResult& result);

// The same for programs, with the names of the fields of BenchResult.
nlohmann::ordered_json bench_json(const std::string& model,
                                  const protocol::worker::BenchResult& result);

}  // namespace server
