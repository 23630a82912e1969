// SPDX-License-Identifier: Apache-2.0
// What an operation needs on a core with given layouts, whether it may run so, and how long it takes (ttnn-optimizer
// 9). Our own model: no backend is asked. Results are cached; the cache never changes an answer.
#pragma once

#include "engine/ttnn/machine/device.h"
#include "engine/ttnn/machine/op_config.h"
#include "engine/ttnn/model/figures.h"
#include "engine/ttnn/model/op_query.h"
#include "engine/ttnn/module/module.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace memplan::ttnn {

struct OpModelOptions {
    Bytes limit = 0;                    ///< usableL1(...)
    bool strictL1Accounting = true;     ///< 9.2
    bool conservativeMatmulCb = false;  ///< 9.4
    ModelFigures figures = builtInFigures();
};

class OpModel {
public:
    struct Counters {
        std::int64_t calls = 0, hits = 0;
        friend bool operator==(const Counters&, const Counters&) = default;
    };

    OpModel(const Device& device, const OpModelOptions& options);
    ~OpModel();
    OpModel(OpModel&&) noexcept;
    OpModel& operator=(OpModel&&) noexcept;

    [[nodiscard]] const Device& device() const;
    [[nodiscard]] const OpModelOptions& options() const;

    /// Constraints and budget. The first result of `constraints.outputs` is the actual output layout.
    [[nodiscard]] Validation validate(const OpQuery& query);
    /// Estimated time with these inputs and this output (9.5); `config.output` is given.
    [[nodiscard]] Runtime runtime(const OpQuery& query);
    /// Of a conversion from one layout to another (read and write terms only); 0 for a tensor that cannot be counted.
    [[nodiscard]] Runtime conversion(const Type& tensor, const Layout& from, const Layout& to);

    [[nodiscard]] Counters counters() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace memplan::ttnn
