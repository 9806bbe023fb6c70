//~ --sinks all --auto => none
//~ ARGUMENTS --sinks all --auto => 100
//~ SECTION --sinks all --auto => 200
/* What runs before `main`, and with what. */
static int x;
static int *kept = &x;
#if defined ARGUMENTS
#line 100
__attribute__((constructor)) static void early(int argc, char **argv, char **envp) { x = *argv[argc]; }
#elif defined SECTION
static int *later;
#line 200
static void early(void) { x = *later; }
__attribute__((section(".init_array"), used)) static void (*const entry)(void) = early;
#else
__attribute__((constructor)) static void early(int argc, char **argv, char **envp) { if (*argv) x = **argv; }
#endif
int main(void) { return *kept; }
