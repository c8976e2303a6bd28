#include "server/objects/s3_client.h"

#include <fmt/format.h>
#include <time.h>

#include "server/objects/xml_fields.h"

namespace server {
namespace {

// A list of a thousand objects has some 400 KiB.
constexpr std::size_t most_list_bytes = 2 << 20;
// Those of an upload in parts are kept for each part: real ones have some tens.
constexpr std::size_t longest_tag = 1024;

S3Error unreadable() {
  return {S3Errc::unavailable, "the bucket's answer cannot be read"};
}

S3Result<void> without_answer(const S3Result<S3Answer>& answer) {
  if (!answer) return answer.error();
  return {};
}

// "2026-11-26T16:08:28.000Z"; 0: it is no such time.
std::time_t time_of(const std::string& text) {
  std::tm parts{};
  if (::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return 0;
  return ::timegm(&parts);
}

}  // namespace

S3Result<void> S3Client::put(const std::string& name, FileSlice bytes,
                             const CallLimits& limits) const {
  return without_answer(perform(settings_, {.method = "PUT", .name = name, .file = bytes}, limits));
}

S3Result<void> S3Client::get(const std::string& name, std::uint64_t from,
                             std::function<S3Result<void>(std::span<const char>)> on_bytes,
                             const CallLimits& limits) const {
  return without_answer(perform(
      settings_, {.method = "GET", .name = name, .from = from, .on_bytes = std::move(on_bytes)},
      limits));
}

S3Result<std::string> S3Client::get_piece(const std::string& name, std::uint64_t from,
                                          std::uint64_t most, const CallLimits& limits) const {
  std::string piece;
  const auto got =
      perform(settings_,
              {.method = "GET",
               .name = name,
               .from = from,
               .most = most,
               .on_bytes = [&](std::span<const char> bytes) -> S3Result<void> {
                 if (bytes.size() > most - piece.size()) {
                   return S3Error{S3Errc::refused, "the bucket gives more than it was asked for"};
                 }
                 piece.append(bytes.data(), bytes.size());
                 return {};
               }},
              limits);
  if (!got) return got.error();
  return piece;
}

S3Result<void> S3Client::remove(const std::string& name, const CallLimits& limits) const {
  const auto answer = perform(settings_, {.method = "DELETE", .name = name}, limits);
  if (!answer && answer.error().code == S3Errc::missing) return {};
  return without_answer(answer);
}

S3Result<ObjectPage> S3Client::list(const std::string& behind, int most,
                                    const CallLimits& limits) const {
  const std::string& prefix = settings_.place.prefix;
  S3Request request{.method = "GET",
                    .query = {{"list-type", "2"}, {"max-keys", std::to_string(most)}},
                    .most_body = most_list_bytes};
  if (!prefix.empty()) request.query["prefix"] = prefix;
  if (!behind.empty()) request.query["start-after"] = prefix + behind;
  const auto answer = perform(settings_, request, limits);
  if (!answer) return answer.error();
  const auto fields = read_xml_fields(answer->body);
  if (!fields || fields->back().path != "ListBucketResult") return unreadable();
  ObjectPage page{.now = answer->date.value_or(std::time(nullptr)),
                  .is_last = field_text(*fields, "ListBucketResult/IsTruncated") != "true"};
  StoredObject next;
  for (const auto& field : *fields) {
    if (field.path == "ListBucketResult/Contents/Key") next.name = field.text;
    if (field.path == "ListBucketResult/Contents/LastModified") next.changed = time_of(field.text);
    if (field.path != "ListBucketResult/Contents") continue;
    if (!next.name.starts_with(prefix) || next.changed == 0) return unreadable();
    next.name.erase(0, prefix.size());
    page.objects.push_back(std::exchange(next, {}));
  }
  const bool goes_on = page.is_last || page.objects.empty() || page.objects.back().name != behind;
  if (std::ssize(page.objects) > most || !goes_on) return unreadable();
  return page;
}

S3Result<std::string> S3Client::begin_parts(const std::string& name,
                                            const CallLimits& limits) const {
  const auto answer =
      perform(settings_, {.method = "POST", .name = name, .query = {{"uploads", ""}}}, limits);
  if (!answer) return answer.error();
  const auto fields = read_xml_fields(answer->body);
  auto upload = fields ? field_text(*fields, "InitiateMultipartUploadResult/UploadId") : "";
  if (upload.empty() || upload.size() > longest_tag) return unreadable();
  return upload;
}

S3Result<std::string> S3Client::put_part(const std::string& name, const std::string& upload,
                                         int number, FileSlice bytes,
                                         const CallLimits& limits) const {
  const S3Request request{.method = "PUT",
                          .name = name,
                          .query = {{"partNumber", std::to_string(number)}, {"uploadId", upload}},
                          .file = bytes};
  auto answer = perform(settings_, request, limits);
  if (!answer) return answer.error();
  if (answer->etag.empty() || answer->etag.size() > longest_tag) return unreadable();
  return std::move(answer->etag);
}

S3Result<void> S3Client::complete_parts(const std::string& name, const std::string& upload,
                                        const std::vector<std::string>& tags,
                                        const CallLimits& limits) const {
  S3Request request{.method = "POST", .name = name, .query = {{"uploadId", upload}}};
  request.body = "<CompleteMultipartUpload>";
  for (std::size_t i = 0; i < tags.size(); ++i) {
    request.body += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", i + 1,
                                xml_text(tags[i]));
  }
  request.body += "</CompleteMultipartUpload>";
  const auto answer = perform(settings_, request, limits);
  if (!answer) return answer.error();
  // Parts are put together after the status was sent: an error, or nothing, may follow it.
  const auto fields = read_xml_fields(answer->body);
  if (!fields || fields->back().path != "CompleteMultipartUploadResult") return unreadable();
  return {};
}

S3Result<void> S3Client::abort_parts(const std::string& name, const std::string& upload,
                                     const CallLimits& limits) const {
  return without_answer(perform(
      settings_, {.method = "DELETE", .name = name, .query = {{"uploadId", upload}}}, limits));
}

}  // namespace server
