#include "stores/sqlite_file.hpp"

#include <sms/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace sms::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::uint32_t, 18> network_file_systems = {
    0x00006969,  // NFS
    0x0000517B,  // SMB
    0xFE534D42,  // SMB2
    0xFF534D42,  // CIFS
    0x5346414F,  // AFS
    0x6B414653,  // AFS of the kernel
    0x00C36400,  // Ceph
    0x73757245,  // Coda
    0x0000564C,  // NCP
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS
    0x19830326,  // BeeGFS
    0x01161970,  // GFS2
    0x7461636F,  // OCFS2
    0x786F4256,  // VirtualBox
    0xBACBACBC,  // VMware
    0x65735546,  // FUSE
    0x01021997,  // 9P
};

[[noreturn]] void refuse(const std::string& why) { throw StoreUnavailableError("open", why); }
[[noreturn]] void refuse_by_errno(const std::string& why) {
  refuse(why + ": " + std::generic_category().message(errno));
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int get() const noexcept { return number_; }

 private:
  int number_;
};

void refuse_network_file_system(const fs::path& path) {
  struct statfs status {};
  if (statfs(path.c_str(), &status) != 0) refuse_by_errno("the folder of the database cannot be used");
  if (is_network_file_system(static_cast<std::uint32_t>(status.f_type))) {
    refuse(
        "the database lies on a network or FUSE file system, where the locks that keep a key from being claimed twice "
        "are not safe; use a local disk, or a database server for several machines");
  }
}

/// SQLite flushes the folder for the files that it makes itself; this one we made.
void flush_folder(const fs::path& folder) {
  const Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0 || fsync(opened.get()) != 0) refuse_by_errno("the folder of the database cannot be flushed");
}

}  // namespace

bool is_network_file_system(std::uint32_t type) noexcept {
  return std::ranges::find(network_file_systems, type) != network_file_systems.end();
}

SqliteFile::SqliteFile(const std::string& path) {
  std::error_code fault;
  const auto folder = fs::canonical(fs::absolute(path).parent_path(), fault);
  if (fault) refuse("the folder of the database cannot be used: " + fault.message());
  refuse_network_file_system(folder);

  // Never opened here: closing a descriptor of the file would take away the locks by which SQLite, elsewhere in this
  // process, shows others that the log is in use.
  if (mknod(path.c_str(), S_IFREG | S_IRUSR | S_IWUSR, 0) != 0 && errno != EEXIST) {
    refuse_by_errno("the database file cannot be made");
  }
  const auto found = fs::canonical(path, fault);
  if (fault) refuse("the database file cannot be found: " + fault.message());
  refuse_network_file_system(found);

  struct stat status {};
  if (stat(found.c_str(), &status) != 0) refuse_by_errno("the database file cannot be examined");
  if (!S_ISREG(status.st_mode)) refuse("the path of the database is not a regular file");
  if (faccessat(AT_FDCWD, found.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
    refuse_by_errno("the database file cannot be opened");
  }
  // Under two names SQLite would keep two logs for one file.
  if (status.st_nlink > 1) refuse("the database file has more than one name (hard links)");
  if (status.st_size == 0) flush_folder(found.parent_path());

  path_ = found.string();
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

bool SqliteFile::is_in_place() const noexcept {
  struct stat status {};
  return stat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

}  // namespace sms::detail
