// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "tools.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace Tools {

namespace {

using Function = void (*)(Server &, const Json &id, const Json &params);

struct Tool
{
    const char *name;
    const char *description;
    const char *annotations;
    Function function;
};

Json argument(const Json &params, const char *name, Json otherwise)
{
    const auto arguments = params.find("arguments");
    if (arguments == params.end() || !arguments->is_object())
        return otherwise;
    return arguments->value(name, std::move(otherwise));
}

std::string text(const Json &params, const char *name) { return argument(params, name, ""); }
int number(const Json &params, const char *name, int otherwise)
{
    return argument(params, name, otherwise);
}

void echo(Server &server, const Json &id, const Json &params)
{
    server.answerText(id, text(params, "message"));
}

// Sends progress for each step, if requested. A cancelled call sends nothing more.
void sleepStep(Server &server, const Json &id, const Json &token, int step, int steps, int ms)
{
    server.after(ms / steps, [=, &server] {
        if (!server.isPending(id))
            return;
        if (!token.is_null())
            server.notify("notifications/progress",
                          {{"progressToken", token}, {"progress", step}, {"total", steps}});
        if (step == steps)
            server.answerText(id, "slept");
        else
            sleepStep(server, id, token, step + 1, steps, ms);
    });
}

void sleep(Server &server, const Json &id, const Json &params)
{
    const Json meta = params.value("_meta", Json::object());
    sleepStep(server, id, meta.value("progressToken", Json()), 1,
              std::max(1, number(params, "steps", 1)), number(params, "ms", 0));
}

void crash(Server &, const Json &, const Json &params)
{
    const int signal = number(params, "signal", SIGKILL);
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

void exitNow(Server &, const Json &, const Json &params) { ::_exit(number(params, "code", 1)); }

// With `marker`, writes the reason to that file (S4 3.2).
void exit42(Server &server, const Json &id, const Json &params)
{
    if (const std::string file = text(params, "marker"); !file.empty()) {
        char now[32];
        const std::time_t seconds = std::time(nullptr);
        std::strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
        std::ofstream(file) << Json{{"timestamp", now},
                                    {"reason", text(params, "reason")},
                                    {"exit_code", 42},
                                    {"method", "server"}};
    }
    server.answerText(id, "restarting");
    ::_exit(42);
}

// Is killed by the first call with that file.
void dieOnce(Server &server, const Json &id, const Json &params)
{
    const std::string file = text(params, "file");
    if (!std::filesystem::exists(file)) {
        std::ofstream(file) << "died\n";
        ::raise(SIGKILL);
    }
    server.answerText(id, "survived");
}

// Appends a line to a file for each execution, so that tests detect repeated calls.
void count(Server &server, const Json &id, const Json &params)
{
    const std::string file = text(params, "file");
    std::ofstream(file, std::ios::app) << text(params, "line") + '\n' << std::flush;
    std::ifstream lines(file);
    int counted = 0;
    for (std::string line; std::getline(lines, line);)
        ++counted;
    server.answerText(id, std::to_string(counted));
}

void big(Server &server, const Json &id, const Json &params)
{
    server.answerText(id, std::string(std::size_t(number(params, "bytes", 0)), 'x'));
}

void chatter(Server &server, const Json &id, const Json &params)
{
    for (int i = 0; i < number(params, "count", 1); ++i)
        server.notify("notifications/message", {{"level", "info"}, {"data", std::to_string(i)}});
    server.answerText(id, "said");
}

void noise(Server &server, const Json &id, const Json &params)
{
    server.sendRaw(text(params, "text"));
    server.answerText(id, "written");
}

void twice(Server &server, const Json &id, const Json &)
{
    const Json answer{{"jsonrpc", "2.0"},
                      {"id", id},
                      {"result", {{"content", {{{"type", "text"}, {"text", "first"}}}}}}};
    server.answerText(id, "first");
    server.send(answer);
}

void unasked(Server &server, const Json &id, const Json &)
{
    server.send({{"jsonrpc", "2.0"}, {"id", "nobody asked"}, {"result", Json::object()}});
    server.answerText(id, "done");
}

void deaf(Server &, const Json &, const Json &) { ::close(STDIN_FILENO); }

void silent(Server &, const Json &, const Json &) {}

void mute(Server &, const Json &, const Json &) { ::close(STDOUT_FILENO); }

void fail(Server &server, const Json &id, const Json &)
{
    server.answerText(id, "it did not work", true);
}

void ask(Server &server, const Json &id, const Json &params)
{
    server.ask(text(params, "method"), argument(params, "id", 1),
               [&server, id](const Json &answer) { server.answerText(id, answer.dump()); });
}

void state(Server &server, const Json &id, const Json &)
{
    server.answerText(id, server.state().dump());
}

void change(Server &server, const Json &id, const Json &params)
{
    if (const std::string name = text(params, "add"); !name.empty())
        server.addTool(name);
    if (const std::string name = text(params, "remove"); !name.empty())
        server.removeTool(name);
    server.answerText(id, "changed");
}

void touch(Server &server, const Json &id, const Json &params)
{
    server.updated(text(params, "uri"));
    server.answerText(id, "touched");
}

constexpr char none[] = "{}";
constexpr char readOnly[] = R"({"readOnlyHint":true})";
constexpr char idempotent[] = R"({"idempotentHint":true})";

constexpr Tool all[] = {
    {"echo", "says `message`", none, echo},
    {"lookup", "says `message`; only reads", readOnly, echo},
    {"sleep", "answers after `ms`, with progress in `steps`", none, sleep},
    {"rest", "the same; only reads", readOnly, sleep},
    {"crash", "dies by `signal` (9)", none, crash},
    {"exit", "ends with `code` (1)", none, exitNow},
    {"exit42", "answers, and ends with 42; leaves `reason` in `marker`", none, exit42},
    {"die_once", "dies, unless `file` is there; only reads", readOnly, dieOnce},
    {"die_once_writing", "the same; not annotated", none, dieOnce},
    {"count", "appends `line` to `file` and counts", none, count},
    {"set", "the same; annotated as idempotent", idempotent, count},
    {"big", "answers with `bytes` bytes", readOnly, big},
    {"chatter", "sends `count` log messages", none, chatter},
    {"noise", "writes `text` to stdout as it is", none, noise},
    {"twice", "answers twice", none, twice},
    {"unasked", "answers a request that nobody sent", none, unasked},
    {"silent", "never answers", none, silent},
    {"deaf", "closes its stdin and does not answer", none, deaf},
    {"fail", "a result that is an error", readOnly, fail},
    {"ask", "sends the client a request `method` with `id`; says the answer", none, ask},
    {"state", "what the client has set, and which process this is", readOnly, state},
    {"change", "a tool more, `add`, or less, `remove`", none, change},
    {"touch", "tells the subscribers of `uri`", none, touch},
    {"mute", "closes its stdout and does not answer", none, mute},
};

} // namespace

Json list()
{
    Json tools = Json::array();
    for (const Tool &tool : all) {
        Json entry{{"name", tool.name},
                   {"description", tool.description},
                   {"inputSchema", {{"type", "object"}}}};
        if (Json annotations = Json::parse(tool.annotations); !annotations.empty())
            entry["annotations"] = std::move(annotations);
        tools.push_back(std::move(entry));
    }
    return tools;
}

bool call(Server &server, const std::string &name, const Json &id, const Json &params)
{
    for (const Tool &tool : all) {
        if (tool.name == name) {
            tool.function(server, id, params);
            return true;
        }
    }
    return false;
}

} // namespace Tools
