#pragma once

#include <string>
#include <string_view>
#include <vector>

// The environment variables of scribed: a name that begins as they do, and is none, is a setting
// that silently does nothing.
namespace server {

// A variable that scribed does not know.
struct UnknownVariable {
  std::string name{};
  std::string nearest{};       // the known name that is most like it; empty: none is
  bool resembles_key = false;  // whoever set it may have meant a key of the server's clients
};

// Returns what is unknown among names that begin with SCRIBED_. Names that Kubernetes gives every
// pod of a namespace with a service called scribed, and those of this project's tests
// (SCRIBED_FAKE_…), are nobody's mistake.
std::vector<UnknownVariable> unknown_variables(const std::vector<std::string>& names);

// Returns "SCRIBED_API_KY is set, and scribed does not know it. Did you mean SCRIBED_API_KEY?".
std::string text_of(const UnknownVariable& unknown);

}  // namespace server
