#pragma once

#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "platform/unique_fd.h"
#include "protocol/known_speaker.h"
#include "protocol/transcribe_options.h"
#include "server/base/call_places.h"
#include "server/base/error.h"

namespace server {

class AllowedPaths;
class FairCalls;
class JobQueue;
class ModelPool;
class ModelStore;
class SharedUploads;
class SoundStore;
class Spool;
class Uploads;
class UrlFetcher;

// Decodes the clip of a speaker who is known by name (server/transcription/known_speakers.h).
using ReadKnownSpeaker = std::function<boost::asio::awaitable<Result<protocol::KnownSpeaker>>(
    std::string name, platform::UniqueFd file)>;

// Makes a file of the spool one that all daemons can read, before its job is accepted, and returns
// what the job names. The spool's file is the caller's as before. The error is
// recordings_unavailable.
using ShareRecording =
    std::function<boost::asio::awaitable<Result<std::string>>(std::filesystem::path file)>;

// Reads the whole sound of a job where it lies for all daemons, and not in SoundStore. Both are
// empty where there is no such place. Errors: no_sound, recordings_unavailable.
struct DistantSound {
  std::function<boost::asio::awaitable<Result<std::string>>(std::string job, std::uint64_t from,
                                                            std::uint64_t bytes)>
      read{};
  std::function<boost::asio::awaitable<Result<std::string>>(std::string job)> peaks{};
};

// The owner of calls that the daemon makes for itself. No key has a name with a space.
inline constexpr char own_work[] = "the daemon";

// The objects that every entry into the daemon (REST, MCP over HTTP, MCP over stdio) works with.
// The composition root makes and owns them.
struct Services {
  JobQueue& jobs;
  ModelPool& models;
  const ModelStore& store;
  const AllowedPaths& paths;
  Spool& spool;
  Uploads& uploads;
  SharedUploads* shared_uploads = nullptr;  // those of all daemons; nullptr: there are no others
  SoundStore& sounds;
  DistantSound distant_sound{};
  bool keeps_audio = true;  // the sound of new jobs is kept
  FairCalls& disk;          // for calls that a slow disk may hold up
  FairCalls& texts;         // for long texts that are read or written
  // Lists and searches of jobs take turns, so that many of one owner do not keep others waiting. An
  // owner has two places, since a search can take half a minute.
  static constexpr int most_lists_of_one = 64;  // that are made or wait
  std::shared_ptr<CallPlaces> lists = std::make_shared<CallPlaces>(32, 2);
  UrlFetcher* urls = nullptr;  // nullptr: addresses are not allowed
  std::string default_model;
  std::map<std::string, std::string> aliases{};  // other names of installed models
  protocol::TranscribeOptions options{};         // the defaults of requests
  ReadKnownSpeaker read_known_speaker{};
  bool works_elsewhere = false;      // jobs are transcribed by other daemons, with their models
  ShareRecording share_recording{};  // empty: whoever does a job sees the spool
  // Downloads a helper model that a request needs. Returns when it is installed, or after a moment:
  // its jobs wait for it. Empty: helper models are not downloaded by themselves.
  std::function<boost::asio::awaitable<Result<void>>(std::string model)> fetch_helper{};
  // Returns whether a model is being fetched: its jobs are taken, and wait for it.
  std::function<bool(const std::string& model)> is_fetching = [](const std::string&) {
    return false;
  };
};

}  // namespace server
