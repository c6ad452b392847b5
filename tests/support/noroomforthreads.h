// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <cstddef>
#include <pthread.h>

namespace Rekindle {

// While it exists, no thread can be started, because the stack size is too large.
class NoRoomForThreads
{
public:
    NoRoomForThreads()
    {
        pthread_getattr_default_np(&m_before);
        pthread_attr_t huge;
        pthread_attr_init(&huge);
        pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
        pthread_setattr_default_np(&huge);
        pthread_attr_destroy(&huge);
    }
    ~NoRoomForThreads()
    {
        pthread_setattr_default_np(&m_before);
        pthread_attr_destroy(&m_before);
    }
    Q_DISABLE_COPY_MOVE(NoRoomForThreads)

private:
    pthread_attr_t m_before{};
};

} // namespace Rekindle
