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

// What every entry into the daemon (REST, MCP over HTTP, MCP over stdio) works with. Made and owned
// by the composition root.
struct Services {
  JobQueue& jobs;
  ModelPool& models;
  const ModelStore& store;
  const AllowedPaths& paths;
  Spool& spool;
  Uploads& uploads;
  BlockingCalls& disk;         // for what a slow disk may hold up
  UrlFetcher* urls = nullptr;  // nullptr: addresses are not allowed
  std::string default_model;
  protocol::TranscribeOptions options{};  // where a request says nothing else
};

// The installed model that a client means: the default one for "", for OpenAI's names and for its
// own name. Nobody can name a path. Errors: the model store's.
Result<std::string> model_for(const Services& services, const std::string& wanted);

// Whose names clients may use for the default model: whisper-1, gpt-4o-transcribe and the like.
bool is_openai_model(std::string_view name);

}  // namespace server
