// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Rekindle {

/// Generates JSON from random bytes. When no bytes are left, generates nulls and zeros.
class RandomJson
{
public:
    using Json = nlohmann::ordered_json;

    explicit RandomJson(std::vector<std::uint8_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    std::uint8_t byte() { return m_next < m_bytes.size() ? m_bytes[m_next++] : 0; }
    bool chance(int percent) { return byte() * 100 < percent * 256; }

    Json value(int depth = 0)
    {
        switch (byte() % (depth < 5 ? 8 : 6)) {
        case 1:
            return chance(50);
        case 2:
            return std::int64_t(byte() * 256 + byte()) - 30000;
        case 3:
            return (byte() - 100) * 1e-3 * (chance(20) ? 1e30 : 1);
        case 4:
        case 5:
            return text();
        case 6: {
            Json array = Json::array();
            for (int i = byte() % 4; i > 0; --i)
                array.push_back(value(depth + 1));
            return array;
        }
        case 7:
            return object(depth + 1);
        default:
            return nullptr;
        }
    }

    Json object(int depth = 0)
    {
        Json object = Json::object();
        for (int i = byte() % 4; i > 0; --i) {
            // Often a key of messages
            static const char *const keys[] = {"id", "method", "params", "_meta", "name"};
            const std::string key = chance(50) ? keys[byte() % 5] : text();
            object[key] = value(depth);
        }
        return object;
    }

    std::string text()
    {
        static const char *const pieces[] = {"\"",
                                             "\\",
                                             "\n",
                                             "\x01",
                                             "{",
                                             "}",
                                             ",",
                                             ":",
                                             "é",
                                             "😀",
                                             "/",
                                             "\x7f",
                                             "plain text of some length",
                                             "id"};
        std::string text;
        for (int i = byte() % 8; i > 0; --i)
            text += chance(30) ? std::string(1, static_cast<char>(32 + byte() % 95))
                               : pieces[byte() % std::size(pieces)];
        return text;
    }

    /// Writes the value in a random notation.
    std::string written(const Json &json)
    {
        const int indent = chance(30) ? byte() % 3 : -1;
        return json.dump(indent, chance(50) ? ' ' : '\t', chance(50));
    }

private:
    std::vector<std::uint8_t> m_bytes;
    std::size_t m_next = 0;
};

} // namespace Rekindle
