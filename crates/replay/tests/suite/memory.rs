//! What AddressSanitizer finds.

use replay::{Access, End};
use run::Status;
use trace::rule::Rule;

use crate::bench::Bench;

const HEADER: &str = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

#[test]
fn accesses_outside_of_blocks() {
    let bench = Bench::new(&format!(
        "{HEADER}
static char text[10];
static void put(char *to, int at) {{
    to[at] = 1; // put
}}
int main(void) {{
    char *block = malloc(16); // allocated
    char local[8];
    switch (getchar()) {{
    case 'h': put(block, 18); break;
    case 'u': put(block, -3); break;
    case 's': put(local, 8); break;
    case 'g': put(text, 11); break;
    case 'w': *(volatile int *)(block + (1l << 45)) = 3; break; // wild
    case 'n': *(volatile int *)(block - block + 0x20) = 3; break; // null
    case 'f': free(block); block[3] = 1; break; // freed
    case 'c': put((char *)\"constant\", 2); break;
    }}
    return local[0] + text[0] + block[0] & 0;
}}
"
    ));
    assert_eq!(bench.run("x").violations, []);
    let heap = bench.only("h", Rule::HeapBufferOverflow, "put");
    let (start, end) = heap.message.split_once(" allocated at ").expect("a place");
    assert_eq!(start, "heap-buffer-overflow: write of 1 byte, 2 bytes behind the end of the 16-byte block");
    assert!(end.ends_with(&format!("program.c:{}", bench.line("allocated"))), "{end}");
    assert!(matches!(heap.access, Some(Access { is_write: true, size: 1, .. })));
    let functions: Vec<&str> = heap.stack.iter().map(|frame| frame.position.function.as_str()).collect();
    assert_eq!(functions, ["put", "main"]);
    assert_eq!(heap.stack[0].function_line, bench.line("put") - 1);
    bench.only("u", Rule::BufferUnderflow, "put");
    let stack = bench.only("s", Rule::StackBufferOverflow, "put");
    assert!(stack.message.ends_with("right behind the end of the 8-byte variable 'local'"), "{}", stack.message);
    let global = bench.only("g", Rule::GlobalBufferOverflow, "put");
    assert!(
        global.message.ends_with("1 byte behind the end of the 10-byte global variable 'text'"),
        "{}",
        global.message
    );
    assert!(bench.only("w", Rule::HeapBufferOverflow, "wild").wild);
    let constant = bench.only("c", Rule::GlobalBufferOverflow, "put");
    assert!(constant.message.starts_with("memory that cannot be written: write at address 0x"), "{}", constant.message);
    let null = bench.only("n", Rule::NullDeref, "null");
    assert_eq!(null.message, "null pointer: write at address 0x20");
    let freed = bench.only("f", Rule::UseAfterFree, "freed");
    assert_eq!(freed.freed[0].position.line, bench.line("freed"));
    assert_eq!(bench.run("f").end, End::Violation);
}

#[test]
fn library_functions() {
    let bench = Bench::new(&format!(
        "{HEADER}
int main(void) {{
    char *block = malloc(16), local[8];
    int c = getchar();
    char *long_text = \"much too long for eight bytes\";
    size_t n = 8 + (c == 'o');
    switch (c) {{
    case 's': strcpy(local, long_text); break; // strcpy
    case 'p': sprintf(local, \"%s\", long_text); break; // sprintf
    case 'm': memcpy(local, long_text, 20 + n); break; // memcpy
    case 'o': memcpy(block, block + 4, n); break; // overlap
    case '-': memcpy(block, local, n - 100); break; // negative
    case 'd': free(block); free(block); break; // double
    case 'i': free(block + 1); break; // invalid
    case 'a': block = malloc(n - 100); break; // allocation
    case 'c': block = calloc(n - 100, 1); break; // calloc
    case 'x': block = calloc(n << 40, n << 40); break;
    case 'h': block = malloc(n << 50); break;
    case 'w': free(block + (n << 45)); break; // wild
    }}
    return puts(local) < 0 || !block;
}}
"
    ));
    bench.only("s", Rule::StringOverflow, "strcpy");
    bench.only("p", Rule::StringOverflow, "sprintf");
    let copy = bench.only("m", Rule::StackBufferOverflow, "memcpy");
    assert!(copy.message.ends_with(", in memcpy"), "{}", copy.message);
    bench.only("o", Rule::Overlap, "overlap");
    bench.only("-", Rule::StringOverflow, "negative");
    bench.only("d", Rule::DoubleFree, "double");
    bench.only("i", Rule::InvalidFree, "invalid");
    bench.only("a", Rule::AllocSize, "allocation");
    bench.only("c", Rule::AllocSize, "calloc");
    // Allocators refuse what there is no room for, and this program can handle that.
    for refused in ["x", "h"] {
        let outcome = bench.run(refused);
        assert_eq!((outcome.violations.len(), outcome.end), (0, End::Other(Status::Exited(1))));
    }
    bench.only("w", Rule::InvalidFree, "wild");
}

#[test]
fn ends_of_other_kinds() {
    let bench = Bench::new(
        &format!(
            "{HEADER}
static int down(int n) {{
    volatile char room[100];
    room[0] = (char)n;
    return n == 0 ? 0 : down(n + 1) + room[0]; // deeper
}}
static int *lost(void) {{
    int here = 1;
    int *volatile at = &here;
    return at;
}}
int main(void) {{
    int c = getchar(), *out = &c;
    switch (c) {{
    case 'a': assert(c == 'b'); break; // assert
    case 'q': abort(); // abort
    case 't': __builtin_trap(); // trap
    case 'd': down(1); break;
    case 'r': return *lost(); // return
    case 's':
        for (int i = 0; i < 1; i++) {{ int inner = c; out = &inner; }}
        return *(int *volatile)out == 1; // scope
    case 'e': exit(7);
    case 'k': raise(9);
    }}
    return 3;
}}
"
        )
        .replacen("#include <stdio.h>", "#include <signal.h>\n#include <stdio.h>", 1),
    );
    let failed = bench.only("a", Rule::Assertion, "assert");
    assert_eq!(failed.message, "assertion failed: c == 'b'");
    bench.only("q", Rule::Assertion, "abort");
    bench.only("t", Rule::Assertion, "trap");
    let deep = bench.run("d").violations.remove(0);
    assert_eq!((deep.rule, deep.position().map(|at| at.function.as_str())), (Rule::StackOverflow, Some("down")));
    bench.only("r", Rule::UseAfterFree, "return");
    bench.only("s", Rule::UseAfterFree, "scope");
    assert_eq!(bench.run("e").end, End::Other(Status::Exited(7)));
    assert_eq!(bench.run("k").end, End::Other(Status::Signalled(9)));
    assert_eq!(bench.run("x").end, End::Other(Status::Exited(3)));
}

/// Optimisation may conclude that the pointer is never null, since it is used: here it must not.
#[test]
fn null_pointers_are_not_assumed_away() {
    let bench = Bench::new(
        "#include <stdio.h>
static int value = 3;
static int call(int (*function)(void)) {
    return function() + 1; // call
}
int main(void) {
    int c = getchar();
    int *p = NULL;
    if (c == 'v')
        p = &value;
    if (c == 'c')
        return call(NULL);
    return *p; // null
}
",
    );
    assert_eq!(bench.run("v").end, End::Other(Status::Exited(3)));
    bench.only("x", Rule::NullDeref, "null");
    let called = bench.only("c", Rule::NullDeref, "call");
    let functions: Vec<&str> = called.stack.iter().map(|frame| frame.position.function.as_str()).collect();
    assert_eq!(functions, ["call", "main"]);
}

/// With `_FORTIFY_SOURCE` the C library has functions of its own, which the sanitizer does not stand in for.
#[test]
fn fortified_functions() {
    let bench = Bench::new(
        "#define _FORTIFY_SOURCE 2
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[64] = \"\", small[8];
    if (fgets(text, sizeof text, stdin) == NULL) return 1;
    strcpy(small, text); // copy
    return puts(small) < 0;
}
",
    );
    assert_eq!(bench.run("short").violations, []);
    bench.only("much longer than eight", Rule::StringOverflow, "copy");
}

#[test]
fn replayers_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<replay::Replayer>();
}
