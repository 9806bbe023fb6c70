// Memory that the program names itself.
#include <provoke.h>

#include "observe.h"

int main(void) {
    int number = 5;
    struct { char name[4]; unsigned id; } record = {"abc", 77};
    provoke_make_symbolic(&number, sizeof number, "number");
    provoke_make_symbolic(&record, sizeof record, "record");
    OBSERVE(number == 5); //~ branch taken number[0-3]
    OBSERVE(record.name[1] == 'b'); //~ branch taken record[1]
    OBSERVE(record.id + number == 82); //~ branch taken number[0-3] record[4-7]
    number = 6;
    OBSERVE(number == 6); //~ no event
    return 0;
}
