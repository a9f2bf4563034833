#include "stores/sqlite_writer.hpp"

#include "stores/sqlite_commit_loop.hpp"

namespace sms::detail {

SqliteWriter::SqliteWriter(const SqliteFile& file, const SqliteOptions& options)
    : loop_(std::make_shared<SqliteCommitLoop>(file, options)), thread_([loop = loop_] { loop->run(); }) {}

SqliteWriter::~SqliteWriter() {
  loop_->stop();
  if (is_this_thread()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

const SqliteHistory& SqliteWriter::history() const noexcept { return loop_->history(); }

void SqliteWriter::submit(std::unique_ptr<SqliteOperation> operation) { loop_->submit(std::move(operation)); }

}  // namespace sms::detail
