//! Where the files that a program was compiled from are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gimli::Reader as _;

use crate::mapped::mapped;
use crate::symbols::{Reader, compilation_folder, given, section_of};

/// The folders in which the compiler was started, by the names that it was given for source files there, and that findings have. Of
/// files that have the same name in two folders the first one counts. Nothing is known without debug information.
pub fn compilation_folders(program: &Path) -> HashMap<String, PathBuf> {
    let mut folders = HashMap::new();
    let Ok(contents) = mapped(program) else { return folders };
    let Ok(object) = object::File::parse(&*contents) else { return folders };
    let Ok(dwarf) = gimli::Dwarf::load(section_of(&object)) else { return folders };
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let unit = unit.unit_ref(&dwarf);
        let Some(folder) = compilation_folder(&unit) else { continue };
        for file in files(&unit, &folder) {
            folders.entry(file).or_insert_with(|| PathBuf::from(&folder));
        }
    }
    folders
}

/// The files of a unit that lie below the folder it was compiled in, as they were given.
fn files(unit: &gimli::UnitRef<'_, Reader>, folder: &str) -> Vec<String> {
    let Some(lines) = &unit.line_program else { return Vec::new() };
    let header = lines.header();
    let text = |value| Some(unit.attr_string(value).ok()?.to_string_lossy().ok()?.into_owned());
    let files = header.file_names().iter().filter_map(|file| {
        let name = text(file.path_name())?;
        let within = file.directory(header).and_then(text).unwrap_or_default();
        // A path that is absolute takes the place of what it is joined to.
        let path = Path::new(folder).join(within).join(name);
        let path = path.to_str()?;
        Some(given(path, folder).to_owned()).filter(|file| !Path::new(file).is_absolute())
    });
    files.collect()
}
