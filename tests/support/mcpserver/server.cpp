// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "server.h"

#include "tools.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace {

constexpr char modernVersion[] = "2026-07-28";
constexpr char versionKey[] = "io.modelcontextprotocol/protocolVersion";
constexpr char capabilitiesKey[] = "io.modelcontextprotocol/clientCapabilities";
constexpr char subscriptionKey[] = "io.modelcontextprotocol/subscriptionId";

const std::vector<std::string> legacyVersions{"2024-11-05", "2025-03-26", "2025-06-18",
                                              "2025-11-25"};

Json metaOf(const Json &params)
{
    const auto meta = params.is_object() ? params.find("_meta") : params.end();
    return params.is_object() && meta != params.end() && meta->is_object() ? *meta : Json::object();
}

} // namespace

Server::Server(Options options)
    : m_options(std::move(options))
{
}

void Server::send(const Json &message) { sendRaw(message.dump()); }

void Server::notify(const std::string &method, Json params)
{
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::answer(const Json &id, Json result)
{
    m_pending.erase(id.dump());
    if (m_options.isNoisy)
        sendRaw("noise before an answer");
    if (m_phase == Phase::Modern && !result.contains("resultType"))
        result["resultType"] = "complete";
    send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::answerText(const Json &id, const std::string &text, bool isError)
{
    Json result{{"content", Json::array({{{"type", "text"}, {"text", text}}})}};
    if (isError)
        result["isError"] = true;
    answer(id, std::move(result));
}

void Server::answerError(const Json &id, int code, const std::string &message, Json data)
{
    m_pending.erase(id.dump());
    Json error{{"code", code}, {"message", message}};
    if (!data.is_null())
        error["data"] = std::move(data);
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}});
}

void Server::ask(const std::string &method, const Json &id, std::function<void(const Json &)> then)
{
    m_asked[id.dump()] = std::move(then);
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}});
}

void Server::take(const std::string &line)
{
    if (!m_options.logFile.empty())
        std::ofstream(m_options.logFile, std::ios::app) << line + '\n' << std::flush;
    const Json message = Json::parse(line, nullptr, false);
    if (message.is_discarded()) {
        answerError(nullptr, -32700, "not JSON");
        return;
    }
    try {
        dispatch(message);
    } catch (const Json::exception &error) { // a member of the wrong type
        answerError(message.value("id", Json()), -32602, error.what());
    }
}

void Server::dispatch(const Json &message)
{
    if (!message.is_object() || message.value("jsonrpc", Json()) != "2.0") {
        answerError(nullptr, -32600, "no message");
        return;
    }
    const Json id = message.value("id", Json());
    if (message.contains("method") && message.contains("id")) {
        if (!id.is_string() && !id.is_number_integer())
            answerError(nullptr, -32600, "the id is neither string nor integer");
        else
            request(message);
    } else if (message.contains("method")) {
        notification(message);
    } else if (const auto asked = m_asked.extract(id.dump())) {
        asked.mapped()(message);
    }
}

// Rejects a request before the handshake or of the wrong revision. Returns true if it is accepted.
bool Server::passesRevision(const Json &message)
{
    const Json &id = message["id"];
    const std::string method = message["method"];
    const Json meta = metaOf(message.value("params", Json::object()));
    if (method == "initialize")
        return true;
    if (meta.contains(versionKey) && m_options.revision != "legacy"
        && (m_phase == Phase::New || m_phase == Phase::Modern)) {
        if (meta[versionKey] != modernVersion) {
            answerError(id, -32022, "Unsupported protocol version",
                        {{"supported", {modernVersion}}, {"requested", meta[versionKey]}});
            return false;
        }
        if (!meta.contains(capabilitiesKey)) {
            answerError(id, -32602, "the request carries no client capabilities");
            return false;
        }
        if (method != "server/discover")
            m_phase = Phase::Modern;
        return true;
    }
    if (m_phase == Phase::Modern) {
        answerError(id, -32602, "the request carries no protocol version");
        return false;
    }
    if (method == "ping")
        return true;
    if (m_phase != Phase::Legacy) {
        if (m_options.exitsOnEarlyMessage)
            ::_exit(1);
        const bool isProbe = method == "server/discover";
        answerError(id, isProbe ? -32601 : -32600, isProbe ? "no such method" : "not initialized");
        return false;
    }
    return true;
}

void Server::request(const Json &message)
{
    const Json &id = message["id"];
    const std::string method = message["method"];
    const Json params = message.value("params", Json::object());
    // Modern revisions forbid only the ids of pending requests.
    const bool isModern =
        m_phase == Phase::Modern || (m_phase == Phase::New && metaOf(params).contains(versionKey));
    const bool isReused =
        isModern ? m_pending.contains(id.dump()) : !m_usedIds.insert(id.dump()).second;
    if (isReused) {
        answerError(id, -32600, "the id was used before");
        return;
    }
    m_pending.insert(id.dump());
    if (m_options.exitsInHandshake)
        ::_exit(*m_options.exitsInHandshake);
    if (m_options.deadly.contains(method))
        ::_exit(3);
    if (m_options.unanswered.contains(method) || !passesRevision(message))
        return;
    if (m_options.failsOnce.erase(method) > 0)
        answerError(id, -32603, "not loaded yet");
    else if (method == "initialize")
        initialize(message);
    else if (method == "server/discover")
        discover(id);
    else if (method == "ping" && m_phase != Phase::Modern)
        answer(id, Json::object());
    else if (method == "tools/list")
        listTools(id, params);
    else if (method == "tools/call")
        call(id, params);
    else if (method == "logging/setLevel" && m_phase == Phase::Legacy) {
        m_logLevel = params.value("level", "");
        answer(id, Json::object());
    } else if (method == "resources/subscribe" && m_phase == Phase::Legacy) {
        m_subscribed.insert(params.value("uri", ""));
        answer(id, Json::object());
    } else if (method == "resources/unsubscribe" && m_phase == Phase::Legacy) {
        m_subscribed.erase(params.value("uri", ""));
        answer(id, Json::object());
    } else if (method == "resources/list")
        answer(id, {{"resources", {{{"uri", "test://one"}, {"name", "one"}}}}});
    else if (method == "prompts/list")
        answer(id, {{"prompts", {{{"name", "greet"}}}}});
    else if (method == "subscriptions/listen" && m_phase == Phase::Modern)
        listen(id, params);
    else
        answerError(id, -32601, "no such method: " + method);
}

void Server::initialize(const Json &message)
{
    const Json &id = message["id"];
    const Json params = message.value("params", Json::object());
    if (m_phase != Phase::New || m_options.revision == "modern") {
        answerError(id, m_options.revision == "modern" ? -32022 : -32600, "not now",
                    {{"supported", {modernVersion}}});
        return;
    }
    if (m_options.answersInitializeWithError) {
        answerError(id, -32603, "it cannot be initialized");
        return;
    }
    if (!params.contains("protocolVersion") || !params.contains("capabilities")
        || !params.contains("clientInfo")) {
        answerError(id, -32602, "initialize lacks something");
        return;
    }
    m_phase = Phase::Initializing;
    m_initializeParams = params;
    const std::string wanted = params["protocolVersion"];
    const bool isKnown = wanted <= m_options.version
        && std::find(legacyVersions.begin(), legacyVersions.end(), wanted) != legacyVersions.end();
    Json capabilities{{"tools", {{"listChanged", m_options.advertisesListChanged}}}};
    if (!m_options.hasOnlyTools)
        capabilities.update({{"resources", {{"subscribe", true}}},
                             {"prompts", Json::object()},
                             {"logging", Json::object()}});
    answer(id,
           {{"protocolVersion", isKnown ? wanted : m_options.version},
            {"capabilities", capabilities},
            {"serverInfo", {{"name", "sample"}, {"version", std::to_string(m_options.start)}}}});
}

void Server::discover(const Json &id)
{
    answer(id,
           {{"resultType", "complete"},
            {"supportedVersions", {modernVersion}},
            {"capabilities",
             {{"tools", {{"listChanged", m_options.advertisesListChanged}}},
              {"resources", {{"subscribe", true}}}}},
            {"serverInfo", {{"name", "sample"}, {"version", std::to_string(m_options.start)}}},
            {"ttlMs", 0},
            {"cacheScope", "private"}});
}

void Server::notification(const Json &message)
{
    const std::string method = message["method"];
    const Json params = message.value("params", Json::object());
    if (method == "notifications/initialized" && m_phase == Phase::Initializing) {
        m_phase = Phase::Legacy;
        if (m_options.closesOutput)
            ::close(STDOUT_FILENO);
    } else if (method == "notifications/cancelled") {
        const std::string id = params.value("requestId", Json()).dump();
        m_pending.erase(id);
        m_listening.erase(id);
    }
}

Json Server::tools() const
{
    Json tools = Json::array();
    Json all = Tools::list();
    for (Json &tool : all) {
        if (!m_options.without.contains(tool["name"]))
            tools.push_back(std::move(tool));
    }
    for (const std::string &name : m_options.with)
        tools.push_back({{"name", name}, {"inputSchema", {{"type", "object"}}}});
    return tools;
}

void Server::listTools(const Json &id, const Json &params)
{
    const Json all = tools();
    const std::string cursor = params.value("cursor", "0");
    const std::size_t first = std::min<std::size_t>(std::stoul("0" + cursor), all.size());
    const std::size_t size = m_options.pageSize > 0 ? std::size_t(m_options.pageSize) : all.size();
    const std::size_t last = std::min(first + size, all.size());
    Json result{{"tools", Json::array()}};
    for (std::size_t i = first; i < last; ++i)
        result["tools"].push_back(all[i]);
    if (last < all.size())
        result["nextCursor"] = std::to_string(last);
    if (m_phase == Phase::Modern) {
        result["ttlMs"] = 60000;
        result["cacheScope"] = "private";
    }
    answer(id, std::move(result));
}

void Server::call(const Json &id, const Json &params)
{
    const std::string name = params.value("name", "");
    const auto &more = m_options.with;
    if (std::find(more.begin(), more.end(), name) != more.end())
        answerText(id, name);
    else if (m_options.without.contains(name) || !Tools::call(*this, name, id, params))
        answerError(id, -32602, "Unknown tool: " + name);
}

void Server::listen(const Json &id, const Json &params)
{
    m_listening[id.dump()] = params.value("notifications", Json::object());
    notify("notifications/subscriptions/acknowledged",
           {{"_meta", {{subscriptionKey, id}}}, {"notifications", m_listening[id.dump()]}});
}

void Server::toolsChanged()
{
    if (m_phase == Phase::Legacy) {
        send({{"jsonrpc", "2.0"}, {"method", "notifications/tools/list_changed"}});
        return;
    }
    for (const auto &[id, wanted] : m_listening) {
        if (wanted.value("toolsListChanged", false))
            notify("notifications/tools/list_changed",
                   {{"_meta", {{subscriptionKey, Json::parse(id)}}}});
    }
}

void Server::addTool(const std::string &name)
{
    m_options.with.push_back(name);
    toolsChanged();
}

void Server::removeTool(const std::string &name)
{
    m_options.without.insert(name);
    std::erase(m_options.with, name);
    toolsChanged();
}

void Server::updated(const std::string &uri)
{
    if (m_subscribed.contains(uri))
        notify("notifications/resources/updated", {{"uri", uri}});
}

Json Server::state() const
{
    return {{"pid", ::getpid()},
            {"start", m_options.start},
            {"initialize", m_initializeParams},
            {"level", m_logLevel},
            {"subscribed", m_subscribed}};
}
