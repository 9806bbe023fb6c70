//! Random programs that may follow null pointers.

use std::fmt::Write;

/// Deterministic, so that a failure can be looked at.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

const START: &str = r#"
#include <provoke.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct node { int value; struct node *next; int *data; };
static volatile int line;
static int ints[4];
static int *table[3] = {&ints[0], &ints[1], 0};
static struct node pool[3] = {{1, &pool[1], &ints[2]}, {2, &pool[2], 0}, {3, 0, &ints[3]}};
static struct node *head = &pool[0];
static int *spare;
struct two { int *first, *second; };
struct part { short tag; char kind; int count; int *left, *right; };
struct large { int *p; long number; struct two inner; int low, high; };
static struct large blank;
static struct part parts[2];
static struct two make(int *x, int *y) { struct two made = {x, y}; return made; }
static int *second_of(struct large v) { return v.inner.second; }
static void mark(struct part *at, int x) { at->kind = x & 1; at->count = x; }
extern char *optarg;
typedef int *(*function)(int *, struct node *, int);
struct handler { int kind; function call; int *data; };
static struct handler handlers[3];
static int deep;
static void *get_memory(size_t size) { void *p = calloc(1, size); if (!p) abort(); return p; }
static struct node *make_node(int *data, struct node *next)
{
    struct node *made = get_memory(sizeof *made);
    made->data = data;
    if (data) made->next = next;
    return made;
}
static struct large *make_large(int *p) { struct large *made = get_memory(sizeof *made); made->inner.first = p; return made; }
static int **make_table(int *x) { int **made = get_memory(2 * sizeof *made); made[0] = x; return made; }
static int get(int **out, int x) { if (x & 1) { *out = &ints[x & 3]; return 1; } if (x > 8) *out = 0; return 0; }
static void get_next(struct node **out, struct node *n) { *out = n ? n->next : 0; }
static void swap(int **x, int **y) { int *old = *x; *x = *y; *y = old; }
static void set(struct two *to, int *x, int *y) { to->first = x; if (y) to->second = y; }
static int *of_handler(const struct handler *h, int x) { return h->kind == x ? h->data : &ints[0]; }
static void on_fault(int number) { (void)number; dprintf(1, "%d\n", line); _exit(100); }
"#;

const FUNCTIONS: u64 = 4;

/// A program that is being written.
pub struct Generator {
    random: Random,
    text: String,
}

impl Generator {
    /// A generator of one program.
    pub fn new(seed: u64) -> Generator {
        Generator { random: Random(seed * 7919), text: String::new() }
    }

    fn int_pointer(&mut self) -> String {
        let all = ["a", "b", "p", "NULL", "&ints[x & 3]", "spare", "table[x & 1]", "table[k % 3]", "&local"];
        self.random.pick(&all).to_owned()
    }

    fn node_pointer(&mut self) -> String {
        self.random.pick(&["m", "n", "head", "NULL", "&pool[(x & 3) % 3]", "&own"]).to_owned()
    }

    fn condition(&mut self) -> String {
        let limit = self.random.below(8);
        let all = [
            "a != NULL",
            "b == NULL",
            "m != NULL",
            "m && m->next",
            "p != NULL && a != NULL",
            "spare",
            "a == b",
            "x & 1",
            "n == m",
            "m && m->data",
        ];
        match self.random.below(3) {
            0 => format!("x > {limit}"),
            1 => format!("{} && x < {limit}", self.random.pick(&all)),
            _ => self.random.pick(&all).to_owned(),
        }
    }

    /// Structures in registers and as copies, fields that only the reader of a copy names, and parts of words.
    fn structure(&mut self) -> String {
        let (a, b) = (self.int_pointer(), self.int_pointer());
        let variable = self.random.pick(&["a", "b"]).to_owned();
        let condition = self.random.pick(&[
            "bits.kind",
            "bits.count == 3",
            "big.number",
            "big.high",
            "!optarg || optarg[0] == 'x'",
        ]);
        let field = self.random.pick(&[
            "big.p",
            "big.inner.first",
            "big.inner.second",
            "other.p",
            "other.inner.first",
            "other.inner.second",
            "duo.first",
            "duo.second",
            "bits.left",
            "bits.right",
            "parts[x & 1].right",
        ]);
        let all = [
            "other = big;".to_owned(),
            "big = blank;".to_owned(),
            "bits = parts[x & 1];".to_owned(),
            "mark(&bits, x);".to_owned(),
            "memset(&bits, 0, sizeof bits);".to_owned(),
            "memset(&big, 0, 8);".to_owned(),
            "memcpy(&big.inner, &duo, sizeof duo);".to_owned(),
            "((int *)&big.number)[x & 1] = x;".to_owned(),
            "((int *)&big.number)[1] = 0;".to_owned(),
            "{ struct large *made = calloc(1, sizeof *made); if (made) { made->number = x; big = *made; } }".to_owned(),
            format!("duo = make({a}, {b});"),
            format!("{{ int *both[2] = {{{a}, {b}}}; memcpy(&duo, both, sizeof duo); }}"),
            format!("{{ int *both[2]; memcpy(both, &big.inner, sizeof both); {variable} = both[x & 1]; }}"),
            format!("{variable} = second_of(big);"),
            format!("{field} = {a};"),
            format!("{variable} = {field};"),
            format!("{variable} = {field};"),
            format!("line = __LINE__; k += *{field};"),
            format!("if ({condition}) {{ line = __LINE__; k += *{variable}; }}"),
        ];
        let index = self.random.below(all.len() as u64) as usize;
        all[index].clone()
    }

    /// Functions that allocate, that write through their parameters, and that are called by way of tables.
    fn by_functions(&mut self, number: u64) -> String {
        let (a, b, m) = (self.int_pointer(), self.int_pointer(), self.node_pointer());
        let variable = self.random.pick(&["a", "b"]).to_owned();
        let index = self.random.pick(&["x & 1", "(x & 3) % 3", "k % 3", "0", "2"]).to_owned();
        let later = (number + 1 + self.random.below(2)).min(FUNCTIONS - 1);
        let all = [
            format!("m = make_node({a}, {m});"),
            format!("{{ struct node *made = make_node({a}, m); if (x & 1) made->next = {m}; m = made; }}"),
            format!("{{ struct large *made = make_large({a}); made->p = {b}; big = *made; free(made); }}"),
            format!("{{ struct large *made = make_large({a}); line = __LINE__; k += *made->inner.first; }}"),
            "{ struct large *made = make_large(&local); line = __LINE__; k += *made->inner.second; }".to_owned(),
            format!("{{ int **made = make_table({a}); {variable} = made[x & 1]; if (x & 2) table[1] = made[1]; }}"),
            format!("{{ int **at = &table[{index}]; line = __LINE__; k += **at; }}"),
            format!("get(&{variable}, x);"),
            format!("if (get(&{variable}, x - 1)) {{ line = __LINE__; k += *{variable}; }}"),
            format!("get_next(&m, {m});"),
            format!("swap(&a, x & 1 ? &b : &duo.{});", self.random.pick(&["first", "second"])),
            format!("set(&duo, {a}, {b});"),
            format!("set(&big.inner, {a}, {b});"),
            format!("handlers[{index}].call = f{later};"),
            format!("handlers[{index}] = (struct handler){{x, f{later}, {a}}};"),
            format!("handlers[{index}].data = {a};"),
            format!("{variable} = of_handler(&handlers[{index}], x);"),
            format!(
                "if (deep < 3) {{ deep++; line = __LINE__; {variable} = handlers[{index}].call({a}, {m}, x - 1); deep--; }}"
            ),
            format!(
                "{{ struct handler *h = &handlers[{index}]; if (h->call && deep < 3) {{ deep++; {variable} = h->call(h->data, {m}, x - 1); deep--; }} }}"
            ),
        ];
        let index = self.random.below(all.len() as u64) as usize;
        all[index].clone()
    }

    fn statement(&mut self, depth: u32, number: u64, inside: &str) {
        let indent = "    ".repeat(depth as usize + 1);
        let line = match self.random.below(4) {
            0 => Some(self.structure()),
            1 => Some(self.by_functions(number)),
            _ => None,
        };
        if let Some(line) = line {
            writeln!(self.text, "{indent}{line}").unwrap();
            return;
        }
        let (a, m) = (self.int_pointer(), self.node_pointer());
        let variable = self.random.pick(&["a", "b"]).to_owned();
        let later = number + 1 + self.random.below(2);
        let line = match self.random.below(if depth < 3 { 22 } else { 16 }) {
            0 | 1 => format!("{variable} = {a};"),
            2 => format!("m = {m};"),
            3 => format!("line = __LINE__; k += *{variable};"),
            4 => format!("line = __LINE__; *{variable} = x;"),
            5 => "line = __LINE__; m = m->next;".to_owned(),
            6 => format!("line = __LINE__; {variable} = m->data;"),
            7 => format!("line = __LINE__; m->data = {a};"),
            8 => format!("table[x & 1] = {a};"),
            9 => format!("spare = {a};"),
            10 => format!("{{ int **q = x & 1 ? &a : &b; *q = {a}; }}"),
            11 => format!(
                "{{ struct node *made = calloc(1, sizeof *made); if (made) {{ made->data = {a}; m = made; }} }}"
            ),
            12 if later < FUNCTIONS => format!("{variable} = f{later}({a}, {m}, x - 1);"),
            13 if later < FUNCTIONS => {
                let other = number + 1 + self.random.below(FUNCTIONS - number - 1);
                format!("{{ function call = x & 1 ? f{later} : f{other}; {variable} = call({a}, {m}, x >> 1); }}")
            }
            14 => format!("if (x > 0 && k < 9) {{ k += 4; {variable} = f{number}({a}, {m}, x - 3); }}"),
            15 => "line = __LINE__; { struct node copy = *m; b = copy.data; }".to_owned(),
            12 | 13 => "memset(&own, 0, sizeof own);".to_owned(),
            16..=18 => {
                let condition = self.condition();
                writeln!(self.text, "{indent}if ({condition}) {{").unwrap();
                self.statements(depth + 1, number, inside);
                if self.random.below(2) == 0 {
                    writeln!(self.text, "{indent}}} else {{").unwrap();
                    self.statements(depth + 1, number, inside);
                }
                "}".to_owned()
            }
            19 => {
                let index = format!("i{depth}");
                writeln!(self.text, "{indent}for (int {index} = 0; {index} < (x & 3); {index}++) {{").unwrap();
                self.statements(depth + 1, number, "loop");
                "}".to_owned()
            }
            20 => {
                writeln!(self.text, "{indent}for (int j = 0; m && j < 3; j++) {{").unwrap();
                self.statements(depth + 1, number, "loop");
                writeln!(self.text, "{indent}    if (m) m = m->next;").unwrap();
                "}".to_owned()
            }
            _ if inside == "loop" => self.random.pick(&["break;", "continue;"]).to_owned(),
            _ => format!("if (x == 5) return {a};"),
        };
        writeln!(self.text, "{indent}{line}").unwrap();
    }

    fn statements(&mut self, depth: u32, number: u64, inside: &str) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth, number, inside);
        }
    }

    /// Writes the program.
    pub fn program(mut self) -> String {
        self.text.push_str(START);
        for number in 0..FUNCTIONS {
            writeln!(self.text, "static int *f{number}(int *p, struct node *n, int x);").unwrap();
        }
        for number in 0..FUNCTIONS {
            let mark = self.random.pick(&["PROVOKE_SYMBOLIC ", "PROVOKE_TYPED ", "", ""]);
            writeln!(self.text, "{mark}static int *f{number}(int *p, struct node *n, int x)\n{{").unwrap();
            writeln!(self.text, "    int k = 0, local = 1, *a = p, *b = &local;").unwrap();
            writeln!(self.text, "    struct node own = {{0, n, p}}, *m = n;").unwrap();
            writeln!(self.text, "    struct large big = {{0}}, other = big;").unwrap();
            writeln!(self.text, "    struct part bits = {{0}};\n    struct two duo = {{p, &local}};").unwrap();
            writeln!(self.text, "    (void)m; (void)k; (void)own; (void)other; (void)bits; (void)duo;").unwrap();
            for _ in 0..3 + self.random.below(4) {
                self.statement(0, number, "");
            }
            writeln!(
                self.text,
                "    (void)a; (void)b;\n    return {};\n}}",
                self.random.pick(&["a == &local ? p : a", "p", "spare", "NULL"])
            )
            .unwrap();
        }
        let (first, second) = (self.random.pick(&["&ints[1]", "NULL", "spare"]), self.random.pick(&["head", "NULL"]));
        writeln!(self.text, "int main(int argc, char **argv)\n{{\n    (void)argv;\n    signal(SIGSEGV, on_fault);")
            .unwrap();
        writeln!(self.text, "    int *r = f0({first}, {second}, argc - 1);").unwrap();
        writeln!(self.text, "    line = __LINE__; return r != NULL && argc > 6 ? *r & 0 : 0;\n}}").unwrap();
        self.text
    }
}
