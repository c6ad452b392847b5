// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>

using Json = nlohmann::ordered_json;

/// The protocol: messages, the states in which they are valid, and the responses.
class Server
{
public:
    explicit Server(Options options);

    /// Runs until stdin ends; returns the exit code.
    int run();

    // For the tools

    /// Answers a call with one text.
    void answerText(const Json &id, const std::string &text, bool isError = false);
    void answerError(const Json &id, int code, const std::string &message, Json data = nullptr);
    void send(const Json &message);
    void sendRaw(const std::string &text);
    void notify(const std::string &method, Json params = Json::object());
    void after(int ms, std::function<void()> task);
    /// Sends a request; the response goes to `then`.
    void ask(const std::string &method, const Json &id, std::function<void(const Json &)> then);

    [[nodiscard]] bool isPending(const Json &id) const { return m_pending.contains(id.dump()); }
    [[nodiscard]] const Options &options() const { return m_options; }
    [[nodiscard]] Json state() const;
    void addTool(const std::string &name);
    void removeTool(const std::string &name);
    void updated(const std::string &uri);

private:
    using Clock = std::chrono::steady_clock;
    enum class Phase { New, Initializing, Legacy, Modern };

    void readInput();
    void runDue();
    [[nodiscard]] int waitMs() const;
    void take(const std::string &line);
    void dispatch(const Json &message);
    void request(const Json &message);
    void notification(const Json &message);
    bool passesRevision(const Json &message);
    void initialize(const Json &message);
    void discover(const Json &id);
    void listTools(const Json &id, const Json &params);
    void call(const Json &id, const Json &params);
    void listen(const Json &id, const Json &params);
    void toolsChanged();
    void answer(const Json &id, Json result);
    [[nodiscard]] Json tools() const;

    Options m_options;
    Phase m_phase = Phase::New;
    bool m_ended = false;
    std::string m_input;
    std::multimap<Clock::time_point, std::function<void()>> m_tasks;
    std::set<std::string> m_usedIds;
    std::set<std::string> m_pending;
    std::map<std::string, std::function<void(const Json &)>> m_asked;
    std::set<std::string> m_subscribed;
    std::map<std::string, Json> m_listening; // requested notifications by the id of the request
    Json m_initializeParams;
    std::string m_logLevel;
};
