#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "protocol/option_table.h"
#include "server/base/error.h"

// These functions set one decoding option to what a user gave for it. `shown_as` is the name that
// the user knows: "option --beam-size", "parameter beam_size". The code of errors is `usage`, and
// `options` is then unchanged.
namespace server {

// Sets the option from text: lists are divided at commas, and "none" unsets what may be unset.
Result<void> set_option(const protocol::Option& option, std::string_view shown_as,
                        std::string_view text, protocol::TranscribeOptions& options);

Result<void> set_option_json(const protocol::Option& option, std::string_view shown_as,
                             nlohmann::json value, protocol::TranscribeOptions& options);

}  // namespace server
