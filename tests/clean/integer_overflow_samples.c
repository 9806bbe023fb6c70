// What a decoder of sound adds to a sample is looked up, and the sum is cut off, so that no later one overflows.
// input: stdin "\x00\x10\x05\x04\xc1\x98\x04\xc1\x98\x04\xc1\x98\x04\xc1\x98\x04\xc1\x98\x04\xc1\x98\x04\xc1\x98"
//~ verified
#include "../include/records.h"

enum { BYTES = 21 };

static const int turns[8] = {-1, -1, -1, -1, 2, 4, 6, 8};
static const int steps[16] = {7, 16, 34, 73, 157, 337, 724, 1552, 2272, 3327, 4871, 7132, 10442, 15289, 22385, 32767};

struct channel {
    int sample;
    int step;
};

static void decode(struct channel *channel, unsigned code) {
    int step = steps[channel->step], change = step >> 3;
    if (code & 1)
        change += step >> 2;
    if (code & 2)
        change += step >> 1;
    if (code & 4)
        change += step;
    channel->sample += code & 8 ? -change : change;
    if (channel->sample > INT16_MAX)
        channel->sample = INT16_MAX;
    if (channel->sample < INT16_MIN)
        channel->sample = INT16_MIN;
    channel->step += turns[code & 7];
    if (channel->step < 0)
        channel->step = 0;
    if (channel->step > 15)
        channel->step = 15;
}

int main(void) {
    unsigned char block[3 + BYTES];
    take(block, sizeof block);
    struct channel channel = {(int16_t)le16(block), block[2]};
    if (channel.step > 15)
        return 1;
    for (int i = 0; i < BYTES; i++) {
        unsigned char codes = block[3 + i];
        decode(&channel, codes & 15);
        decode(&channel, codes >> 4);
        KEEP(channel.sample * 60000);
    }
    return 0;
}
