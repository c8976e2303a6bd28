#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "server/config/config.h"
#include "server/device/device_arguments.h"

namespace server {

// The options of commands that read configuration files: a few settings that are used often, and
// any other by its key.
struct ConfigOptions {
  std::filesystem::path file{};
  std::vector<std::string> listen{};
  std::vector<std::string> allow_paths{};
  std::string model{};
  std::string threads{};
  std::string key_file{};
  std::string database{};
  std::string role{};
  std::string objects{};
  std::string state_folder{};
  std::string log_level{};
  std::string log_format{};
  std::vector<std::string> set{};  // "key=value"
  DeviceArguments device{};
};

// Both functions add options to `command`; `options` must outlive it.
void add_config_options(CLI::App& command, ConfigOptions& options);
void add_server_options(CLI::App& command, ConfigOptions& options);

// Reads the configuration from all its sources. Its wishes for a device go into `options.device`
// where the command line has none.
Result<Config> read_config(ConfigOptions& options);

// Removes secrets from the environment, once all who need one have read it: children and whoever
// looks into /proc find none there then. Call it before there are threads.
void forget_secrets();

}  // namespace server
