#pragma once

#include "server/api/form_values.h"
#include "server/http/exchange.h"
#include "server/jobs/job_filter.h"
#include "server/submission/services.h"

// The filters and limits in the address of a list.
namespace server {

template <class T>
using QueryResult = boost::system::result<T, FormError>;

QueryResult<int> page_size(const Exchange& exchange);

// Returns the filter of a list of jobs; parameters that are missing or empty let all through.
QueryResult<JobFilter> job_filter(const Exchange& exchange, const Services& services);

// Returns the text to look for; empty: none.
QueryResult<std::string> wanted_text(const Exchange& exchange);

}  // namespace server
