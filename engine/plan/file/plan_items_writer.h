// SPDX-License-Identifier: Apache-2.0
// Ops and buffers of a plan file.
#pragma once

#include "engine/json/json_text.h"
#include "engine/plan/plan.h"

#include <optional>
#include <string_view>
#include <vector>

namespace memplan::io {

template <class T> void writeIntegers(JsonWriter& w, std::string_view key, const std::vector<T>& values) {
    w.key(key);
    w.beginArray(true);
    for (const T v : values)
        w.integer(v);
    w.endArray();
}

template <class I> void writePositions(JsonWriter& w, std::string_view key, const std::vector<I>& ids) {
    w.key(key);
    w.beginArray(true);
    for (const I id : ids)
        w.integer(id.index);
    w.endArray();
}

/// Writes single items of `plan` to `writer`; both outlive it.
class PlanItemsWriter {
public:
    PlanItemsWriter(const Plan& plan, JsonWriter& writer) : p_(plan), w_(writer) {}

    [[nodiscard]] JsonWriter& json() { return w_; }
    void writeOp(const PlanOp& op);
    void writeBuffer(const PlanBuffer& b);
    void bufferName(BufferId id);  ///< the name or null
    void opName(OpId id);
    void writeNames(std::string_view key, const std::vector<BufferId>& ids);

private:
    void writeOrigin(const Origin& o);
    void writeOpExtras(const PlanOp& op);
    void writeAccess(const PlanAccess& a);
    void writeReason(const std::optional<Reason>& r);
    void writeLayout(const std::optional<BufferLayout>& l);

    const Plan& p_;
    JsonWriter& w_;
};

}  // namespace memplan::io
