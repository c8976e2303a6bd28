#pragma once

#include <string>

namespace server {

class AllowedPaths;
class JobQueue;
class ModelPool;
class Spool;
class Uploads;
class UrlFetcher;

// What every entry into the daemon (REST, MCP over HTTP, MCP over stdio) works with. Made and owned
// by the composition root.
struct Services {
  JobQueue& jobs;
  ModelPool& models;
  const AllowedPaths& paths;
  Spool& spool;
  Uploads& uploads;
  UrlFetcher* urls = nullptr;  // nullptr: addresses are not allowed
  std::string default_model;
};

}  // namespace server
