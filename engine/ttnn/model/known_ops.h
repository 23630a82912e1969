// SPDX-License-Identifier: Apache-2.0
// The facts of operations, computed once: alike operations share them.
#pragma once

#include "engine/ttnn/model/facts.h"

#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace memplan::ttnn::model {

class KnownOps {
public:
    struct Known {
        std::int32_t number = -1;  ///< equal for operations that are one to the model
        const OpFacts* facts = nullptr;
    };
    /// An operation that stands at the place of an earlier one, or that has changed, is read anew.
    Known of(const Function& function, const Operation& operation);

private:
    /// All that the facts are made from.
    struct Source {
        std::string name;
        Attributes properties, attributes;
        std::vector<std::pair<ValueId, Type>> operands, results;
        Known known;
    };
    static bool isSame(const Source& source, const Function& function, const Operation& operation);
    Known add(OpFacts facts);

    std::unordered_map<const Operation*, Source> sources_;
    std::deque<OpFacts> facts_;
    std::unordered_map<std::string, std::int32_t> numbers_;  ///< by signature
};

}  // namespace memplan::ttnn::model
