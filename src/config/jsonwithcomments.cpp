// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonwithcomments_p.h"

#include <optional>

namespace Rekindle {

namespace {

class Blanker
{
public:
    explicit Blanker(QByteArrayView text)
        : m_text(text)
    {
        m_result.reserve(text.size());
    }

    QByteArray run()
    {
        if (m_text.startsWith("\xEF\xBB\xBF"))
            m_at = 3;
        while (m_at < m_text.size())
            step();
        return m_result;
    }

private:
    [[nodiscard]] bool isAt(QByteArrayView what) const
    {
        return m_text.sliced(m_at).startsWith(what);
    }

    void step()
    {
        const char c = m_text[m_at];
        if (c == '"') {
            copyString();
        } else if (isAt("//")) {
            while (m_at < m_text.size() && m_text[m_at] != '\n')
                blank();
        } else if (isAt("/*") && m_text.indexOf("*/", m_at + 2) >= 0) {
            const qsizetype end = m_text.indexOf("*/", m_at + 2) + 2;
            while (m_at < end)
                blank();
        } else {
            copy(c);
        }
    }

    // One blank for each character, because columns count characters.
    void blank()
    {
        const char c = m_text[m_at++];
        const bool isContinued = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (c == '\n' || c == '\r')
            m_result += c;
        else if (!isContinued)
            m_result += ' ';
    }

    void copy(char c)
    {
        ++m_at;
        if (c == ',') {
            m_comma = m_result.size();
        } else if (c == ']' || c == '}') {
            if (m_comma && m_hasValue)
                m_result[*m_comma] = ' ';
            m_comma.reset();
        } else if (!QByteArrayView(" \t\r\n").contains(c)) {
            m_comma.reset();
        }
        // A comma without a preceding value is a fault, not a trailing comma.
        if (c == '[' || c == '{')
            m_hasValue = false;
        else if (c != ',' && !QByteArrayView(" \t\r\n").contains(c))
            m_hasValue = true;
        m_result += c;
    }

    void copyString()
    {
        m_comma.reset();
        m_hasValue = true;
        m_result += m_text[m_at++];
        while (m_at < m_text.size()) {
            const char c = m_text[m_at++];
            m_result += c;
            if (c == '"')
                return;
            if (c == '\\' && m_at < m_text.size())
                m_result += m_text[m_at++];
        }
    }

    QByteArrayView m_text;
    qsizetype m_at = 0;
    QByteArray m_result;
    std::optional<qsizetype> m_comma; // the last character that was written, apart from blanks
    bool m_hasValue = false;          // since the last opening bracket
};

} // namespace

QByteArray withoutComments(QByteArrayView text) { return Blanker(text).run(); }

} // namespace Rekindle
