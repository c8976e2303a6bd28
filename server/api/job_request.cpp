#include "server/api/job_request.h"

#include <filesystem>
#include <utility>

#include "server/inputs/uploads.h"

namespace server {
namespace {

asio::awaitable<Result<std::filesystem::path>> input_of(Api& api, const std::string& owner,
                                                        ReceivedForm& received,
                                                        const TranscriptionForm& form) {
  const bool has_upload = !form.upload.empty();
  if (received.file && has_upload) {
    co_return Error{errc::usage, "The request has both a file and an upload.", "Send one of them."};
  }
  if (received.file) co_return received.file->keep();
  if (!has_upload) {
    co_return Error{errc::usage, "The request has no sound.",
                    "Send it as the part `file` of a multipart form, with a file name."};
  }
  const auto upload = api.services.uploads.find(form.upload, owner);
  if (!upload) {
    co_return Error{errc::upload_not_found, "There is no such upload.",
                    "Uploads expire; send the file again to /v1/uploads."};
  }
  if (received.file_name.empty()) received.file_name = upload->name;
  auto taking = take_upload(api.services.disk, api.services.uploads, *upload, api.services.spool);
  auto taken = co_await std::move(taking);
  co_return taken;
}

}  // namespace

std::optional<double> granted_keep_alive(const Principal& principal, std::optional<double> wish) {
  return principal.may(Right::manage) ? wish : std::nullopt;
}

asio::awaitable<Result<JobRequest>> make_job_request(Api& api, const Principal& principal,
                                                     ReceivedForm received,
                                                     const TranscriptionForm& form, bool detached) {
  auto model = model_for(api.services, form.model);
  if (!model) co_return model.error();
  auto finding = input_of(api, principal.name, received, form);
  auto input = co_await std::move(finding);
  if (!input) co_return input.error();
  JobRequest request{.model = *std::move(model),
                     .input = input->string(),
                     .input_is_ours = true,
                     .title = std::move(received.file_name),
                     .owner = principal.name,
                     .fingerprint = std::move(received.fingerprint),
                     .options = form.options,
                     .split_channels = form.split_channels,
                     .channel_labels = form.channel_labels};
  request.decoder.max_seconds = api.settings.max_audio_seconds;
  request.keep_alive_s = granted_keep_alive(principal, form.keep_alive_s);
  request.webhook = form.webhook;
  request.detached = detached;
  co_return request;
}

}  // namespace server
