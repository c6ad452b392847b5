// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "readyoption_p.h"

#include <CLI/CLI.hpp>
#include <QRegularExpression>

namespace Rekindle {

namespace {

constexpr char expected[] = "alive, alive:D (more than 0, at most 24h), line:REGEX, notify or now";

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
                    throw CLI::ValidationError(
                        "--ready", std::string("expected ") + expected + ", found \"" + text + '"');
                }
                const QRegularExpression pattern(found->pattern);
                if (!pattern.isValid()) {
                    throw CLI::ValidationError("--ready",
                                               "invalid pattern in \"" + text
                                                   + "\": " + pattern.errorString().toStdString());
                }
                target = *found;
            },
            "When the program is ready: after running for D (default: alive:1s), after a line on "
            "stdout, after READY=1 on $NOTIFY_SOCKET, or immediately")
        ->type_name("alive[:D]|line:REGEX|notify|now");
}

} // namespace Rekindle
