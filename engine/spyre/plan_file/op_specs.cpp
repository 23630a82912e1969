// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/plan_file/op_specs.h"

#include "engine/plan/spyre_data.h"
#include "engine/spyre/bundle/spec_json.h"

#include <algorithm>

namespace memplan::spyre {

namespace {

void takeArguments(const Plan& plan, bundle::Kernel& kernel) {
    if (spyreData(plan).pool) kernel.poolSize = spyreData(plan).pool->first;
    if (!spyreData(plan).kernels) return;
    const auto& all = *spyreData(plan).kernels;
    const auto it = std::find_if(all.begin(), all.end(), [&](const PlanKernel& k) { return k.name == kernel.name; });
    if (it == all.end()) return;
    for (const BufferId id : it->arguments) {
        // A name that no buffer has was reported where the kernels were read.
        if (id.isValid()) kernel.arguments.push_back(plan.buffer(id).name);
    }
}

}  // namespace

void writeOpSpecs(io::JsonWriter& writer, const Plan& plan) {
    if (!spyreData(plan).opSpecs) return;
    writer.key("op_specs");
    writer.beginObject();
    for (const bundle::Kernel& kernel : *spyreData(plan).opSpecs) {
        writer.key(kernel.name);
        bundle::writeSpecs(writer, kernel.specs);
    }
    writer.endObject();
}

void readOpSpecs(io::PlanFields& fields, io::TapeIndex data, Plan& plan) {
    const io::TapeIndex specs = data == 0 ? 0 : fields.optional(data, "op_specs");
    if (specs == 0) return;
    auto kernels = std::make_shared<std::vector<bundle::Kernel>>();
    fields.eachMember(specs, [&](io::TapeIndex at) {
        auto tree = bundle::readSpecs(fields.tape, at);
        if (!tree) return fields.fail(at, tree.error().primary().message);
        bundle::Kernel kernel;
        kernel.name = std::string(fields.tape.key(at));
        kernel.specs = std::move(tree).value();
        takeArguments(plan, kernel);
        kernels->push_back(std::move(kernel));
    });
    editSpyreData(plan).opSpecs = std::move(kernels);
}

}  // namespace memplan::spyre
