#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/facts/read_facts.h"

// Replaces what could identify a machine or a person: UUIDs, serial numbers, home folders and the
// names of users and hosts. It is for everything that a user might paste.
namespace platform {

// A name that is also a word of reports ("nvidia", "model"), a number, or shorter than three
// letters is masked only below home folders and beside an @, so that the report stays readable.
std::string mask_identifiers(const std::string& text, const System& system);

// Masks each text in a document. Keys stay, and so do values that are no texts.
nlohmann::ordered_json mask_texts(nlohmann::ordered_json document, const System& system);

}  // namespace platform
