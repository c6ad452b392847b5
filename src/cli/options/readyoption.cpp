// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "readyoption_p.h"

#include <CLI/CLI.hpp>
#include <QRegularExpression>

namespace Rekindle {

namespace {

constexpr char allowed[] = "alive, alive:D (D more than 0, at most 24h), line:REGEX, notify or now";

// Nothing for a text that says none of them.
std::optional<Readiness> readinessFrom(const QString &text)
{
    const qsizetype colon = text.indexOf(u':');
    const QString kind = text.left(colon);
    const QString rest = colon < 0 ? QString() : text.mid(colon + 1);
    Readiness readiness;
    if (kind == QLatin1String("line") && !rest.isEmpty()) {
        readiness.kind = Readiness::Kind::Line;
        readiness.pattern = rest;
        return readiness;
    }
    if (kind == QLatin1String("alive")) {
        if (colon < 0)
            return readiness;
        const std::optional<Duration> time = durationFromString(rest);
        if (!time || *time <= Duration{0} || *time > std::chrono::hours(24))
            return {};
        readiness.aliveFor = *time;
        return readiness;
    }
    if (colon >= 0)
        return {};
    readiness.kind = kind == QLatin1String("now") ? Readiness::Kind::Now : Readiness::Kind::Notify;
    const bool isKnown = kind == QLatin1String("now") || kind == QLatin1String("notify");
    return isKnown ? std::optional(readiness) : std::nullopt;
}

} // namespace

void addReadyOption(CLI::App &parser, Readiness &target)
{
    parser
        .add_option_function<std::string>(
            "--ready",
            [&target](const std::string &text) {
                const std::optional<Readiness> found = readinessFrom(QString::fromStdString(text));
                if (!found) {
                    throw CLI::ValidationError("--ready",
                                               "found \"" + text + "\", allowed " + allowed);
                }
                const QRegularExpression pattern(found->pattern);
                if (!pattern.isValid()) {
                    throw CLI::ValidationError("--ready",
                                               "found \"" + text
                                                   + "\": " + pattern.errorString().toStdString());
                }
                target = *found;
            },
            "When it counts as ready: after living for D (default: alive:1s), after a line on "
            "stdout, when it says READY=1 to $NOTIFY_SOCKET, or at once")
        ->type_name("alive[:D]|line:REGEX|notify|now");
}

} // namespace Rekindle
