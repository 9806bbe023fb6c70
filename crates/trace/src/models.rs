//! Library functions that have a model: what the instrumenter redirects calls to, and what people are told about it.

/// How closely a model follows what the function does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum How {
    /// Result and memory are terms over what the function reads.
    Precise,
    /// What it does to memory is followed; how much, and where, is checked and then taken as it was.
    Summary,
    /// Its arguments are taken as they were; what it tells about the input is known.
    Concrete,
}

impl How {
    /// All of them.
    pub const ALL: [How; 3] = [Precise, Summary, Concrete];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Precise => "precise",
            Summary => "summary",
            Concrete => "concrete",
        }
    }

    /// What the word means.
    pub const fn meaning(self) -> &'static str {
        match self {
            Precise => "result and memory are terms over what the function reads",
            Summary => "what it does to memory is followed; how much and where is checked, then taken as it was",
            Concrete => "arguments are taken as they were; what it says about the input's files is followed",
        }
    }
}

/// A group of functions that are modelled in the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// What they are about.
    pub name: &'static str,
    /// The functions: a call of `NAME` becomes a call of `__provoke_x_NAME`.
    pub functions: &'static [(&'static str, How)],
}

use How::{Concrete, Precise, Summary};

/// The models in the runtime; those that are written in C, `provoke-views` knows.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "Memory and strings",
        functions: &[
            ("memcpy", Summary),
            ("memmove", Summary),
            ("memset", Summary),
            ("memcmp", Precise),
            ("bcmp", Precise),
            ("memchr", Precise),
            ("strlen", Precise),
            ("strnlen", Precise),
            ("strcmp", Precise),
            ("strncmp", Precise),
            ("strchr", Precise),
            ("strrchr", Precise),
            ("strcpy", Summary),
            ("stpcpy", Summary),
            ("strcat", Summary),
            ("strncat", Summary),
            ("strncpy", Summary),
            ("strdup", Summary),
            ("strndup", Summary),
        ],
    },
    Family {
        name: "Descriptors",
        functions: &[
            ("open", Concrete),
            ("open64", Concrete),
            ("openat", Concrete),
            ("openat64", Concrete),
            ("creat", Concrete),
            ("mkstemp", Concrete),
            ("read", Summary),
            ("pread", Summary),
            ("pread64", Summary),
            ("lseek", Concrete),
            ("lseek64", Concrete),
            ("close", Concrete),
            ("dup", Concrete),
            ("dup2", Concrete),
            ("dup3", Concrete),
            ("stat", Concrete),
            ("stat64", Concrete),
            ("lstat", Concrete),
            ("lstat64", Concrete),
            ("fstat", Concrete),
            ("fstat64", Concrete),
            ("fstatat", Concrete),
            ("mmap", Summary),
            ("mmap64", Summary),
            ("munmap", Summary),
        ],
    },
    Family {
        name: "Streams",
        functions: &[
            ("fopen", Concrete),
            ("fopen64", Concrete),
            ("fdopen", Concrete),
            ("freopen", Concrete),
            ("freopen64", Concrete),
            ("fmemopen", Summary),
            ("open_memstream", Concrete),
            ("fclose", Concrete),
            ("fread", Summary),
            ("fread_unlocked", Summary),
            ("fgets", Summary),
            ("fgets_unlocked", Summary),
            ("fgetc", Precise),
            ("getc", Precise),
            ("_IO_getc", Precise),
            ("getchar", Precise),
            ("getc_unlocked", Precise),
            ("fgetc_unlocked", Precise),
            ("getchar_unlocked", Precise),
            ("__uflow", Precise),
            ("ungetc", Summary),
            ("fseek", Concrete),
            ("fseeko", Concrete),
            ("fseeko64", Concrete),
            ("rewind", Concrete),
            ("ftell", Concrete),
            ("ftello", Concrete),
        ],
    },
    Family {
        name: "Allocation",
        functions: &[
            ("malloc", Summary),
            ("calloc", Summary),
            ("realloc", Summary),
            ("free", Summary),
            ("reallocarray", Summary),
            ("posix_memalign", Summary),
            ("aligned_alloc", Summary),
        ],
    },
    Family {
        name: "Processes and threads",
        functions: &[("pthread_create", Concrete), ("thrd_create", Concrete), ("_exit", Concrete), ("_Exit", Concrete)],
    },
    Family { name: "Declared in provoke.h", functions: &[("provoke_make_symbolic", Summary)] },
];

/// What the instrumenter puts into units: [`crate::unit`] says what each one means.
const OF_UNITS: &[&str] = {
    use crate::unit::{BEGIN, COMPARES, ENTER, EXIT, LENGTH, OBJECT, REACHES};
    &[BEGIN, COMPARES, OBJECT, ENTER, EXIT, REACHES, LENGTH]
};

/// Names of all functions that are modelled in the runtime.
pub fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.functions).map(|(name, _)| *name).chain(OF_UNITS.iter().copied())
}
