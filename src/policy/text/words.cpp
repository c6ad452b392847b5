// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/words.h"

#include "hosttexts_p.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <vector>

namespace Rekindle {

namespace {

constexpr const char *context = "Rekindle::Words";

thread_local int english = 0;

/// A text of the table, in parts: the arguments are between them.
struct HostText
{
    const char *source;
    QStringList parts;
};

/// The ones with the longest parts first, because several can match.
const std::vector<HostText> &allHostTexts()
{
    static const std::vector<HostText> all = [] {
        static const QRegularExpression argument(QStringLiteral("%[1-9]"));
        std::vector<HostText> texts;
        texts.reserve(hostTexts.size());
        for (const char *const each : hostTexts)
            texts.push_back({each, QString::fromLatin1(each).split(argument)});
        std::stable_sort(texts.begin(), texts.end(), [](const HostText &a, const HostText &b) {
            return a.parts.join(QString()).size() > b.parts.join(QString()).size();
        });
        return texts;
    }();
    return all;
}

/// The arguments of a text that matches.
std::optional<QStringList> argumentsIn(const QString &text, const QStringList &parts)
{
    if (parts.size() == 1)
        return text == parts.first() ? std::optional(QStringList()) : std::nullopt;
    if (!text.startsWith(parts.first()) || !text.endsWith(parts.last()))
        return {};
    const qsizetype end = text.size() - parts.last().size();
    QStringList found;
    qsizetype from = parts.first().size();
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const bool isLast = i == parts.size() - 1;
        const qsizetype to = isLast ? end : text.indexOf(parts[i], from);
        if (to < 0 || to <= from)
            return {};
        found.append(text.mid(from, to - from));
        from = to + parts[i].size();
    }
    return found;
}

QString knownText(const QString &text);

// "db (Waiting), cache (Stopped, not stable)": only what is in parentheses is a text.
QString stateTexts(const QString &list)
{
    QStringList shown;
    for (const QString &each : list.chopped(1).split(QLatin1String("), "))) {
        const qsizetype at = each.indexOf(QLatin1String(" ("));
        QStringList states = each.mid(at + 2).split(QLatin1String(", "));
        for (QString &state : states)
            state = knownText(state);
        shown.append(each.left(at + 2) + states.join(QLatin1String(", ")));
    }
    return shown.join(QLatin1String("), ")) + u')';
}

// A single word can be the name of an agent; after a mark it is a text.
QString argumentText(const QString &argument, const QString &before)
{
    if (argument.endsWith(u')') && argument.contains(QLatin1String(" (")))
        return stateTexts(argument);
    const bool isText =
        argument.contains(u' ') || before.endsWith(u'(') || before.endsWith(QLatin1String(": "));
    return isText ? Words::ofData(argument) : argument;
}

QString knownText(const QString &text)
{
    for (const auto &[source, parts] : allHostTexts()) {
        const std::optional<QStringList> found = argumentsIn(text, parts);
        if (!found)
            continue;
        // Not arg() for each, because an argument can contain "%2".
        const QStringList translated = Words::tr(source).split(u'%');
        QString result = translated.first();
        for (const QString &each : translated.mid(1)) {
            const int number = each.isEmpty() ? 0 : each.front().digitValue();
            if (number < 1 || number > found->size())
                result += u'%' + each;
            else
                result += argumentText(found->at(number - 1), parts[number - 1]) + each.mid(1);
        }
        return result;
    }
    return text;
}

} // namespace

QString Words::tr(const char *text, const char *disambiguation, int n)
{
    QString result = english > 0 ? QString::fromUtf8(text)
                                 : QCoreApplication::translate(context, text, disambiguation, n);
    if (n >= 0) {
        result.replace(QLatin1String("%n"), QString::number(n)); // if it is English
        result.replace(QLatin1String("(s)"), QLatin1String(n == 1 ? "" : "s"));
    }
    return result;
}

QString Words::ofData(const QString &text)
{
    // Without a translation, nothing is searched.
    static const QString probe = QString::fromLatin1(hostTexts.front());
    if (text.isEmpty() || tr(hostTexts.front()) == probe)
        return text;
    const QString known = knownText(text);
    if (known != text)
        return known;
    // "ProcessCrash: exit code 1"
    const qsizetype at = text.indexOf(QLatin1String(": "));
    const QString reason = text.left(at);
    if (at > 0 && knownText(reason) != reason)
        return knownText(reason) + QLatin1String(": ") + ofData(text.mid(at + 2));
    QStringList parts = text.split(QLatin1String("; "));
    for (QString &each : parts)
        each = knownText(each);
    return parts.join(QLatin1String("; "));
}

QStringList Words::ofData(QStringList texts)
{
    for (QString &each : texts)
        each = ofData(each);
    return texts;
}

Words::English::English() { ++english; }

Words::English::~English() { --english; }

} // namespace Rekindle
