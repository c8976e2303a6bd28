#pragma once

#include <string>
#include <utility>
#include <vector>

#include "server/client/api_client.h"
#include "server/inputs/input.h"

namespace server {

// Sends a recording as a job, with the fields of a form. `input` is a file's name, or "-" for
// stdin. Returns the answer, whose body is the job. Errors: those of open_input and of
// ApiClient::call.
Result<ApiAnswer> send_job(const ApiClient& client, const std::string& input,
                           const std::vector<std::pair<std::string, std::string>>& fields,
                           std::function<bool()> is_stopped);

// Returns the file as a form sends it; it stays `input`'s.
SentFile sent_file(const Input& input, const std::string& name);

}  // namespace server
