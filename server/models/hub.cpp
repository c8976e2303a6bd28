#include "server/models/hub.h"

#include <algorithm>

#include "server/models/curl_handle.h"
#include "server/models/download.h"
#include "server/models/fetch_file.h"
#include "server/models/http.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

// The limit of a file. The largest existing models have 6 GB.
constexpr std::uint64_t max_file_bytes = 16ULL << 30;

bool is_hex(const std::string& text, std::size_t length) {
  return text.size() == length && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Returns the digest by which the hub names a file.
std::optional<Digest> announced_digest(const RemoteFile& remote) {
  const auto& etag = remote.linked_etag ? remote.linked_etag : remote.etag;
  if (etag && is_hex(*etag, 64)) return Digest{Digest::Kind::sha256, *etag};
  if (etag && is_hex(*etag, 40)) return Digest{Digest::Kind::git_blob_sha1, *etag};
  return std::nullopt;
}

// Returns what the file must be: what the registry says, or else what the hub says.
StoreResult<KnownFile> expectation(const KnownFile& known, const RemoteFile& remote,
                                   const std::string& url) {
  KnownFile expected = known;
  const auto size = remote.linked_size ? remote.linked_size : remote.content_length;
  if (!expected.size) expected.size = size;
  if (!expected.digest) expected.digest = announced_digest(remote);
  if (!expected.digest) {
    return StoreError{
        StoreErrc::wrong_content,
        without_login(url) + ": the server names no checksum, so the file cannot be verified",
        "Check HF_ENDPOINT: it must speak as the Hugging Face hub does."};
  }
  if (expected.size.value_or(0) > max_file_bytes) {
    return StoreError{StoreErrc::wrong_content,
                      without_login(url) + ": the server announces " +
                          std::to_string(*expected.size) + " bytes, which no file of a model has",
                      "Check HF_ENDPOINT, or take another source with --source."};
  }
  if (size && *size != *expected.size) {
    return StoreError{StoreErrc::wrong_content,
                      without_login(url) + ": expected " + std::to_string(*expected.size) +
                          " bytes, the server has " + std::to_string(*size),
                      "Check HF_ENDPOINT, or take another source with --source."};
  }
  return expected;
}

}  // namespace

std::string certificates_of(const Environment& environment) {
  for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"}) {
    if (auto file = environment(variable); !file.empty()) return file;
  }
  // libcurl knows the first one by itself. An archive runs on systems that have another one.
  for (const char* file : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                           "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"}) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) return file;
  }
  return "";
}

HubAccess hub_access(const Environment& environment) {
  HubAccess access{environment("HF_ENDPOINT"), {environment("HF_TOKEN"), ""}};
  access.http.certificates = certificates_of(environment);
  if (access.endpoint.empty()) access.endpoint = "https://huggingface.co";
  if (access.endpoint.find("://") == std::string::npos) access.endpoint.insert(0, "https://");
  while (access.endpoint.ends_with('/')) access.endpoint.pop_back();
  return access;
}

StoreResult<Fetched> fetch_from_hub(const HubSource& source, const HubAccess& access,
                                    const fs::path& folder, const Observer& observer) {
  Fetched fetched;
  std::string revision = source.revision;
  for (const KnownFile& file : source.files) {
    const std::string url =
        access.endpoint + "/" + source.repository + "/resolve/" + revision + "/" + file.name;
    const auto remote = describe(url, access.http, observer);
    if (!remote) return remote.error();
    // All files are fetched from the commit of the first one.
    if (remote->commit && is_hex(*remote->commit, 40)) revision = *remote->commit;
    const auto expected = expectation(file, *remote, url);
    if (!expected) return expected.error();
    const Download wanted{url, access.http, folder / file.name, expected->digest->hex,
                          expected->size};
    if (auto room = require_space(folder, missing_bytes(wanted)); !room) return room.error();
    auto file_here = fetch_file(wanted, *expected, observer);
    if (!file_here) return file_here.error();
    fetched.files.push_back(std::move(*file_here));
  }
  fetched.origin = source.repository + "@" + revision;
  return fetched;
}

StoreResult<Fetched> fetch_from_openai(const OpenAiSource& source, const std::string& certificates,
                                       const fs::path& folder, const Observer& observer) {
  const Download wanted{.url = source.url,
                        .access = {.certificates = certificates},
                        .to = folder / source.file.name,
                        .identity = source.file.digest->hex,
                        .size = source.file.size,
                        .max_size = max_file_bytes};
  auto file = fetch_file(wanted, source.file, observer);
  if (!file) return file.error();
  return Fetched{source.url, {std::move(*file)}};
}

}  // namespace server
