#pragma once

#include <doctest/doctest.h>

#include <pthread.h>

#include "testing/sanitized.hpp"

namespace mpmd::testing {

/// Runs `work()` with a stack of 256 KiB, as after `ulimit -s 256`; with sanitizers of 4 MiB.
template <class Work>
void with_small_stack(Work work) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, (sanitized ? 4096 : 256) * 1024) == 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<Work*>(argument))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &work) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace mpmd::testing
