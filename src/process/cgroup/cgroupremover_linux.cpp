// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cgroupremover_p.h"

#include <unistd.h>

#include <cerrno>
#include <thread>

namespace Rekindle {

namespace {

constexpr Duration betweenRetries = std::chrono::milliseconds(20);
constexpr int mostRetries = 500; // a process that cannot exit must not keep this object busy
constexpr int mostRetriesAtEnd = 100;

} // namespace

CgroupRemover::CgroupRemover(Scheduler &scheduler)
    : m_next(scheduler, [this] { retry(); })
{
}

CgroupRemover::~CgroupRemover()
{
    for (int i = 0; i < mostRetriesAtEnd && !m_folders.isEmpty(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        tryAll();
    }
}

void CgroupRemover::remove(const QByteArray &folder)
{
    m_folders.append(folder);
    m_retries = 0;
    tryAll();
    if (!m_folders.isEmpty())
        m_next.armIn(betweenRetries);
}

void CgroupRemover::tryAll()
{
    m_folders.removeIf([](const QByteArray &folder) {
        return ::rmdir(folder.constData()) == 0 || errno != EBUSY;
    });
}

void CgroupRemover::retry()
{
    tryAll();
    if (++m_retries == mostRetries)
        m_folders.clear();
    if (!m_folders.isEmpty())
        m_next.armIn(betweenRetries);
}

} // namespace Rekindle
