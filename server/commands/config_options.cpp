#include "server/commands/config_options.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "platform/secret_variable.h"
#include "server/commands/device_options.h"
#include "server/config/environment.h"
#include "server/config/load_config.h"
#include "server/config/settings_table.h"

namespace server {
namespace {

void add_flag(std::vector<ConfigFlag>& flags, const char* key, const char* flag,
              const std::string& text) {
  if (!text.empty()) flags.push_back({key, flag, text});
}

Result<std::vector<ConfigFlag>> flags_of(const ConfigOptions& options) {
  std::vector<ConfigFlag> flags;
  for (const auto& address : options.listen) add_flag(flags, "server.listen", "--listen", address);
  for (const auto& path : options.allow_paths) {
    add_flag(flags, "inputs.allow_paths", "--allow-path", path);
  }
  add_flag(flags, "model.default", "--model", options.model);
  add_flag(flags, "model.threads", "--threads", options.threads);
  add_flag(flags, "cluster.database", "--database", options.database);
  add_flag(flags, "cluster.role", "--role", options.role);
  add_flag(flags, "cluster.objects", "--objects", options.objects);
  add_flag(flags, "server.key_file", "--key-file", options.key_file);
  add_flag(flags, "jobs.state_folder", "--state-folder", options.state_folder);
  add_flag(flags, "log.level", "--log-level", options.log_level);
  add_flag(flags, "log.format", "--log-format", options.log_format);
  for (const auto& text : options.set) {
    const auto equals = text.find('=');
    if (equals == text.npos) {
      return Error{errc::usage, "--set " + text + " has no value", "Write --set key=value."};
    }
    flags.push_back({text.substr(0, equals), "--set", text.substr(equals + 1)});
  }
  return flags;
}

// The command line wins, then the configuration, then GPU_BACKEND and its like.
Result<void> take_device(const Config::Model& model, DeviceArguments& device) {
  device.request.require_gpu |= model.require_gpu;
  if (device.request.compute_type == "auto") device.request.compute_type = model.compute_type;
  if (device.device || model.device == "auto") return {};
  const auto wanted = platform::parse_device(model.device);
  if (!wanted) return Error{errc::bad_config, wanted.error().message, wanted.error().fix};
  device.device = *wanted;
  return {};
}

}  // namespace

void add_config_options(CLI::App& command, ConfigOptions& options) {
  command.add_option("--config", options.file, "Also read this file; see scribed config example")
      ->type_name("FILE");
  command
      .add_option("--model", options.model,
                  "Default model, for requests that name none (default base)")
      ->type_name("MODEL");
  command
      .add_option("--allow-path", options.allow_paths,
                  "Folder whose files clients may transcribe by path; can be repeated")
      ->type_name("FOLDER");
  command.add_option("--threads", options.threads,
                     "CPU threads per model; 0: one per physical core, and a worker per NUMA node");
  command.add_option("--state-folder", options.state_folder, "State folder: jobs and uploads")
      ->type_name("FOLDER");
  command.add_option("--log-level", options.log_level, "debug, info, warning or error");
  command.add_option("--log-format", options.log_format, "logfmt or json");
  command
      .add_option("--set", options.set,
                  "Any other setting, such as --set jobs.parallel=2; can be repeated")
      ->type_name("KEY=VALUE");
  add_device_options(command, options.device);
}

void add_server_options(CLI::App& command, ConfigOptions& options) {
  command
      .add_option("--listen", options.listen,
                  "Address to listen on; can be repeated (default 127.0.0.1:8080)")
      ->type_name("ADDRESS:PORT");
  command
      .add_option("--key-file", options.key_file,
                  "File with the API keys of clients; or $SCRIBED_API_KEY for a single key")
      ->check([](const std::string& file) { return file.empty() ? "names no file" : ""; })
      ->type_name("FILE");
  command
      .add_option("--database", options.database,
                  "PostgreSQL database that several daemons share; put a password into "
                  "$SCRIBED_DATABASE or $PGPASSFILE instead")
      ->type_name("ADDRESS");
  command.add_option("--role", options.role,
                     "Role in a cluster: both, gateway (serves clients, loads no model) or worker "
                     "(transcribes, serves no clients)");
  command
      .add_option("--objects", options.objects,
                  "S3 bucket for recordings in a cluster: s3://bucket/prefix; credentials: "
                  "$AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY, or a file")
      ->type_name("ADDRESS");
}

Result<Config> read_config(ConfigOptions& options) {
  auto flags = flags_of(options);
  if (!flags) return flags.error();
  auto config = load_config(
      {.environment = process_environment, .named_file = options.file, .flags = *std::move(flags)});
  if (!config) return config.error();
  if (const auto taken = take_device(config->model, options.device); !taken) return taken.error();
  return config;
}

void forget_secrets() {
  for (const Setting& setting : settings()) {
    if (setting.is_secret) platform::forget_variable(environment_name(setting).c_str());
  }
  platform::forget_variable("HF_TOKEN");
}

}  // namespace server
