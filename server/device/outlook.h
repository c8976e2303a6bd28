#pragma once

#include <optional>
#include <string>

#include "platform/verdict/choice.h"
#include "server/device/survey.h"

namespace server {

// What would happen if a model were loaded now.
struct Outlook {
  std::optional<platform::Choice> choice{};  // nothing: scribed would refuse
  std::optional<platform::Finding> cause{};  // why a card that is wanted, or there, is not used
  bool gpu_required = false;                 // that is why it would refuse
  bool wanted_works = false;                 // with `auto`, any device will do

  // The whole answer in a sentence: the device and why, or the first cause against it.
  std::string headline() const;
  // What happens instead, where a card is not used; otherwise empty.
  std::string consequence() const;
};

Outlook look_ahead(const Survey& survey, bool require_gpu);

}  // namespace server
