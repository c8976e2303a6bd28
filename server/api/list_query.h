#pragma once

#include <optional>
#include <string_view>

#include "server/api/form_values.h"
#include "server/http/exchange.h"
#include "server/jobs/job_filter.h"
#include "server/submission/services.h"

// The filters and limits in the address of a list.
namespace server {

template <class T>
using QueryResult = boost::system::result<T, FormError>;

// Items of a page: where the client does not say, and at most.
struct PageSizes {
  int usual = 20;
  int most = 100;
};

QueryResult<int> page_size(const Exchange& exchange, PageSizes sizes = {});
// Reads the version of a text that is asked for; none: the newest.
QueryResult<std::optional<int>> text_version(const Exchange& exchange);
// Reads a number from 0 on; nothing: the text is none.
std::optional<int> whole_number(std::string_view text);

// Returns the filter of a list of jobs; parameters that are missing or empty let all through.
QueryResult<JobFilter> job_filter(const Exchange& exchange, const Services& services);

// Returns the text to look for; empty: none.
QueryResult<std::string> wanted_text(const Exchange& exchange);

}  // namespace server
