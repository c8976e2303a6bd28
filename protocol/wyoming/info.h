#pragma once

#include <string>
#include <vector>

#include "protocol/wyoming/frames.h"

namespace protocol::wyoming {

struct InfoModel {
  std::string name{};
  std::vector<std::string> languages{};  // codes
};

// What a server offers, as Home Assistant asks for it before anything else.
struct Info {
  std::string version{};              // scribed's
  bool requires_external_vad = true;  // the client finds the end of a command
  std::vector<InfoModel> models{};    // the default one first
};

// Writes the answer to `describe`.
Message info_message(const Info& info);

}  // namespace protocol::wyoming
