#pragma once

#include <optional>
#include <string>

#include "platform/verdict/choice.h"

// These functions describe a choice of device, for people and for programs.
namespace server {

// Returns why a card that is wanted, or present, is not used; nothing if there is no such card.
std::optional<platform::Finding> cause(const platform::ChoiceResult& choice);

// Returns the whole answer in a sentence: the device and why, or the first cause against it.
std::string headline(const platform::ChoiceResult& choice);

// Returns what happens instead where a card is not used; otherwise empty.
std::string consequence(const platform::ChoiceResult& choice);

// Returns whether the device that was asked for is used; with `auto` any device will do.
bool wanted_works(const platform::ChoiceResult& choice, const platform::DeviceRequest& wanted);

}  // namespace server
