// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "memoryrelease_p.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <span>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REKINDLE_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define REKINDLE_SANITIZER
#endif
#endif

namespace Rekindle {

namespace {

// The dynamic linker reports addresses as integers.
template<typename Type>
Type *pointerTo(std::uintptr_t address)
{
    return reinterpret_cast<Type *>(address); // NOLINT(performance-no-int-to-ptr)
}

// The dynamic linker has changed pages of code in such an object. They would lose these changes.
bool hasTextRelocations(const dl_phdr_info &object, std::span<const ElfW(Phdr)> headers)
{
    for (const ElfW(Phdr) & header : headers) {
        if (header.p_type != PT_DYNAMIC)
            continue;
        const auto *entry = pointerTo<const ElfW(Dyn)>(object.dlpi_addr + header.p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_TEXTREL
                || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
                return true;
        }
    }
    return false;
}

int releaseObject(dl_phdr_info *object, std::size_t, void *)
{
    static const auto pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::span headers(object->dlpi_phdr, object->dlpi_phnum);
    if (hasTextRelocations(*object, headers))
        return 0;
    for (const ElfW(Phdr) & header : headers) {
        if (header.p_type != PT_LOAD || (header.p_flags & PF_W) != 0)
            continue;
        const std::uintptr_t first = (object->dlpi_addr + header.p_vaddr) & ~(pageSize - 1);
        const std::uintptr_t end = object->dlpi_addr + header.p_vaddr + header.p_memsz;
        ::madvise(pointerTo<void>(first), end - first, MADV_DONTNEED);
    }
    return 0;
}

// The heap first, because its code would be mapped again.
void release()
{
    MemoryRelease::releaseHeap();
    ::dl_iterate_phdr(releaseObject, nullptr);
}

} // namespace

MemoryRelease::MemoryRelease(const RestartPolicyEvaluator &evaluator, Scheduler &scheduler)
    : m_due(scheduler, release)
{
    releaseSoon();
    connect(&evaluator, &RestartPolicyEvaluator::stateChanged, this, &MemoryRelease::releaseSoon);
    connect(&evaluator, &RestartPolicyEvaluator::agentStable, this, &MemoryRelease::releaseSoon);
}

bool MemoryRelease::isAvailable()
{
#ifdef REKINDLE_SANITIZER
    return false;
#else
    return true;
#endif
}

void MemoryRelease::releaseHeap() { ::malloc_trim(0); }

// A change does not postpone the release; otherwise agents that fail continuously would prevent it.
void MemoryRelease::releaseSoon()
{
    constexpr Duration pause = std::chrono::seconds(5);
    if (isAvailable() && !m_due.isArmed())
        m_due.armIn(pause);
}

} // namespace Rekindle
