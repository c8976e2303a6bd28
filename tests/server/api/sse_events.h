#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace server::test {

// Returns the data of the server-sent events in a stream, in order.
inline std::vector<std::string> sse_data_of(const std::string& stream) {
  const std::string begin = "data: ";
  std::vector<std::string> found;
  for (auto at = stream.find(begin); at != stream.npos; at = stream.find(begin, at)) {
    at += begin.size();
    found.push_back(stream.substr(at, stream.find('\n', at) - at));
  }
  return found;
}

inline std::vector<nlohmann::json> sse_events(const std::string& stream) {
  std::vector<nlohmann::json> found;
  for (const auto& text : sse_data_of(stream)) found.push_back(nlohmann::json::parse(text));
  return found;
}

}  // namespace server::test
