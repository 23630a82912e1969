// SPDX-License-Identifier: Apache-2.0
// Where a JSON parser stands: open containers, their keys and positions.
#pragma once

#include "engine/json/json_text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace memplan::io {

/// One open array or object.
struct Frame {
    bool isObject = false;
    bool isHashed = false;      // its keys are in `many` as well
    std::size_t count = 0;      // values begun so far
    std::size_t keysBegin = 0;  // its first key in KeyStack
    std::size_t textBegin = 0;
    std::unordered_set<std::string> many;
};

/// The open containers with their keys, for duplicate keys and pointers.
class FrameStack {
public:
    [[nodiscard]] std::size_t depth() const { return depth_; }
    [[nodiscard]] Frame& top() { return frames_[depth_ - 1]; }

    void push(bool isObject) {
        if (depth_ == frames_.size()) frames_.emplace_back();
        Frame& f = frames_[depth_++];
        f.isObject = isObject;
        f.isHashed = false;
        f.count = 0;
        f.keysBegin = keys_.size();
        f.textBegin = text_.size();
    }

    void pop() {
        Frame& f = frames_[--depth_];
        if (f.isHashed) f.many.clear();
        keys_.resize(f.keysBegin);
        text_.resize(f.textBegin);
    }

    /// Notes a key of the innermost object; false when it has this key already.
    bool addKey(std::string_view k) {
        constexpr std::size_t kSearched = 24;
        Frame& f = top();
        const std::size_t have = keys_.size() - f.keysBegin;
        bool fresh = true;
        if (have < kSearched) {
            for (std::size_t i = f.keysBegin; i < keys_.size() && fresh; ++i)
                fresh = keyAt(i) != k;
        } else {
            if (!f.isHashed) {
                f.isHashed = true;
                for (std::size_t i = f.keysBegin; i < keys_.size(); ++i)
                    f.many.emplace(keyAt(i));
            }
            fresh = f.many.emplace(k).second;
        }
        keys_.push_back({text_.size(), k.size()});
        text_ += k;
        return fresh;
    }

    /// Pointer made of the current positions in the outermost `depth` containers.
    [[nodiscard]] std::string pointer(std::size_t depth) const {
        std::string out;
        for (std::size_t i = 0; i < depth; ++i) {
            out += '/';
            const std::size_t keysEnd = i + 1 < depth_ ? frames_[i + 1].keysBegin : keys_.size();
            if (!frames_[i].isObject) {
                appendInteger(out, static_cast<std::int64_t>(frames_[i].count) - 1);
            } else if (keysEnd > frames_[i].keysBegin) {
                appendPointerToken(out, keyAt(keysEnd - 1));
            }
        }
        return out;
    }

private:
    struct KeyRef {
        std::size_t begin, size;
    };
    [[nodiscard]] std::string_view keyAt(std::size_t i) const {
        return std::string_view(text_).substr(keys_[i].begin, keys_[i].size);
    }

    std::vector<Frame> frames_;
    std::size_t depth_ = 0;
    std::vector<KeyRef> keys_;
    std::string text_;
};

}  // namespace memplan::io
