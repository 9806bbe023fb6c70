//! A situation in words, and as a C function that calls the function in it.

use ir::{FunctionId, Program};
use std::fmt::Write;
use symex::{Held, Object, Situation};

/// What the program's own `main` is to be called where a driver is: that has one too.
pub const PROGRAM_MAIN: &str = "provoke_program_main";

/// A way to see an error happen without the rest of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// The function that is called.
    pub function: String,
    /// The file that it is defined in.
    pub file: String,
    /// A `main` that calls it, for the end of that file.
    pub main: String,
}

/// What the parameters are in a situation, for people.
pub fn in_words(program: &Program, situation: &Situation) -> Option<String> {
    let function = program.function(situation.function);
    let named =
        function.parameters.iter().zip(&situation.parameters).filter(|(parameter, _)| !parameter.name.is_empty());
    let words: Vec<String> = named
        .map(|(parameter, held)| match held {
            Held::Number(number) => format!("`{}` is {}", parameter.name, signed(*number, parameter.ty.bits)),
            Held::Null => format!("`{}` is null", parameter.name),
            Held::Function(id) => format!("`{}` is `{}`", parameter.name, program.function(*id).name),
            Held::Address(..) | Held::Something => format!("`{}` is not null", parameter.name),
        })
        .collect();
    (!words.is_empty()).then(|| format!("`{}` is called; {}", function.name, words.join(", ")))
}

fn signed(number: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    (number << unused) as i64 >> unused
}

/// The driver for a situation; nothing if something in it has no name that could be written.
pub fn driver(program: &Program, situation: &Situation) -> Option<Driver> {
    let function = program.function(situation.function);
    let site = program.site(function.site);
    if site.file.is_empty() {
        return None;
    }
    let mut text = String::from("int main(void)\n{\n    static _Alignas(16) unsigned char something[4096];\n");
    for (number, object) in situation.objects.iter().enumerate().filter(|(_, object)| object.global.is_none()) {
        writeln!(text, "    static _Alignas(16) unsigned char object_{number}[{}];", object.size).ok()?;
    }
    for (number, object) in situation.objects.iter().enumerate() {
        if object.global.is_some_and(|global| program.global(global).is_constant) {
            continue;
        }
        let name = name_of(program, number, object)?;
        for (at, (bytes, held)) in &object.places {
            let (ty, value) = match bytes {
                1 => ("unsigned char", value(program, situation, *held)?),
                2 => ("unsigned short", value(program, situation, *held)?),
                4 => ("unsigned int", value(program, situation, *held)?),
                _ => match held {
                    Held::Number(_) => ("unsigned long", value(program, situation, *held)?),
                    _ => ("void *", value(program, situation, *held)?),
                },
            };
            writeln!(text, "    __builtin_memcpy({name} + {at}, &({ty}){{{value}}}, {bytes});").ok()?;
        }
    }
    let arguments: Option<Vec<String>> =
        situation.parameters.iter().map(|held| value(program, situation, *held)).collect();
    let called = called(&function.name)?;
    // Nobody would miss what a result is read from, and the compiler leave it out, if nobody needed the result.
    let result = if function.result.is_some() { "volatile __auto_type result = " } else { "" };
    writeln!(text, "    (void)something;\n    {result}{called}({});\n    return 0;\n}}", arguments?.join(", ")).ok()?;
    Some(Driver { function: function.name.clone(), file: site.file.to_string(), main: text })
}

/// The start of an object, as an address of bytes.
fn name_of(program: &Program, number: usize, object: &Object) -> Option<String> {
    match object.global {
        None => Some(format!("object_{number}")),
        Some(global) => {
            let name = &program.global(global).name;
            is_name(name).then(|| format!("(unsigned char *)&{name}"))
        }
    }
}

fn value(program: &Program, situation: &Situation, held: Held) -> Option<String> {
    let function = |id: FunctionId| called(&program.function(id).name);
    Some(match held {
        Held::Number(number) => format!("{number}ul"),
        Held::Null => "(void *)0".to_owned(),
        Held::Something => "(void *)something".to_owned(),
        Held::Function(id) => format!("(void *){}", function(id)?),
        Held::Address(number, offset) => {
            let object = situation.objects.get(number)?;
            format!("(void *)({} + {offset}ul)", name_of(program, number, object)?)
        }
    })
}

/// What a function is called in a driver, if it has a name there.
fn called(name: &str) -> Option<&str> {
    match name {
        "main" => Some(PROGRAM_MAIN),
        _ => is_name(name).then_some(name),
    }
}

/// Whether a word is one that C could have declared.
fn is_name(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(|first: char| first.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{Function, Parameter, Site, SiteId, Type};
    use std::collections::BTreeMap;

    fn with_function(name: &str, parameters: Vec<Parameter>) -> Program {
        let function = Function { name: name.to_owned(), parameters, site: SiteId(1), ..Function::default() };
        let here = Site { file: "list.c".into(), line: 3, column: 1 };
        Program { functions: vec![function], sites: vec![Site::default(), here], ..Program::default() }
    }

    #[test]
    fn the_main_of_the_program_has_another_name() {
        let program = with_function("main", Vec::new());
        let situation = Situation { function: FunctionId(0), parameters: vec![], objects: vec![] };
        let made = driver(&program, &situation).unwrap();
        assert!(made.main.contains("provoke_program_main();"), "{}", made.main);
        assert_eq!(value(&program, &situation, Held::Function(FunctionId(0))).unwrap(), "(void *)provoke_program_main");
    }

    #[test]
    fn memory_and_parameters_are_written() {
        let pointer = Parameter { name: "list".to_owned(), ty: Type::POINTER, ..Parameter::default() };
        let number = Parameter { name: "count".to_owned(), ty: Type::bits(32), ..Parameter::default() };
        let program = with_function("f", vec![pointer, number]);
        let places = BTreeMap::from([(0, (4, Held::Number(7))), (8, (8, Held::Null))]);
        let situation = Situation {
            function: FunctionId(0),
            parameters: vec![Held::Address(0, 16), Held::Number(0xffff_ffff)],
            objects: vec![Object { global: None, size: 64, places }],
        };
        let words = in_words(&program, &situation);
        assert_eq!(words.as_deref(), Some("`f` is called; `list` is not null, `count` is -1"));
        let made = driver(&program, &situation).unwrap();
        for line in [
            "static _Alignas(16) unsigned char object_0[64];",
            "__builtin_memcpy(object_0 + 0, &(unsigned int){7ul}, 4);",
            "__builtin_memcpy(object_0 + 8, &(void *){(void *)0}, 8);",
            "    f((void *)(object_0 + 16ul), 4294967295ul);",
        ] {
            assert!(made.main.contains(line), "{line} is missing in\n{}", made.main);
        }
    }
}
