#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/daemon/backup_reader.h"
#include "server/daemon/backup_tar.h"
#include "server/daemon/restore.h"
#include "server/jobs_sqlite/schema_versions.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using test::read_text;
using test::TemporaryFolder;
using test::write_text;

constexpr char input_name[] = "abcdefghijklmnopqrstuvwxyz";
constexpr char upload_name[] = "zyxwvutsrqponmlkjihgfedcba";

// A state folder with a job that waits for its recording, one that has ended, and an upload.
class BackupTest : public testing::Test {
 protected:
  BackupTest() {
    for (const char* part : {"", "inputs", "uploads"}) fs::create_directories(state / part);
    write_text(state / "inputs" / input_name, std::string(1000, 's'));
    write_text(state / "uploads" / upload_name, "upload");
    write_text(state / "uploads" / (std::string(upload_name) + ".json"), "{}");
    write_text(state / "uploads" / "half", "no description");
    auto store = open();
    waiting = store
                  ->submit({.model = "base",
                            .input = state / "inputs" / input_name,
                            .input_is_ours = true,
                            .owner = "ada"},
                           {})
                  ->id;
    ended = store->submit({.model = "base", .input = "/a.wav", .owner = "ada"}, {})->id;
    EXPECT_TRUE(store->cancel(ended, "ada").value());
  }

  std::unique_ptr<JobStore> open() const { return open(state); }
  static std::unique_ptr<JobStore> open(const fs::path& folder) {
    return open_job_store({.file = folder / "jobs.sqlite"}).value();
  }

  Result<void> back_up() {
    const platform::UniqueFd fd(
        ::open(backup.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    return back_up_folder(state, fd.get());
  }
  static Result<Restored> restore(const fs::path& file, const fs::path& to, bool replaces) {
    auto opened = open_backup(file);
    if (!opened) return opened.error();
    return restore_backup(*std::move(opened), to, replaces);
  }
  std::string code_of_restored(const std::string& archive) {
    write_text(folder / "other.tar", archive);
    const auto restored = restore(folder / "other.tar", folder / "elsewhere", true);
    return restored ? "" : restored.error().code;
  }

  TemporaryFolder folder;
  fs::path state = folder / "state";
  fs::path backup = folder / "backup.tar";
  std::string waiting{}, ended{};
};

std::string archive_of(const std::string& name, const std::string& text) {
  return tar_head({name, text.size()}) + text + std::string(tar_padding(text.size()), '\0');
}

std::string version_entry() {
  return archive_of(backup_version_name, backup_version);
}

TEST_F(BackupTest, IsRestoredElsewhereWithAllThatItNeeds) {
  ASSERT_TRUE(back_up());
  const fs::path there = folder / "there";
  const auto restored = restore(backup, there, false);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->open_jobs, 1);
  EXPECT_TRUE(restored->aside.empty());
  auto store = open(there);
  EXPECT_EQ(store->find(waiting, "ada").value()->state, JobState::queued);
  EXPECT_EQ(store->find(ended, "ada").value()->state, JobState::cancelled);
  EXPECT_EQ(read_text(there / "inputs" / input_name), std::string(1000, 's'));
  EXPECT_EQ(read_text(there / "uploads" / upload_name), "upload");
  EXPECT_FALSE(fs::exists(there / "uploads" / "half"));
  struct ::stat status {};
  ASSERT_EQ(::stat((there / "inputs" / input_name).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(BackupTest, IsNotMadeAndNotRestoredWhileScribedWorksThere) {
  ASSERT_TRUE(back_up());
  const auto store = open();
  EXPECT_EQ(back_up_folder(state, -1).error().code, "store_busy");
  EXPECT_EQ(restore(backup, state, true).error().code, "store_busy");
}

TEST_F(BackupTest, TakesThePlaceOfOtherJobsOnlyWhereThatIsWanted) {
  ASSERT_TRUE(back_up());
  open()->submit({.model = "base", .input = "/b.wav", .owner = "ada"}, {}).value();
  EXPECT_EQ(restore(backup, state, false).error().code, errc::output_not_writable);
  EXPECT_EQ(open()->list("ada", 10, "").value().size(), 3U) << "nothing has changed";
  const auto restored = restore(backup, state, true);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(open()->list("ada", 10, "").value().size(), 2U);
  EXPECT_EQ(open(restored->aside)->list("ada", 10, "").value().size(), 3U);
  EXPECT_EQ(read_text(restored->aside / "uploads" / "half"), "no description");
}

TEST_F(BackupTest, TakesThePlaceOfUploadsThatDamagedJobsHaveLeft) {
  ASSERT_TRUE(back_up());
  fs::remove(state / "jobs.sqlite");
  fs::remove_all(state / "inputs");
  fs::remove(state / "uploads" / "half");
  EXPECT_EQ(restore(backup, state, false).error().code, errc::output_not_writable);
  EXPECT_FALSE(fs::exists(state / "inputs")) << "nothing has changed";
  const auto restored = restore(backup, state, true);
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(open()->list("ada", 10, "").value().size(), 2U);
  EXPECT_EQ(read_text(state / "uploads" / upload_name), "upload");
  EXPECT_EQ(read_text(restored->aside / "uploads" / upload_name), "upload");
}

TEST_F(BackupTest, ThatIsCutOffOrForeignChangesNothing) {
  ASSERT_TRUE(back_up());
  const std::string whole = read_text(backup);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{100}, std::size_t{1000},
                                  whole.size() / 2, whole.size() - 1200}) {
    EXPECT_EQ(code_of_restored(whole.substr(0, bytes)), "damaged_backup") << bytes;
  }
  EXPECT_EQ(code_of_restored(std::string(5000, 'x')), "damaged_backup");
  EXPECT_EQ(code_of_restored(version_entry() + tar_end()), "damaged_backup") << "no jobs";
  EXPECT_EQ(code_of_restored(archive_of(backup_version_name, "scribed backup 9\n") + tar_end()),
            "damaged_backup");
  EXPECT_FALSE(fs::exists(folder / "elsewhere" / "jobs.sqlite"));
  EXPECT_EQ(restore(folder / "none", state, true).error().code, errc::input_not_found);
}

TEST_F(BackupTest, CannotWriteOutsideOfItsFolder) {
  for (const std::string name :
       {"../evil", "/tmp/evil", "inputs/../../evil", "inputs/", "inputs/a/b", "etc",
        "jobs.sqlite/x", "uploads/.hidden", "inputs/UPPER"}) {
    const auto archive = version_entry() + archive_of(name, "x") + tar_end();
    EXPECT_EQ(code_of_restored(archive), "damaged_backup") << name;
  }
  EXPECT_FALSE(fs::exists(folder / "evil"));
}

// Returns the backup with a database in which somebody has run a statement.
std::string backup_with(const fs::path& state, const fs::path& folder, const std::string& sql) {
  const fs::path file = folder / "hostile.sqlite";
  fs::copy_file(state / "jobs.sqlite", file, fs::copy_options::overwrite_existing);
  {
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE);
    db.exec(sql);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  return version_entry() + archive_of("jobs.sqlite", read_text(file)) + tar_end();
}

TEST_F(BackupTest, IsRefusedWithStatementsOrIdsOfOthers) {
  const auto code = [&](const std::string& sql) {
    return code_of_restored(backup_with(state, folder.path(), sql));
  };
  EXPECT_EQ(code("PRAGMA user_version = " + std::to_string(current_version)), "") << "as it was";
  for (const char* sql :
       {"CREATE TRIGGER t AFTER INSERT ON jobs BEGIN DELETE FROM jobs; END",
        "CREATE TABLE other (a)", "CREATE INDEX other ON jobs (lower(id))",
        "CREATE VIEW other AS SELECT 1",
        "ALTER TABLE drafts RENAME TO d; CREATE VIEW drafts AS SELECT * FROM d",
        "ALTER TABLE jobs ADD COLUMN other TEXT GENERATED ALWAYS AS (hex(id))",
        "DROP TRIGGER jobs_leave", "DROP INDEX jobs_waiting", "PRAGMA user_version = 9",
        "UPDATE jobs SET id = '../../etc/x' WHERE number = 1", "UPDATE jobs SET id = upper(id)",
        "UPDATE jobs SET id = id || char(0) || '/x'"}) {
    EXPECT_EQ(code(sql), "damaged_backup") << sql;
  }
  EXPECT_EQ(code("PRAGMA user_version = 99"), "newer_store");
}

TEST(BackupTar, WritesAndReadsSizesThatOctalDigitsCannotHold) {
  for (const std::uint64_t bytes :
       {0ULL, 1ULL, 512ULL, 077777777777ULL, 0100000000000ULL, 1ULL << 40}) {
    const auto entry = parse_tar_head(tar_head({"inputs/a", bytes}));
    ASSERT_TRUE(entry && *entry) << bytes;
    EXPECT_EQ((*entry)->name, "inputs/a");
    EXPECT_EQ((*entry)->bytes, bytes);
    EXPECT_EQ((bytes + tar_padding(bytes)) % tar_block_bytes, 0U);
  }
  EXPECT_FALSE(*parse_tar_head(std::string(tar_block_bytes, '\0')));
}

}  // namespace
}  // namespace server
