#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "platform/pack_list.h"
#include "server/base/environment.h"
#include "server/models/error.h"
#include "server/models/http_access.h"
#include "server/models/observer.h"

namespace server {

// An index of Python packages: a page for each package, with a link to each of its files (PEP 503).
struct PackageIndex {
  std::string address{};  // without a slash at the end
  HttpAccess http{};
};

// Returns the index that `named` is, or else $PIP_INDEX_URL, or the one that pip takes by itself.
PackageIndex package_index(const std::string& named, const Environment& environment);

// Returns the whole address of a file that a page of an index links to; empty if it does not. The
// last part of a link's path is the file's name.
std::optional<std::string> address_in_page(std::string_view page, const std::string& page_address,
                                           const std::string& file);

// Fetches the page of a package into `work`, and returns the address of the wheel that is wanted.
StoreResult<std::string> wheel_address(const PackageIndex& index,
                                       const platform::PackPackage& package,
                                       const std::filesystem::path& work, const Observer& observer);

}  // namespace server
