#include "unit/stores/faulty_vfs.hpp"

#include <new>

namespace sms::tests {
namespace {

/// The file as SQLite sees it; the real one lies behind it in the same memory.
struct FaultyFile {
  sqlite3_file base;
  FaultyVfs* vfs;
  const std::string* name;

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

FaultyFile& of(sqlite3_file* file) { return *reinterpret_cast<FaultyFile*>(file); }

/// Forwards a method of the real file.
template <auto Method>
struct Forward;
template <class... Args, int (*sqlite3_io_methods::*Method)(sqlite3_file*, Args...)>
struct Forward<Method> {
  static int call(sqlite3_file* file, Args... args) {
    auto* real = of(file).real();
    return (real->pMethods->*Method)(real, args...);
  }
};
template <class... Args, void (*sqlite3_io_methods::*Method)(sqlite3_file*, Args...)>
struct Forward<Method> {
  static void call(sqlite3_file* file, Args... args) {
    auto* real = of(file).real();
    (real->pMethods->*Method)(real, args...);
  }
};

int close_file(sqlite3_file* file) {
  auto& faulty = of(file);
  auto* real = faulty.real();
  const int code = real->pMethods->xClose(real);
  delete faulty.name;
  return code;
}

int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  auto& faulty = of(file);
  if (const int code = faulty.vfs->check(FaultyVfs::Call::write, *faulty.name); code != SQLITE_OK) return code;
  return faulty.real()->pMethods->xWrite(faulty.real(), bytes, size, offset);
}

int sync_file(sqlite3_file* file, int flags) {
  auto& faulty = of(file);
  if (const int code = faulty.vfs->check(FaultyVfs::Call::sync, *faulty.name); code != SQLITE_OK) return code;
  return faulty.real()->pMethods->xSync(faulty.real(), flags);
}

const sqlite3_io_methods methods = {
    3,
    close_file,
    Forward<&sqlite3_io_methods::xRead>::call,
    write_file,
    Forward<&sqlite3_io_methods::xTruncate>::call,
    sync_file,
    Forward<&sqlite3_io_methods::xFileSize>::call,
    Forward<&sqlite3_io_methods::xLock>::call,
    Forward<&sqlite3_io_methods::xUnlock>::call,
    Forward<&sqlite3_io_methods::xCheckReservedLock>::call,
    Forward<&sqlite3_io_methods::xFileControl>::call,
    Forward<&sqlite3_io_methods::xSectorSize>::call,
    Forward<&sqlite3_io_methods::xDeviceCharacteristics>::call,
    Forward<&sqlite3_io_methods::xShmMap>::call,
    Forward<&sqlite3_io_methods::xShmLock>::call,
    Forward<&sqlite3_io_methods::xShmBarrier>::call,
    Forward<&sqlite3_io_methods::xShmUnmap>::call,
    Forward<&sqlite3_io_methods::xFetch>::call,
    Forward<&sqlite3_io_methods::xUnfetch>::call,
};

}  // namespace

struct FaultyVfs::Registration {
  sqlite3_vfs vfs{};
  sqlite3_vfs* real = nullptr;
  FaultyVfs* owner = nullptr;
};

FaultyVfs::FaultyVfs() : registration_(std::make_unique<Registration>()) {
  auto& [vfs, real, owner] = *registration_;
  real = sqlite3_vfs_find(nullptr);
  owner = this;
  vfs = *real;
  vfs.pNext = nullptr;
  vfs.zName = "faulty";
  vfs.szOsFile = static_cast<int>(sizeof(FaultyFile)) + real->szOsFile;
  // The real functions read the real data behind the pointer, so only `xOpen` is ours.
  vfs.xOpen = [](sqlite3_vfs* self, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
    auto& registration = *reinterpret_cast<Registration*>(self);
    auto* faulty = new (file) FaultyFile{{nullptr}, registration.owner, nullptr};
    const int code = registration.real->xOpen(registration.real, name, faulty->real(), flags, out_flags);
    if (faulty->real()->pMethods != nullptr) {
      faulty->base.pMethods = &methods;
      faulty->name = new std::string(name == nullptr ? "" : name);
    }
    return code;
  };
  sqlite3_vfs_register(&vfs, 1);
}

FaultyVfs::~FaultyVfs() {
  sqlite3_vfs_unregister(&registration_->vfs);
  sqlite3_vfs_register(registration_->real, 1);
}

void FaultyVfs::fail(Call call, int code, std::string file_suffix) {
  const std::lock_guard lock(mutex_);
  failing_call_ = call;
  failing_code_ = code;
  failing_suffix_ = std::move(file_suffix);
}

void FaultyVfs::heal() { fail(Call::write, SQLITE_OK); }

void FaultyVfs::before_log_sync(std::function<void()> action) {
  const std::lock_guard lock(mutex_);
  before_log_sync_ = std::move(action);
}

int FaultyVfs::check(Call call, const std::string& file) {
  std::function<void()> action;
  {
    const std::lock_guard lock(mutex_);
    if (failing_code_ != SQLITE_OK && failing_call_ == call && file.ends_with(failing_suffix_)) return failing_code_;
    if (call == Call::sync && file.ends_with("-wal")) action = before_log_sync_;
  }
  if (action) action();
  if (call == Call::sync) ++syncs_;
  return SQLITE_OK;
}

}  // namespace sms::tests
