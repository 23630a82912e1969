// SPDX-License-Identifier: Apache-2.0
// Mapped files that survive being cut off. Reading a page behind the end of a shortened file raises SIGBUS; the
// handler puts an empty page there and marks the mapping, so that the reader goes on and the import ends with IN-907
// (inputs-and-interchange 7). A fault anywhere else goes to whoever handled it before.
#include "engine/io/files/files.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace memplan::io {

namespace {

/// One mapped file. Only lock-free atomics: the handler reads them at any moment.
struct Guard {
    std::atomic<std::uintptr_t> begin{0};  ///< 0 = free
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> broken{false};
};

constexpr std::size_t kGuards = 64;  // files open at a time; more are read instead
std::array<Guard, kGuards> guards;
std::atomic<std::uintptr_t> pageSize{4096};
struct sigaction previousAction {};

void passOn(int signal, siginfo_t* info, void* context) {
    if ((previousAction.sa_flags & SA_SIGINFO) != 0 && previousAction.sa_sigaction != nullptr) {
        previousAction.sa_sigaction(signal, info, context);
        return;
    }
    if (previousAction.sa_handler != SIG_DFL && previousAction.sa_handler != SIG_IGN &&
        previousAction.sa_handler != nullptr) {
        previousAction.sa_handler(signal);
        return;
    }
    // Nobody else: the fault happens again with the default action, which ends the program.
    std::signal(signal, SIG_DFL);
}

void onBusError(int signal, siginfo_t* info, void* context) {
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (Guard& g : guards) {
        const std::uintptr_t begin = g.begin.load(std::memory_order_acquire);
        const std::uintptr_t end = g.end.load(std::memory_order_acquire);
        if (begin == 0 || at < begin || at >= end) continue;
        // Everything from the missing page on is gone: one empty mapping for the rest.
        const std::uintptr_t page = at - at % pageSize.load(std::memory_order_relaxed);
        void* const wanted = reinterpret_cast<void*>(page);
        if (::mmap(wanted, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != wanted) break;
        g.broken.store(true, std::memory_order_release);
        return;
    }
    passOn(signal, info, context);
}

void installHandler() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (const long size = ::sysconf(_SC_PAGESIZE); size > 0) pageSize = static_cast<std::uintptr_t>(size);
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previousAction);
    });
}

int takeGuard(std::uintptr_t begin, std::uintptr_t end) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < kGuards; ++i) {
        if (guards[i].begin.load(std::memory_order_relaxed) != 0) continue;
        guards[i].broken.store(false, std::memory_order_relaxed);
        guards[i].end.store(end, std::memory_order_release);
        guards[i].begin.store(begin, std::memory_order_release);
        return static_cast<int>(i);
    }
    return -1;
}

}  // namespace

std::optional<FileBytes> FileBytes::map(int fd, std::size_t size) {
    if (size == 0) return std::nullopt;
    installHandler();
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) return std::nullopt;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t page = pageSize.load(std::memory_order_relaxed);
    const int guard = takeGuard(begin, begin + (size + page - 1) / page * page);
    if (guard < 0) {
        ::munmap(data, size);
        return std::nullopt;
    }
    FileBytes out;
    out.data_ = static_cast<const char*>(data);
    out.size_ = size;
    out.guard_ = guard;
    return out;
}

FileBytes::FileBytes(FileBytes&& o) noexcept
    : own_(std::move(o.own_)), data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)),
      guard_(std::exchange(o.guard_, -1)) {}

FileBytes::~FileBytes() {
    if (data_ == nullptr) return;
    guards[static_cast<std::size_t>(guard_)].begin.store(0, std::memory_order_release);
    ::munmap(const_cast<char*>(data_), size_);
}

bool FileBytes::isBroken() const {
    return guard_ >= 0 && guards[static_cast<std::size_t>(guard_)].broken.load(std::memory_order_acquire);
}

void FileBytes::release(std::size_t count) const {
    const std::size_t whole =
        count / pageSize.load(std::memory_order_relaxed) * pageSize.load(std::memory_order_relaxed);
    if (data_ != nullptr && whole > 0 && !isBroken()) ::madvise(const_cast<char*>(data_), whole, MADV_DONTNEED);
}

}  // namespace memplan::io
