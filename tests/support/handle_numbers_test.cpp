#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <mpmd/support/handle_numbers.hpp>

namespace handle_numbers_test {

using mpmd::handle_numbers;

template <class Handle>
void check_numbers(std::vector<Handle> const& handles, Handle stranger) {
  handle_numbers<Handle> numbers;
  CHECK(numbers.find(stranger) == handle_numbers<Handle>::none);
  for (std::size_t i = 0; i < handles.size(); ++i) REQUIRE(numbers.add(handles[i]) == i);
  for (std::size_t i = 0; i < handles.size(); ++i) {
    REQUIRE(numbers.find(handles[i]) == i);
    REQUIRE(numbers.add(handles[i]) == i);
  }
  CHECK(numbers.size() == handles.size());
  CHECK(numbers.find(stranger) == handle_numbers<Handle>::none);
}

TEST_CASE("handles get the numbers in which they come, whatever their hashes look like") {
  for (std::size_t const stride : {1u, 8u, 16u, 144u, 512u, 4096u}) {
    CAPTURE(stride);
    std::vector<std::uint64_t> addresses;
    for (std::size_t i = 0; i < 5000; ++i) addresses.push_back(0x7F0000001000u + i * stride);
    check_numbers<std::uint64_t>(addresses, 3);
  }
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> any;
  for (int i = 0; i < 5000; ++i) any.push_back(random() | 1);
  check_numbers<std::uint64_t>(any, 2);
}

TEST_CASE("pointers are handles, the null pointer too") {
  std::vector<std::unique_ptr<int>> owners;
  std::vector<int*> pointers{nullptr};
  for (int i = 0; i < 1000; ++i) {
    owners.push_back(std::make_unique<int>(i));
    pointers.push_back(owners.back().get());
  }
  int other = 0;
  check_numbers<int*>(pointers, &other);
}

TEST_CASE("an empty table knows no handle") {
  handle_numbers<int> const none;
  CHECK(none.size() == 0);
  CHECK(none.find(0) == handle_numbers<int>::none);
}

}  // namespace handle_numbers_test
