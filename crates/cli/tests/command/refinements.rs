//! Refinements as a user states them, in the source and in a specification file.

use crate::sandbox::Sandbox;

/// A function and its caller in two units, with a header that states what the function promises.
const HEADER: &str = "#include <provoke.h>\nPROVOKE_REFINE(\"result <= room\") int fill(int count, int room);\n";
const FILL: &str = "#include \"fill.h\"\nint fill(int count, int room) {\n    (void)room;\n    return count;\n}\n";
const MAIN: &str = "#include \"fill.h\"\n#include <stdio.h>\nint main(void) {\n    return fill(getchar(), 100);\n}\n";

#[test]
fn a_header_states_it_for_all_units() {
    let sandbox = Sandbox::with(&[
        ("fill.h", HEADER),
        ("fill.c", FILL),
        ("main.c", MAIN),
        ("benign", "A"),
        ("bad", "z"),
        ("limits.spec", "fill.count: count != 66  # B\n"),
    ]);
    sandbox.run("cc -Wall -Wextra -Werror fill.c main.c -o fill", 0);
    let (out, _) = sandbox.run("check fill --stdin benign", 1);
    assert!(out.contains("the refinement 'result <= room' of the result of fill does not hold"), "{out}");
    assert!(out.contains("fill.c:4:5") && out.contains("1 finding"), "{out}");
    let (out, _) = sandbox.run("replay fill --stdin bad", 1);
    assert!(
        out.contains("refinement: the refinement 'result <= room' of the result of fill does not hold: it is 122"),
        "{out}"
    );

    // The specification adds to what the source states, and comes with the command that runs the input again.
    let (out, _) = sandbox.run("check fill --stdin benign --spec limits.spec", 1);
    assert!(out.contains("2 findings"), "{out}");
    let commands = out.lines().filter_map(|line| line.trim().strip_prefix("= reproduce: provoke "));
    let of_specification = commands.filter(|command| sandbox.run(command, 1).0.contains("count != 66"));
    assert_eq!(of_specification.count(), 1, "{out}");
}

/// Everything that can be wrong with a refinement in the source, and one that is right.
const WRONG: &str = r#"#include <provoke.h>
struct fields {
    PROVOKE_REFINE("unread <") int unread;
    PROVOKE_REFINE("stranger < none") int stranger;
    PROVOKE_REFINE("ratio > 0") float ratio;
    PROVOKE_REFINE("bits < 3") unsigned bits : 4;
    PROVOKE_REFINE("right < 300") int right;
};
unsigned long wide;
int main(int count, char **arguments) {
    struct fields all = {count, count, (float)count, 1, count};
    PROVOKE_REFINE("early < late") int early = count;
    int late = arguments != 0;
    wide = (unsigned long)count;
    return all.unread + all.stranger + (int)all.ratio + (int)all.bits + all.right + early + late;
}
"#;

#[test]
fn what_cannot_be_checked_is_said_with_its_line() {
    let specification =
        "\nmain.nothing: nothing > 0\nnowhere(): result > 0\nwide: wide * wide < 5\nabsent: absent > 0\n";
    let sandbox = Sandbox::with(&[("wrong.c", WRONG), ("wrong.spec", specification), ("no.spec", "main.x x > 0\n")]);
    let (_, err) = sandbox.run("replay wrong.c --spec wrong.spec", 2);
    let expected = [
        "wrong.c:3: the refinement `unread <` cannot be read: at character 9",
        "wrong.c:4: the refinement `stranger < none` names `none`",
        "wrong.c:5: the refinement `ratio > 0` is about `ratio`, but its type, `float`,",
        "wrong.c:6: the refinement `bits < 3` is about the bit-field `bits`",
        "wrong.c:12: the refinement `early < late` names `late`",
        "wrong.spec:2: the refinement `nothing > 0` is about `nothing`, which `main` does not have",
        "wrong.spec:3: the refinement `result > 0` is about the function `nowhere`",
        "wrong.spec:4: the refinement `wide * wide < 5` needs numbers of more than 128 bits",
        "wrong.spec:5: the refinement `absent > 0` is about the global `absent`",
    ];
    for part in expected {
        assert!(err.contains(part), "{part} is not in\n{err}");
    }
    assert_eq!(err.lines().count(), expected.len(), "{err}");
    let (_, err) = sandbox.run("view replay wrong.c -o view --spec no.spec", 2);
    assert!(err.contains("no.spec:1: no `:`"), "{err}");
    // Whoever switches the checker off is not bothered by them, but told that the file is of no use.
    let (_, err) = sandbox.run("replay wrong.c --spec wrong.spec --checks memory", 0);
    assert!(err.contains("--spec has no effect"), "{err}");
}
