// SPDX-License-Identifier: Apache-2.0
// A list of plain values that needs no memory of its own while it is short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace memplan {

/// Up to `N` values stand inside the object, more on the heap. For values that are copied byte by byte; passes make
/// millions of such lists of a few entries, and each would cost an allocation as std::vector.
template <typename T, std::size_t N> class SmallVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    using value_type = T;

    SmallVector() = default;
    SmallVector(std::initializer_list<T> values) {
        for (const T& v : values)
            push_back(v);
    }
    SmallVector(const SmallVector& other) { assign(other); }
    SmallVector(SmallVector&& other) noexcept { take(other); }
    SmallVector& operator=(const SmallVector& other) {
        if (this != &other) assign(other);
        return *this;
    }
    SmallVector& operator=(SmallVector&& other) noexcept {
        if (this != &other) take(other);
        return *this;
    }
    ~SmallVector() = default;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T* data() { return heap_ ? heap_.get() : reinterpret_cast<T*>(inline_); }
    [[nodiscard]] const T* data() const { return heap_ ? heap_.get() : reinterpret_cast<const T*>(inline_); }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + size_; }
    [[nodiscard]] const T* begin() const { return data(); }
    [[nodiscard]] const T* end() const { return data() + size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return data()[i]; }
    [[nodiscard]] const T& front() const { return data()[0]; }
    [[nodiscard]] const T& back() const { return data()[size_ - 1]; }

    void push_back(const T& value) {
        const T copy = value;  // `value` may be an entry of this list
        if (size_ == capacity_) grow(2 * capacity_);
        new (data() + size_) T(copy);
        ++size_;
    }
    /// New entries are T{}.
    void resize(std::size_t count) {
        if (count > capacity_) grow(count);
        for (std::size_t i = size_; i < count; ++i)
            new (data() + i) T{};
        size_ = count;
    }
    void clear() { size_ = 0; }

    friend bool operator==(const SmallVector& a, const SmallVector& b) {
        return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
    }

private:
    void grow(std::size_t capacity) {
        std::unique_ptr<T[]> larger(new T[capacity]);
        std::memcpy(static_cast<void*>(larger.get()), data(), size_ * sizeof(T));
        heap_ = std::move(larger);
        capacity_ = capacity;
    }
    void assign(const SmallVector& other) {
        if (other.size_ > capacity_) {
            size_ = 0;
            grow(other.size_);
        }
        std::memcpy(static_cast<void*>(data()), other.data(), other.size_ * sizeof(T));
        size_ = other.size_;
    }
    void take(SmallVector& other) {
        if (!other.heap_) return assign(other);
        heap_ = std::move(other.heap_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, N);
    }

    std::size_t size_ = 0, capacity_ = N;
    std::unique_ptr<T[]> heap_;
    alignas(T) std::byte inline_[N * sizeof(T)];
};

}  // namespace memplan
