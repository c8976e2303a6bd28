#include "server/api/clip_field.h"

#include <fmt/format.h>

#include <utility>

#include "protocol/known_speaker.h"
#include "server/api/form_values.h"

namespace server {
namespace {

// A file is made for each clip, so more than a request may have are refused before it is made.
Result<void> check_count(std::size_t clips) {
  if (clips <= protocol::most_known_speakers) return {};
  return Error{protocol::bad_speaker_name,
               fmt::format("There are {} voice samples, and may be {} at most.", clips,
                           protocol::most_known_speakers),
               "Send only those of speakers that are likely to occur."};
}

}  // namespace

Result<void> ClipField::take(std::string_view text) {
  if (!has_begun_) reader_.emplace();
  const bool is_list = has_begun_ ? !list_.empty() : text.starts_with('[');
  has_begun_ = true;
  if (!is_list) return decode(text);
  list_ += text;
  return {};
}

Result<void> ClipField::decode(std::string_view text) {
  const auto bytes = reader_ ? reader_->feed(text) : std::nullopt;
  if (!bytes) reader_.reset();
  if (!bytes || bytes->empty()) return {};
  if (!file_) {
    auto made = create_file_(0);
    if (!made) return made.error();
    file_.emplace(*std::move(made));
  }
  return file_->write(*bytes);
}

Result<void> ClipField::end_clip(std::vector<SentClip>& clips) {
  if (!reader_ || !reader_->is_whole()) {
    clips.emplace_back();
    return {};
  }
  if (!file_) {  // a clip of no bytes
    auto made = create_file_(0);
    if (!made) return made.error();
    file_.emplace(*std::move(made));
  }
  // A form may have many clips, and waits for its job: descriptors are few.
  file_->close();
  clips.push_back(std::move(file_));
  return {};
}

Result<void> ClipField::finish(std::vector<SentClip>& clips) {
  if (list_.empty()) {
    if (const auto fits = check_count(clips.size() + 1); !fits) return fits;
    return end_clip(clips);
  }
  const auto urls = items_of(std::exchange(list_, {}));
  if (const auto fits = check_count(clips.size() + urls.size()); !fits) return fits;
  for (const auto& url : urls) {
    reader_.emplace();
    file_.reset();
    if (const auto decoded = decode(url); !decoded) return decoded;
    if (const auto ended = end_clip(clips); !ended) return ended;
  }
  return {};
}

}  // namespace server
