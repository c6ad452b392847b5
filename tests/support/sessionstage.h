// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <QByteArray>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace Rekindle {

/// Drives a pure MCP session: lines and time go in, and actions come out as texts. An action with
/// an empty text is left out.
template<typename Session>
class SessionStage
{
public:
    QStringList client(const QByteArray &line)
    {
        m_session.clientLine({line}, m_now);
        return actions();
    }
    QStringList closeClient()
    {
        m_session.clientClosed(m_now);
        return actions();
    }

    /// Time passes; the session is called at each of its deadlines.
    QStringList pass(Duration time)
    {
        const Instant end = m_now + time;
        QStringList texts;
        for (auto next = m_session.nextDeadline(); next && *next <= end;
             next = m_session.nextDeadline()) {
            m_now = std::max(m_now, *next);
            m_session.timePassed(m_now);
            texts += actions();
        }
        m_now = end;
        return texts;
    }

    [[nodiscard]] Session &session() { return m_session; }
    [[nodiscard]] Instant now() const { return m_now; }

protected:
    using Action = typename decltype(std::declval<Session &>().takeActions())::value_type;

    template<typename Options>
    explicit SessionStage(Options options)
        : m_session(std::move(options))
    {
    }
    ~SessionStage() = default;

    [[nodiscard]] virtual QString textOf(const Action &action) = 0;

    QStringList actions()
    {
        QStringList texts;
        for (const Action &action : m_session.takeActions()) {
            if (const QString text = textOf(action); !text.isEmpty())
                texts.append(text);
        }
        return texts;
    }

private:
    Session m_session;
    Instant m_now{std::chrono::hours(1)};
};

// Messages, with ids and members as JSON.

inline QByteArray request(const QByteArray &id, const QByteArray &method,
                          const QByteArray &params = "{}")
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params
        + '}';
}

inline QByteArray answerTo(const QByteArray &id, const QByteArray &result = "{}")
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + '}';
}

inline QByteArray failureOf(const QByteArray &id, int code, const QByteArray &message = "no")
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + QByteArray::number(code)
        + R"(,"message":")" + message + R"("}})";
}

inline QByteArray cancellationOf(const QByteArray &id)
{
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id
        + "}}";
}

inline constexpr char toolsChanged[] =
    R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

inline QString text(const char *words) { return QString::fromUtf8(words); }
inline QString toClient(const QByteArray &line)
{
    return QLatin1String("C ") + QString::fromUtf8(line);
}

} // namespace Rekindle

/// Compares the texts of actions.
#define LOG(expression, ...) QCOMPARE(expression, (QStringList{__VA_ARGS__}))
