// SPDX-License-Identifier: Apache-2.0
// Address problems as the vector files write them (spyre-scratchpad 16.1): for the probe and the tests.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace memplan::testing {

/// {capacity, alignment, buffers}. Throws the JSON library's exceptions on missing keys and wrong types.
/// Parent names that are not in the list are dropped (spyre-scratchpad 2).
inline solve::Problem problemFromJson(const nlohmann::json& input) {
    solve::Problem problem;
    problem.name = input.value("name", "");
    problem.capacity = input.at("capacity").get<Bytes>();
    problem.alignment = input.value("alignment", Bytes{128});
    const nlohmann::json& buffers = input.at("buffers");
    std::map<std::string, int> position;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        position.emplace(buffers.at(i).at("name").get<std::string>(), static_cast<int>(i));
    }
    for (const nlohmann::json& b : buffers) {
        solve::Item item;
        item.name = b.at("name").get<std::string>();
        item.size = b.at("size").get<Bytes>();
        item.start = b.at("start").get<Step>();
        item.end = b.at("end").get<Step>();
        for (const nlohmann::json& parent : b.value("in_place_parents", nlohmann::json::array())) {
            const auto at = position.find(parent.get<std::string>());
            if (at != position.end()) item.inPlaceParents.push_back(at->second);
        }
        item.uses = b.value("uses", std::vector<Step>{});
        item.firstUseIsRead = b.value("first_use_is_read", false);
        if (b.contains("address") && !b.at("address").is_null()) item.presetAddress = b.at("address").get<Address>();
        problem.items.push_back(std::move(item));
    }
    return problem;
}

/// Map buffer name -> address or null.
inline nlohmann::json addressesToJson(const solve::Problem& problem, const solve::Addresses& addresses) {
    nlohmann::json map = nlohmann::json::object();
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        map[problem.items[i].name] = addresses[i] ? nlohmann::json(*addresses[i]) : nlohmann::json(nullptr);
    }
    return map;
}

}  // namespace memplan::testing
