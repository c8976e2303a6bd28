#include "server/api/received_form.h"

#include <fmt/format.h>

#include <memory>
#include <stop_token>
#include <utility>

#include "server/http/multipart.h"
#include "server/options/text_limits.h"
#include "server/store/digest.h"

namespace server {
namespace {

constexpr std::size_t max_field_bytes = 64 * 1024;
constexpr std::size_t chunk_bytes = 64 * 1024;

class FormSink final : public MultipartSink {
 public:
  FormSink(ReceivedForm& form, const CreateFile& create_file)
      : form_(form), create_file_(create_file) {}

  Result<void> part_begins(const PartHead& head) override {
    fingerprint(head.name);
    is_file_ = head.name == "file";
    if (!is_file_) {
      form_.fields.push_back({head.name, ""});
      return {};
    }
    if (form_.file) return Error{errc::usage, "The form has several files.", "Send one of them."};
    auto file = create_file_();
    if (!file) return file.error();
    form_.file.emplace(*std::move(file));
    form_.file_name = head.filename.value_or("").substr(0, max_name_bytes);
    return {};
  }

  Result<void> part_data(std::string_view bytes) override {
    hasher_.update(bytes);
    if (is_file_) return form_.file->write(bytes);
    auto& value = form_.fields.back().value;
    if (value.size() + bytes.size() > max_field_bytes) {
      return Error{errc::too_large,
                   fmt::format("The parameter {} is too long.", form_.fields.back().name),
                   fmt::format("It may have {} bytes.", max_field_bytes)};
    }
    value += bytes;
    return {};
  }

  Result<void> part_ends() override {
    fingerprint("");
    return {};
  }

  std::string finish() { return hasher_.finish(); }

 private:
  // A name, or the end of a part: no form of other parts has the same bytes.
  void fingerprint(std::string_view text) {
    hasher_.update(text);
    hasher_.update(std::string_view("\0", 1));
  }

  ReceivedForm& form_;
  const CreateFile& create_file_;
  Hasher hasher_{Digest::Kind::sha256, 0};
  bool is_file_ = false;
};

}  // namespace

asio::awaitable<Result<ReceivedForm>> receive_form(Exchange& exchange, CreateFile create_file,
                                                   std::uint64_t max_bytes) {
  const auto boundary = boundary_of(exchange.headers()[http::field::content_type]);
  if (!boundary) co_return boundary.error();
  exchange.allow_body(max_bytes);
  ReceivedForm form;
  FormSink sink(form, create_file);
  MultipartParser parser(*boundary, sink);
  std::vector<char> chunk(chunk_bytes);
  while (true) {
    const auto count = co_await exchange.read_some(chunk);
    if (!count) co_return count.error();
    if (*count == 0) break;
    const auto fed = parser.feed(std::string_view(chunk.data(), *count));
    if (!fed) co_return fed.error();
  }
  if (const auto whole = parser.finish(); !whole) co_return whole.error();
  form.fingerprint = sink.finish();
  co_return form;
}

asio::awaitable<Result<void>> sync_file(BlockingCalls& disk, ReceivedForm& form) {
  if (!form.file) co_return Result<void>{};
  // Shared with the thread, which may still be at it when nobody waits any more.
  const auto file = std::make_shared<SpoolFile>(*std::move(form.file));
  form.file.reset();
  std::function<Result<void>(std::stop_token)> work = [file](std::stop_token) {
    return file->sync();
  };
  const auto synced = co_await disk.run<void>(std::move(work));
  if (synced) form.file.emplace(std::move(*file));
  co_return synced;
}

}  // namespace server
