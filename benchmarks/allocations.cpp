// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allocations.h"

#include <atomic>
#include <cstddef>

// Replaces the allocation functions of the C library, which operator new and Qt's containers use.

namespace {
std::atomic<std::uint64_t> count{0};
} // namespace

extern "C" {

void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t number, std::size_t size);
void *__libc_realloc(void *memory, std::size_t size);

void *malloc(std::size_t size)
{
    count.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(size);
}

void *calloc(std::size_t number, std::size_t size)
{
    count.fetch_add(1, std::memory_order_relaxed);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, std::size_t size)
{
    count.fetch_add(1, std::memory_order_relaxed);
    return __libc_realloc(memory, size);
}

} // extern "C"

std::uint64_t allocationCount() { return count.load(std::memory_order_relaxed); }
