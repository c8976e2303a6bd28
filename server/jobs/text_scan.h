#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "server/base/error.h"
#include "server/jobs/job.h"
#include "server/jobs/store_calls.h"
#include "server/jobs/text_edit.h"

// Looks for texts in a job by reading its text, where the store has no index of it. The text is
// read in slices, on a thread that is not the store's. Errors: the store's, and client_gone where a
// stop was requested.
namespace server {

// Returns whether each of these texts stands in the title, in the file's name, in a segment or in a
// speaker's name, in any letter case.
Result<bool> texts_stand_in(const OnStore& on_store, const Job& job,
                            std::span<const std::string> texts, std::stop_token stop = {});

// Returns the first segments in which a text stands, at most so many.
Result<std::vector<TextMatch>> scan_for_matches(const OnStore& on_store, const Job& job,
                                                const std::string& text, int most,
                                                std::stop_token stop = {});

}  // namespace server
