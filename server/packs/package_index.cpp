#include "server/packs/package_index.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <memory>

#include "server/models/curl_handle.h"
#include "server/models/download.h"
#include "server/models/hub.h"
#include "server/models/staging.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// The index that pip takes where nobody names one; empty if the machine that built this had no pip.
constexpr char pip_index[] = SCRIBED_PIP_INDEX;

// Pages of packages with thousands of files have a few megabytes.
constexpr std::uint64_t max_page_bytes = 32 << 20;

// Returns the name as addresses of an index have it: in lower case, with dashes.
std::string name_in_index(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return c == '_' || c == '.' ? '-' : static_cast<char>(std::tolower(c));
  });
  return name;
}

// Puts a character instead of each "&amp;", which attributes of HTML have for it.
std::string without_entities(std::string_view text) {
  constexpr std::string_view entity = "&amp;";
  std::string plain;
  for (auto at = text.find(entity); at != text.npos; at = text.find(entity)) {
    plain.append(text, 0, at).append("&");
    text.remove_prefix(at + entity.size());
  }
  return plain.append(text);
}

std::string file_of_link(std::string_view link) {
  link = link.substr(0, link.find_first_of("?#"));
  if (const auto slash = link.rfind('/'); slash != link.npos) link.remove_prefix(slash + 1);
  int length = 0;
  const CurlText decoded(
      curl_easy_unescape(nullptr, link.data(), static_cast<int>(link.size()), &length));
  return decoded ? std::string(decoded.get(), static_cast<std::size_t>(length)) : std::string();
}

std::optional<std::string> joined_address(const std::string& base, const std::string& link) {
  const CurlUrl url(curl_url());
  char* whole = nullptr;
  if (!url || curl_url_set(url.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK ||
      curl_url_set(url.get(), CURLUPART_URL, link.c_str(), 0) != CURLUE_OK ||
      curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0) != CURLUE_OK ||
      curl_url_get(url.get(), CURLUPART_URL, &whole, 0) != CURLUE_OK) {
    return std::nullopt;
  }
  return std::string(CurlText(whole).get());
}

}  // namespace

PackageIndex package_index(const std::string& named, const Environment& environment) {
  PackageIndex index{named, {.certificates = certificates_of(environment)}};
  if (index.address.empty()) index.address = environment("PIP_INDEX_URL");
  if (index.address.empty()) index.address = pip_index;
  while (index.address.ends_with('/')) index.address.pop_back();
  return index;
}

std::optional<std::string> address_in_page(std::string_view page, const std::string& page_address,
                                           const std::string& file) {
  constexpr std::string_view attribute = "href=";
  for (auto at = page.find(attribute); at != page.npos; at = page.find(attribute, at + 1)) {
    std::string_view rest = page.substr(at + attribute.size());
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) continue;
    const auto end = rest.find(rest.front(), 1);
    if (end == rest.npos) return std::nullopt;
    const std::string link = without_entities(std::string(rest.substr(1, end - 1)));
    if (file_of_link(link) == file) return joined_address(page_address, link);
  }
  return std::nullopt;
}

StoreResult<std::string> wheel_address(const PackageIndex& index,
                                       const platform::PackPackage& package, const fs::path& work,
                                       const Observer& observer) {
  if (index.address.empty()) {
    return StoreError{StoreErrc::unreachable, "no index of Python packages is named", ""};
  }
  const std::string address = index.address + "/" + name_in_index(package.name) + "/";
  const fs::path file = work / (package.name + ".html");
  if (auto made = make_folder(work); !made) return made.error();
  discard_download(file);
  const Download wanted{
      .url = address, .access = index.http, .to = file, .max_size = max_page_bytes};
  const auto sent_by = download(wanted, observer);
  if (!sent_by) return sent_by.error();
  std::ifstream stream(file, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  discard_download(file);
  if (auto found = address_in_page(page, *sent_by, package.wheel)) return *std::move(found);
  return StoreError{StoreErrc::not_on_server,
                    without_login(address) + " does not list " + package.wheel, ""};
}

}  // namespace server
