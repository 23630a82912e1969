// SPDX-License-Identifier: Apache-2.0
// A module of a file as the source of a compile.
#pragma once

#include "engine/pipeline/source.h"
#include "engine/ttnn/module/module.h"

#include <memory>
#include <utility>

namespace memplan::ttnn {

class ModuleSource final : public Source {
public:
    explicit ModuleSource(Module read) : module(std::make_shared<const Module>(std::move(read))) {}

    std::shared_ptr<const Module> module;

    [[nodiscard]] std::string_view kind() const override { return "an MLIR module"; }
    [[nodiscard]] std::string_view target() const override { return "ttnn"; }
    [[nodiscard]] std::size_t opCount() const override {
        std::size_t count = 0;
        for (const Function& function : module->functions)
            count += function.operations.size();
        return count;
    }
};

}  // namespace memplan::ttnn
