#include "server/commands/backup_command.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "platform/unique_fd.h"
#include "server/commands/connection_options.h"
#include "server/commands/owner_rights.h"
#include "server/config/environment.h"
#include "server/config/folders.h"
#include "server/config/load_config.h"
#include "server/daemon/restore.h"

namespace server {
namespace {

namespace fs = std::filesystem;

constexpr char backup_footer[] =
    R"(Uses the running daemon, which continues its work, or reads the state folder if no
daemon runs. The file contains every queued recording and every transcript. Only
you can read it: protect it like the recordings. If the server requires keys, the
key needs the scope back_up.)";

constexpr char restore_footer[] =
    R"(Stop the daemon first. Jobs that were not finished when the backup was made
continue at the next start.)";

// A copy of many jobs takes a while before its first byte.
constexpr std::chrono::milliseconds backup_patience{300'000};

struct BackupArguments {
  std::string file{};
  ConnectionOptions connection{};
  std::string state_folder{};
  bool replace = false;
};

Result<Config> config_of(const BackupArguments& arguments) {
  ConfigSources sources{.environment = process_environment,
                        .named_file = arguments.connection.config};
  if (!arguments.state_folder.empty()) {
    sources.flags.push_back({"jobs.state_folder", "--state-folder", arguments.state_folder});
  }
  return load_config(sources);
}

fs::path folder_of(const Config& config) {
  return state_folder(config, process_environment, ::geteuid() == 0);
}

Error not_writable(const std::string& file) {
  return {errc::output_not_writable, file + ": " + std::strerror(errno),
          "Name a file in a folder that you may write to."};
}

Result<void> write_bytes(int to, std::string_view bytes, const std::string& file) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(to, bytes.data(), bytes.size());
    if (wrote < 0) return not_writable(file);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

// Reads the folder with its owner's rights; only the file is this process's.
Result<void> back_up_as_owner(const fs::path& folder, int to) {
  return call_as_owner_of(folder, [&] { return back_up_folder(folder, to); });
}

// Writes the backup of a daemon that runs, or of the folder where none does.
Result<void> write_backup(const Config& config, const BackupArguments& arguments, int to) {
  if (!arguments.state_folder.empty()) return back_up_as_owner(folder_of(config), to);
  const auto client = find_server(arguments.connection);
  if (!client) return client.error();
  bool has_begun = false;
  ApiRequest request{.path = "/v1/backup", .patience = backup_patience};
  request.on_bytes = [&](const ApiAnswer&, std::string_view bytes) {
    has_begun = true;
    return write_bytes(to, bytes, arguments.file);
  };
  const auto answer = client->call(request);
  if (answer) return {};
  const bool is_asked_for = !arguments.connection.server.empty();
  const bool is_there = has_begun || is_asked_for || answer.error().code != "no_server";
  return is_there ? answer.error() : back_up_as_owner(folder_of(config), to);
}

// The file appears under its name when it is whole.
ExitCode run_backup(const BackupArguments& arguments) {
  const auto config = config_of(arguments);
  if (!config) return report_error(config.error());
  std::string part = arguments.file + ".XXXXXX";  // of a name of its own, beside another backup's
  const platform::UniqueFd fd(::mkostemp(part.data(), O_CLOEXEC));
  if (!fd) return report_error(not_writable(arguments.file));
  auto written = write_backup(*config, arguments, fd.get());
  if (written && (::fsync(fd.get()) != 0 || ::rename(part.c_str(), arguments.file.c_str()) != 0)) {
    written = not_writable(arguments.file);
  }
  if (!written) {
    ::unlink(part.c_str());
    return report_error(written.error());
  }
  struct ::stat status {};
  ::fstat(fd.get(), &status);
  fmt::print("{}: {} bytes\n", arguments.file, status.st_size);
  return ExitCode::ok;
}

ExitCode run_restore(const BackupArguments& arguments) {
  const auto config = config_of(arguments);
  if (!config) return report_error(config.error());
  const fs::path folder = folder_of(*config);
  auto backup = open_backup(arguments.file);
  if (!backup) return report_error(backup.error());
  if (const auto done = become_owner_of(folder); !done) return report_error(done.error());
  const auto restored = restore_backup(*std::move(backup), folder, arguments.replace);
  if (!restored) return report_error(restored.error());
  if (!restored->aside.empty()) {
    fmt::print("What was there is in {} now.\n", restored->aside.string());
  }
  fmt::print("Restored into {}. Jobs that go on at the next start: {}\n", folder.string(),
             restored->open_jobs);
  return ExitCode::ok;
}

std::shared_ptr<BackupArguments> add_file_arguments(CLI::App& command) {
  const auto arguments = std::make_shared<BackupArguments>();
  command.add_option("FILE", arguments->file, "The backup")->required();
  return arguments;
}

}  // namespace

void add_backup_command(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("backup", "Write jobs, recordings and transcripts to a backup file");
  const auto arguments = add_file_arguments(*command);
  command->footer(backup_footer);
  add_connection_options(*command, arguments->connection);
  command
      ->add_option("--state-folder", arguments->state_folder,
                   "State folder of a stopped daemon, instead of a running one")
      ->type_name("FOLDER");
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return run_backup(*arguments); }; });
}

void add_restore_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("restore", "Restore a backup into the state folder");
  const auto arguments = add_file_arguments(*command);
  command->footer(restore_footer);
  command->add_option("--config", arguments->connection.config, "Also read this file")
      ->type_name("FILE");
  command->add_option("--state-folder", arguments->state_folder, "State folder: jobs and uploads")
      ->type_name("FOLDER");
  command->add_flag("--replace", arguments->replace,
                    "If the folder has jobs, move them to a folder next to it");
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return run_restore(*arguments); }; });
}

}  // namespace server
