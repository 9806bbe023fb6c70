#include <string>

extern "C" int shared_part()
{
    try {
        throw std::string("ab");
    } catch (const std::string &text) {
        return static_cast<int>(text.size());
    }
}
