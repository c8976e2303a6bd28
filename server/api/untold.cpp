#include "server/api/untold.h"

#include <algorithm>
#include <utility>

namespace server::api {

std::vector<protocol::Segment> untold_of(const std::vector<protocol::Segment>& all,
                                         std::string_view told, std::size_t told_logprobs) {
  protocol::Segment rest;
  for (const auto& segment : all) {
    rest.text += segment.text;
    rest.token_logprobs.insert(rest.token_logprobs.end(), segment.token_logprobs.begin(),
                               segment.token_logprobs.end());
  }
  if (!rest.text.starts_with(told) || rest.text == told) return {};
  rest.text.erase(0, told.size());
  const auto gone = std::min(told_logprobs, rest.token_logprobs.size());
  rest.token_logprobs.erase(rest.token_logprobs.begin(),
                            rest.token_logprobs.begin() + static_cast<std::ptrdiff_t>(gone));
  return {std::move(rest)};
}

}  // namespace server::api
