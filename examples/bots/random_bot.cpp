// A bot that plays any game of Kibitz at random, in C++ without libraries: g++ -O2 -o random_bot random_bot.cpp
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

// What stands behind a key; enough for the messages of a referee to a bot that wants nothing but moves.
std::string after(const std::string& line, const std::string& key) {
    size_t at = line.find("\"" + key + "\":");
    return at == std::string::npos ? "" : line.substr(at + key.size() + 3);
}

std::vector<long> numbers(const std::string& list) {
    std::vector<long> found;
    const char* at = list.c_str() + 1;
    while (*at && *at != ']') {
        char* end;
        found.push_back(std::strtol(at, &end, 10));
        at = *end == ',' ? end + 1 : end;
    }
    return found;
}

int main() {
    std::mt19937 dice(std::random_device{}());
    for (std::string line; std::getline(std::cin, line);) {
        const std::string type = after(line, "type"), id = std::to_string(std::atol(after(line, "id").c_str()));
        if (type.rfind("\"hello\"", 0) == 0)
            std::cout << "{\"type\":\"ready\",\"id\":" << id << ",\"name\":\"random in C++\",\"wants\":[\"moves\"]}\n";
        else if (type.rfind("\"new\"", 0) == 0 || type.rfind("\"end\"", 0) == 0)
            std::cout << "{\"type\":\"ok\",\"id\":" << id << "}\n";
        else if (type.rfind("\"decide\"", 0) == 0) {
            const std::vector<long> moves = numbers(after(line, "moves"));
            std::cout << "{\"type\":\"move\",\"id\":" << id << ",\"move\":" << moves[dice() % moves.size()] << "}\n";
        } else if (type.rfind("\"quit\"", 0) == 0)
            return 0;
        std::cout.flush();
    }
}
