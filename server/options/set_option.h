#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "protocol/option_table.h"
#include "server/base/error.h"

// Sets one decoding option to what somebody gave for it. `shown_as` is its name as they know it:
// "option --beam-size", "parameter beam_size". The code of errors is `usage`, and `options` is then
// as it was.
namespace server {

// Lists are divided at commas; "none" unsets what may be unset.
Result<void> set_option(const protocol::Option& option, std::string_view shown_as,
                        std::string_view text, protocol::TranscribeOptions& options);

Result<void> set_option_json(const protocol::Option& option, std::string_view shown_as,
                             nlohmann::json value, protocol::TranscribeOptions& options);

}  // namespace server
