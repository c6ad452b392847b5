// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "optiontypes_p.h"

#include <CLI/CLI.hpp>
#include <QDir>
#include <QRegularExpression>

#include <map>
#include <utility>

namespace Rekindle {

namespace {

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
    readiness.kind = text == QLatin1String("now") ? Readiness::Kind::Now : Readiness::Kind::Notify;
    const bool isKnown = text == QLatin1String("now") || text == QLatin1String("notify");
    return isKnown ? std::optional(readiness) : std::nullopt;
}

std::optional<ListenAddress> listenAddressFrom(const QString &text)
{
    const qsizetype colon = text.lastIndexOf(u':');
    bool isNumber = false;
    const ushort port = text.mid(colon + 1).toUShort(&isNumber);
    if (!isNumber || !text.at(colon + 1).isDigit())
        return {};
    QString host = colon < 0 ? QStringLiteral("localhost") : text.left(colon);
    if (host == QLatin1String("localhost"))
        return ListenAddress{QHostAddress(QHostAddress::LocalHost), port};
    const bool isV6 = host.startsWith(u'[') && host.endsWith(u']');
    if (isV6)
        host = host.mid(1, host.size() - 2);
    QHostAddress address;
    const auto protocol = isV6 ? QAbstractSocket::IPv6Protocol : QAbstractSocket::IPv4Protocol;
    if (!address.setAddress(host) || address.protocol() != protocol)
        return {};
    return ListenAddress{address, port};
}

std::string expectedText(const std::string &expected, const std::string &found)
{
    return "expected " + expected + ", found "
        + (found.empty() ? "an empty value" : '"' + found + '"');
}

// Stores a value, if there is one.
template<typename Value, typename Target>
bool store(const std::optional<Value> &value, Target &target)
{
    if (value)
        target = *value;
    return value.has_value();
}

} // namespace

CLI::Option *addValue(CLI::App &parser, const std::string &name, const std::string &typeName,
                      const std::string &description, const std::string &expected,
                      std::function<bool(const QString &)> read)
{
    return parser
        .add_option_function<std::string>(
            name,
            [name, expected, read = std::move(read)](const std::string &text) {
                if (!read(QString::fromStdString(text)))
                    throw CLI::ValidationError(name, expectedText(expected, text));
            },
            description)
        ->type_name(typeName);
}

CLI::Option *addText(CLI::App &parser, const std::string &name, QString &target,
                     const std::string &description, const std::string &typeName)
{
    return addValue(parser, name, typeName, description, typeName, [&target](const QString &text) {
        target = text;
        return !text.isEmpty();
    });
}

// Does not remove "..": after a link, the result would be another file.
void resolvePath(const QDir &folder, QString &path, QLatin1String word)
{
    if (!path.isEmpty() && path != word)
        path = folder.filePath(path);
}

CLI::Option *addTexts(CLI::App &parser, const std::string &name, QStringList &target,
                      const std::string &description, const std::string &typeName)
{
    return parser
        .add_option_function<std::vector<std::string>>(
            name,
            [name, typeName, &target](const std::vector<std::string> &texts) {
                for (const std::string &text : texts) {
                    if (text.empty())
                        throw CLI::ValidationError(name, expectedText(typeName, text));
                    target.append(QString::fromStdString(text));
                }
            },
            description)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false) // otherwise the parser reads [ab] as a list
        ->type_name(typeName);
}

CLI::Option *addDuration(CLI::App &parser, const std::string &name, std::optional<Duration> &target,
                         const std::string &description)
{
    return addValue(
        parser, name, "D", description, "a duration such as 500ms, 5s or 1m, at most 10000d",
        [&target](const QString &text) { return store(durationFromString(text), target); });
}

CLI::Option *addTimeLimit(CLI::App &parser, const std::string &name,
                          std::optional<Duration> &target, const std::string &description)
{
    return addDuration(parser, name, target, description)
        ->check(
            [](const std::string &text) {
                const auto time = durationFromString(QString::fromStdString(text));
                const bool isZero = time && *time <= Duration{0};
                return std::string(isZero ? "expected more than 0, found 0" : "");
            },
            "");
}

CLI::Option *addTime(CLI::App &parser, const std::string &name, std::optional<UtcTime> &target,
                     const std::string &description)
{
    return addValue(
        parser, name, "T", description, "a time such as 2027-01-01T00:00:00Z",
        [&target](const QString &text) { return store(utcTimeFromRfc3339(text), target); });
}

CLI::Option *addTier(CLI::App &parser, LicenseTier &target, const std::string &description)
{
    return addValue(
        parser, "--tier", "TIER", description, "Core, WriterPro, Teams or Enterprise",
        [&target](const QString &text) { return store(valueOf(licenseTiers, text), target); });
}

CLI::Option *addReady(CLI::App &parser, Readiness &target)
{
    return addValue(
        parser, "--ready", "alive[:D]|line:REGEX|notify|now",
        "When the program is ready: after running for D (default: alive:1s), after a line on "
        "stdout, after READY=1 on $NOTIFY_SOCKET, or immediately",
        "alive, alive:D (more than 0, at most 1d), line:REGEX, notify or now",
        [&target](const QString &text) {
            if (!store(readinessFrom(text), target))
                return false;
            if (const QRegularExpression pattern(target.pattern); !pattern.isValid()) {
                const QString fault = QStringLiteral("invalid pattern in \"%1\": %2")
                                          .arg(text, pattern.errorString());
                throw CLI::ValidationError("--ready", fault.toStdString());
            }
            return true;
        });
}

CLI::Option *addRetry(CLI::App &parser, const std::string &name, CallRetry &target,
                      const std::string &description)
{
    const std::map<std::string, CallRetry> names{
        {"safe", CallRetry::Safe}, {"always", CallRetry::Always}, {"never", CallRetry::Never}};
    return parser
        .add_option_function<std::string>(
            name, [&target, names](const std::string &text) { target = names.at(text); },
            description)
        ->check(CLI::IsMember(names).description(""))
        ->type_name("safe|always|never");
}

CLI::Option *addListenAddress(CLI::App &parser, const std::string &name,
                              std::optional<ListenAddress> &target, const std::string &description)
{
    return addValue(
        parser, name, "[ADDRESS:]PORT", description,
        "a port such as 9464, or an IP address and a port such as 127.0.0.1:9464",
        [&target](const QString &text) { return store(listenAddressFrom(text), target); });
}

} // namespace Rekindle
