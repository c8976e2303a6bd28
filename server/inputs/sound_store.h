#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platform/unique_fd.h"
#include "server/inputs/kept_sound.h"
#include "server/inputs/spool.h"

namespace server {

namespace errc {
inline constexpr char no_sound[] = "no_sound";  // a job has no kept sound, or not all of it
}

// A job's sound while it is written, by this process or by a decoder that has its descriptor. What
// was written stays when this object goes, and an empty file goes with it.
class SoundWriter {
 public:
  SoundWriter(const Spool& files, platform::UniqueFd fd, std::string job, std::string owner);
  SoundWriter(SoundWriter&&) = default;
  SoundWriter& operator=(SoundWriter&&) = default;
  ~SoundWriter();

  // Adds samples at 16 kHz. Errors: out_of_disk, io_error, and those of DiskRoom.
  Result<void> write(std::span<const std::int16_t> samples);
  // Marks the sound as whole. Nothing may be written afterwards.
  void finish();

  // The next three are for sound that a decoder writes. It may have as many bytes as room() says.
  int descriptor() const { return fd_.get(); }
  std::uint64_t room() const;
  // Counts what the decoder has written by now.
  void measure();
  // The decoder has come to the end: the sound is whole if it has that many seconds, and is removed
  // if it has less, because there was no room for it. It may be called again.
  void finish_at(double seconds);

 private:
  const Spool* files_;
  platform::UniqueFd fd_;
  std::string job_;
  std::string owner_;
  ino_t inode_ = 0;
  std::uint64_t bytes_ = 0;
};

// A job's sound to be read. The bytes stay the same, also where more are added.
struct OpenSound {
  platform::UniqueFd fd{};
  KeptSound facts{};
};

// How much sound is kept of all jobs.
struct SoundUse {
  std::uint64_t bytes = 0;
  std::size_t jobs = 0;
};

// The sound of jobs, for those who play or transcribe it again: a file for each job, which is
// removed with it. Sound that is not whole yet is in JOB.part, and may be read as well. It is not
// synced: a loss of power may cost sound, but no text. It may be used from any thread.
class SoundStore {
 public:
  // Opens the folder, which is made if it does not exist. Errors: io_error.
  static Result<SoundStore> open(std::filesystem::path folder, SpoolSettings settings = {});

  // Opens a job's sound to be written: behind what is there, or from its beginning again, where a
  // decoder gives the same bytes once more. This object must outlive the writer. Errors:
  // out_of_disk, io_error.
  Result<SoundWriter> begin(const std::string& job, const std::string& owner) const;
  Result<SoundWriter> begin_anew(const std::string& job, const std::string& owner) const;
  // Makes a file of the same file system the whole sound of a job, by a name of its own.
  Result<void> link(const std::filesystem::path& file, const std::string& job) const;

  // Marks sound as whole that nobody writes any more.
  void finish(const std::string& job) const;

  std::optional<KeptSound> find(const std::string& job) const;
  // The error is no_sound.
  Result<OpenSound> read(const std::string& job) const;
  // Gives the whole sound of a job a name of its own in `spool`, which is on the same file system.
  // The error is no_sound, and those of Spool.
  Result<std::filesystem::path> take(const std::string& job, const Spool& spool) const;
  // Opens the file that keeps the peaks of a job's sound (sound_peaks.h); empty if that fails. The
  // file has no name where the sound is gone meanwhile.
  platform::UniqueFd open_peaks(const std::string& job) const;

  // Return the files of a job's whole sound and of its peaks, whether or not they are there.
  std::filesystem::path path(const std::string& job) const { return files_.folder() / job; }
  std::filesystem::path peaks_path(const std::string& job) const;

  // Removes all that is kept of a job.
  void remove(const std::string& job) const;
  // Counts the sound that an earlier process kept. Called after a start.
  void adopt(const std::string& job, const std::string& owner) const;
  // Returns the ids of the jobs that something is kept of.
  std::vector<std::string> jobs() const;
  // It reads the disk: call it on a thread that may wait.
  SoundUse use() const;

 private:
  explicit SoundStore(Spool files) : files_(std::move(files)) {}
  Result<SoundWriter> open_to_write(const std::string& job, const std::string& owner,
                                    int flags) const;

  Spool files_;
};

}  // namespace server
