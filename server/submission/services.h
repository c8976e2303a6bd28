#pragma once

#include <string>
#include <string_view>

#include "protocol/transcribe_options.h"
#include "server/base/error.h"

namespace server {

class AllowedPaths;
class BlockingCalls;
class JobQueue;
class ModelPool;
class ModelStore;
class Spool;
class Uploads;
class UrlFetcher;

// The objects that every entry into the daemon (REST, MCP over HTTP, MCP over stdio) works with.
// The composition root makes and owns them.
struct Services {
  JobQueue& jobs;
  ModelPool& models;
  const ModelStore& store;
  const AllowedPaths& paths;
  Spool& spool;
  Uploads& uploads;
  BlockingCalls& disk;         // for calls that a slow disk may hold up
  UrlFetcher* urls = nullptr;  // nullptr: addresses are not allowed
  std::string default_model;
  protocol::TranscribeOptions options{};  // the defaults of requests
};

// Returns the installed model that a client means: the default one for "", for OpenAI's names and
// for its own name. Nobody can name a path. Errors: those of the model store.
Result<std::string> model_for(const Services& services, const std::string& wanted);

// Returns whether a name is one of OpenAI's that clients may use for the default model: whisper-1,
// gpt-4o-transcribe and the like.
bool is_openai_model(std::string_view name);

}  // namespace server
