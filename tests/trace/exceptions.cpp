// C++: exceptions past labelled calls, virtual calls, templates, lambdas, containers.
// input: stdin "\x05\x06\x07\x08\x09"
// elsewhere: allowed
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "observe.h"

struct Shape {
    virtual ~Shape() = default;
    virtual int area(int scale) const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    __attribute__((noinline)) int area(int scale) const override { return side * side * scale; }
};

__attribute__((noinline)) static int thrower(int labelled, int depth) {
    struct Guard {
        ~Guard() { putchar('.'); }
    } guard;
    if (depth == 0)
        throw std::runtime_error("deep");
    return thrower(labelled, depth - 1) + labelled;
}

template <typename T> __attribute__((noinline)) static T twice(T x) { return static_cast<T>(x + x); }

__attribute__((noinline)) static int identity(int x) { return x; }

int main() {
    take_input();
    try {
        thrower(in[0], 3);
    } catch (const std::runtime_error &error) {
        OBSERVE(error.what()[0] == 'd'); //~ no event
    }
    OBSERVE(identity(3) == 3); //~ no event
    std::unique_ptr<Shape> shape = std::make_unique<Square>(in[1]);
    OBSERVE(shape->area(2) == 72); //~ branch taken stdin[1]
    OBSERVE(twice<unsigned char>(in[2]) == 14); //~ branch taken stdin[2]
    OBSERVE(twice<long>(in[2]) == 14); //~ branch taken stdin[2]
    int offset = in[3];
    auto shifted = [offset](int x) { return x + offset; };
    OBSERVE(shifted(1) == 9); //~ branch taken stdin[3]
    std::vector<int> numbers;
    for (int i = 0; i < 5; i++)
        numbers.push_back(in[i]);
    OBSERVE(numbers[4] == 9); //~ branch taken stdin[4]
    std::string text(reinterpret_cast<char *>(in), 5);
    OBSERVE(text[4] < 100); //~ branch taken stdin[4]
    int thrown = 0;
    try {
        if (identity(1))
            throw int(in[0]);
    } catch (int value) {
        thrown = value;
    }
    OBSERVE(thrown == 5); //~ branch taken stdin[0]
    return 0;
}
