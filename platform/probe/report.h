#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/unique_fd.h"

namespace platform {

// A probe's child reports to its parent while it works, one JSON object a line:
//   {"at": "cuInit"}     it is about to call this; whatever ends the child now happened there
//   {"so_far": {…}}      the facts known so far, for a child that does not reach its answer
//   {"answer": {…}}      the facts; nothing follows
// Each line is written at once and unbuffered, because the next call may be the last.
class Report {
 public:
  explicit Report(UniqueFd out) : out_(std::move(out)) {}

  void at(const std::string& function) { line("at", function); }
  void so_far(const nlohmann::json& facts) { line("so_far", facts); }
  void answer(const nlohmann::json& facts) { line("answer", facts); }

 private:
  void line(const char* key, const nlohmann::json& value);

  UniqueFd out_;
};

}  // namespace platform
