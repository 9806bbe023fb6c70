//~ TOKENS --sinks all --auto => 22
//~ MORE_TOKENS --sinks all --auto => 32
//~ JOINED --sinks all --auto => 40
/* Pointers that functions of the library keep for later: to the text that is being split, to what a thread returned. */
#include <pthread.h>
#include <string.h>
static int *nothing;
static int *held[2] = {&(int){1}, &(int){2}};
static void *work(void *given) { (void)given; return held; }

int main(int argc, char **argv)
{
    (void)argv;
#ifdef TOKENS
    char text[] = "a,b";
    if (text[1] != ',')
        return 0;
    strtok(text, ",");
    strtok(NULL, ",");
    if (text[1] == ',')
        return 0;
#line 22
    return *nothing;
#endif
#ifdef MORE_TOKENS
    char text[] = "a,b", *rest, *token;
    strtok_r(text, ",", &rest);
    token = strtok_r(NULL, ",", &rest);
    if (token != NULL && argc > 1)
        token[0] = 'c';
    if (text[2] == 'b')
        return 0;
#line 32
    return *nothing;
#endif
#ifdef JOINED
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    if (result != NULL)
        ((int **)result)[argc & 1] = NULL;
#line 40
    return *held[0] + argc;
#endif
    (void)nothing, (void)held, (void)work;
    return argc;
}
