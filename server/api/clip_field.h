#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/data_url.h"
#include "server/api/transcription_form.h"
#include "server/base/error.h"
#include "server/inputs/spool.h"

namespace server {

// Makes the file of a part; `expected` is the announced number of its bytes, 0: unknown.
using CreateFile = std::function<Result<SpoolFile>(std::uint64_t expected)>;

// A field known_speaker_references as it comes: a data: URL in Base64, whose bytes go into a file,
// or a JSON list of several, which is held as text until it is whole.
class ClipField {
 public:
  // `create_file` must outlive this object.
  explicit ClipField(const CreateFile& create_file) : create_file_(create_file) {}

  // Errors: those of the spool.
  Result<void> take(std::string_view text);
  // Ends the field, and appends its clips, whose files are closed. Errors: those of the spool, and
  // bad_speaker_name if `clips` would have more than protocol::most_known_speakers.
  Result<void> finish(std::vector<SentClip>& clips);
  std::size_t held_bytes() const { return list_.size(); }

 private:
  Result<void> decode(std::string_view text);
  Result<void> end_clip(std::vector<SentClip>& clips);

  const CreateFile& create_file_;
  bool has_begun_ = false;
  std::string list_{};                               // empty: the field is one clip
  std::optional<protocol::DataUrlReader> reader_{};  // nothing: what came is no data: URL
  SentClip file_{};                                  // made with the first bytes
};

}  // namespace server
