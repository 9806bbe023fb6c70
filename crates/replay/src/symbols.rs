//! From addresses to places in the source.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use addr2line::{Context, LookupResult};
use gimli::{AttributeValue, EndianArcSlice, Reader as _, RunTimeEndian};
use memmap2::Mmap;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};
use trace::sites::Position;

use crate::mapped::mapped;
use crate::outcome::Frame;

pub(crate) type Reader = EndianArcSlice<RunTimeEndian>;

/// What addresses in the program and in its libraries mean. Files are read when they are first asked about.
pub(crate) struct Symbols {
    view: PathBuf,
    modules: Mutex<HashMap<PathBuf, Module>>,
}

/// One loaded file.
#[derive(Default)]
struct Module {
    /// Bytes from its first address to its last.
    extent: u64,
    /// Functions, by address.
    functions: Vec<Function>,
    /// The file, which has their names.
    contents: Option<Mmap>,
    debug: Option<Context<Reader>>,
    /// What each address has been found to mean: stacks repeat.
    known: HashMap<u64, Vec<Frame>>,
}

/// A function of a file, of which nobody may ever ask for the name: there are thousands.
struct Function {
    address: u64,
    size: u64,
    /// Where in the file its name lies.
    name: Range<usize>,
}

/// What an address means.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Name of the symbol, without debug information.
    pub(crate) symbol: String,
    /// Whether it belongs to the program itself.
    pub(crate) in_program: bool,
    /// The frames there, innermost first.
    pub(crate) frames: Vec<Frame>,
}

impl Symbols {
    pub(crate) fn new(view: &Path) -> Symbols {
        Symbols { view: view.to_owned(), modules: Mutex::default() }
    }

    /// What an address means in a process with these modules: where they start, and their paths.
    pub(crate) fn place(&self, address: u64, modules: &[(u64, String)]) -> Place {
        let found = self.with_module(address, modules, |module, offset, path| {
            // The program itself has no name here.
            let in_program = path.is_empty();
            let library = if in_program { String::new() } else { file_name(Path::new(path)) };
            let symbol = module.symbol(offset).unwrap_or_default().to_owned();
            let frames = module.frames(offset, &symbol, &library);
            Place { symbol, in_program, frames }
        });
        found.unwrap_or(Place { symbol: String::new(), in_program: false, frames: Vec::new() })
    }

    /// Whether an address lies in the code or the variables of the program or a library.
    pub(crate) fn is_loaded(&self, address: u64, modules: &[(u64, String)]) -> bool {
        self.with_module(address, modules, |module, offset, _| offset < module.extent).unwrap_or(false)
    }

    /// Calls a function with the module that an address can belong to, the offset in it, and its path.
    fn with_module<T>(
        &self,
        address: u64,
        modules: &[(u64, String)],
        look: impl FnOnce(&mut Module, u64, &str) -> T,
    ) -> Option<T> {
        let below = modules.iter().filter(|(base, _)| *base <= address);
        let (base, path) = below.max_by_key(|(base, _)| *base)?;
        let file = if path.is_empty() { self.view.clone() } else { PathBuf::from(path) };
        let mut known = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let module = known.entry(file).or_insert_with_key(|file| Module::read(file));
        Some(look(module, address - base, path))
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Module {
    /// Reads a file; of one that cannot be read nothing is known.
    fn read(file: &Path) -> Module {
        let Ok(contents) = mapped(file) else { return Module::default() };
        let Ok(object) = object::File::parse(&*contents) else { return Module::default() };
        let symbols = object.symbols().chain(object.dynamic_symbols());
        let functions = symbols.filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text);
        let mut functions: Vec<Function> = functions
            .filter_map(|symbol| {
                let name = place_of(&contents, symbol.name_bytes().ok()?)?;
                Some(Function { address: symbol.address(), size: symbol.size(), name })
            })
            .collect();
        let text = |function: &Function| contents.get(function.name.clone());
        functions
            .sort_unstable_by(|a, b| (a.address, a.size).cmp(&(b.address, b.size)).then_with(|| text(a).cmp(&text(b))));
        functions.dedup_by_key(|function| function.address);
        let debug = gimli::Dwarf::load(section_of(&object)).ok().and_then(|dwarf| Context::from_dwarf(dwarf).ok());
        let ends = object.segments().map(|segment| segment.address().saturating_add(segment.size()));
        let extent = ends.max().unwrap_or_default();
        Module { extent, functions, debug, contents: Some(contents), known: HashMap::new() }
    }

    fn symbol(&self, offset: u64) -> Option<&str> {
        let next = self.functions.partition_point(|function| function.address <= offset);
        let Function { address, size, name } = self.functions.get(next.checked_sub(1)?)?;
        // Assembly often says nothing about sizes.
        let is_inside = *size == 0 || offset - address < *size;
        std::str::from_utf8(self.contents.as_deref()?.get(name.clone())?).ok().filter(|_| is_inside)
    }

    fn frames(&mut self, offset: u64, symbol: &str, library: &str) -> Vec<Frame> {
        if let Some(known) = self.known.get(&offset) {
            return known.clone();
        }
        let mut frames = self.debug.as_ref().map(|debug| inlined_frames(debug, offset)).unwrap_or_default();
        if frames.is_empty() {
            let position = Position { function: symbol.to_owned(), ..Position::default() };
            frames.push(Frame { position, function_line: 0, inlined: false, library: String::new(), recursive: false });
        }
        frames.iter_mut().for_each(|frame| frame.library = library.to_owned());
        self.known.insert(offset, frames.clone());
        frames
    }
}

/// Where in the whole a piece of it lies.
fn place_of(whole: &[u8], piece: &[u8]) -> Option<Range<usize>> {
    let start = (piece.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let end = start.checked_add(piece.len()).filter(|end| *end <= whole.len())?;
    Some(start..end)
}

/// The frames at an address, innermost first, as debug information has them.
fn inlined_frames(debug: &Context<Reader>, offset: u64) -> Vec<Frame> {
    let mut frames = Vec::new();
    let LookupResult::Output(Ok(mut found)) = debug.find_frames(offset) else { return frames };
    let unit = match debug.find_dwarf_and_unit(offset) {
        LookupResult::Output(unit) => unit,
        LookupResult::Load { .. } => None,
    };
    let folder = OnceCell::new();
    while let Ok(Some(frame)) = found.next() {
        let name = frame.function.as_ref().and_then(|name| name.demangle().ok());
        let mut position = Position { function: name.unwrap_or_default().into_owned(), ..Position::default() };
        if let Some(location) = frame.location {
            let file = location.file.unwrap_or_default();
            let folder = folder.get_or_init(|| unit.as_ref().and_then(compilation_folder).unwrap_or_default());
            position.file = given(file, folder).to_owned();
            position.line = location.line.unwrap_or_default();
            position.column = location.column.unwrap_or_default();
        }
        let line = unit.as_ref().zip(frame.dw_die_offset).and_then(|(unit, function)| declared_line(unit, function));
        frames.push(Frame {
            position,
            function_line: line.unwrap_or_default(),
            inlined: true,
            library: String::new(),
            recursive: false,
        });
    }
    if let Some(outermost) = frames.last_mut() {
        outermost.inlined = false;
    }
    frames
}

/// The sections of a file, for what reads debug information.
pub(crate) fn section_of<'a>(
    object: &'a object::File<'_>,
) -> impl Fn(gimli::SectionId) -> Result<Reader, gimli::Error> + 'a {
    |id| {
        let data = object.section_by_name(id.name()).and_then(|section| section.data().ok()).unwrap_or_default();
        Ok(Reader::new(Arc::from(data), RunTimeEndian::Little))
    }
}

/// A file as the compiler was given it, which was started in a folder.
pub(crate) fn given<'a>(file: &'a str, folder: &str) -> &'a str {
    let given = file.strip_prefix(folder).and_then(|file| file.strip_prefix('/'));
    let given = given.unwrap_or(file);
    given.strip_prefix("./").unwrap_or(given)
}

pub(crate) fn compilation_folder(unit: &gimli::UnitRef<'_, Reader>) -> Option<String> {
    Some(unit.comp_dir.as_ref()?.to_string_lossy().ok()?.into_owned())
}

/// The line where a function is declared; that of an inlined one stands with the function it is a copy of.
fn declared_line(unit: &gimli::UnitRef<'_, Reader>, function: gimli::UnitOffset) -> Option<u32> {
    let mut offset = function;
    // A copy of a copy is unusual; a circle is damage.
    for _ in 0..4 {
        let entry = unit.entry(offset).ok()?;
        if let Some(AttributeValue::Udata(line)) = entry.attr_value(gimli::DW_AT_decl_line) {
            return u32::try_from(line).ok();
        }
        let origin = entry.attr_value(gimli::DW_AT_abstract_origin);
        let Some(AttributeValue::UnitRef(origin)) = origin.or(entry.attr_value(gimli::DW_AT_specification)) else {
            return None;
        };
        offset = origin;
    }
    None
}
