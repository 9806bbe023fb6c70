//! Adding to finished objects and programs what they are to carry.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::Language;
use crate::elf::{self, NewSection};
use crate::frame::{self, Frame, Kind};
use crate::jobs::Job;
use crate::linkline::LinkLine;
use crate::record::{self, Item, LinkRecord};
use crate::unit::{Made, Unit};
use crate::work::{Work, may_become_file};

/// Nothing, or the file that could not be added to.
pub type Attached = Result<(), (PathBuf, std::io::Error)>;

/// Adds to every object what it carries; of several errors the first is returned.
pub fn to_objects(work: &Work) -> Attached {
    let attach = |(unit, made): (&Unit, &Made)| {
        let output = PathBuf::from(unit.output().unwrap_or_default());
        to_object(&output, made).map_err(|error| (output, error))
    };
    let attached: Vec<Attached> = work.units.iter().zip(&work.made).map(attach).collect();
    attached.into_iter().collect()
}

fn to_object(output: &Path, made: &Made) -> std::io::Result<()> {
    let Some(file) = open_elf(output)? else { return Ok(()) };
    let object = match made.bitcode {
        Some(Ok(_)) => Vec::new(),
        _ => std::fs::read(output)?,
    };
    let mut section = Vec::new();
    made.frame(&object).write(&mut section);
    elf::add_sections(&file, &[NewSection { name: frame::SECTION, contents: &section }])
}

/// Opens an output, if it is there and a file in which sections have a place.
fn open_elf(output: &Path) -> std::io::Result<Option<File>> {
    if !output.exists() || !may_become_file(output) {
        return Ok(None);
    }
    let file = OpenOptions::new().read(true).write(true).open(output)?;
    let mut magic = [0; 6];
    let is_elf = file.read_at(&mut magic, 0)? == 6 && &magic == b"\x7fELF\x02\x01";
    Ok(is_elf.then_some(file))
}

/// Adds to a linked file what its own units carry, and how it was linked. `named` are the driver's arguments.
pub fn to_linked(link: &Job, language: Language, named: &[OsString], work: &Work) -> Attached {
    let output = link.output().unwrap_or(OsStr::new("a.out"));
    let attach = || {
        let Some(file) = open_elf(Path::new(output))? else { return Ok(()) };
        let directory = std::env::current_dir()?;
        let outputs = work.units.iter().filter_map(Unit::output);
        let compiled: HashSet<OsString> = outputs.map(OsStr::to_owned).collect();
        let line = LinkLine { job: link, language, directory: &directory, compiled: &compiled, named };
        let record = line.record();
        let mut frames = frames_of_units(work)?;
        if line.is_relocatable() {
            add_bare_objects(&record, &mut frames);
            return elf::add_sections(&file, &[NewSection { name: frame::SECTION, contents: &frames }]);
        }
        let encoded = record.encode().map_err(std::io::Error::other)?;
        let record = NewSection { name: record::SECTION, contents: &encoded };
        match frames.is_empty() {
            true => elf::add_sections(&file, &[record]),
            false => elf::add_sections(&file, &[NewSection { name: frame::SECTION, contents: &frames }, record]),
        }
    };
    attach().map_err(|error| (output.into(), error))
}

fn frames_of_units(work: &Work) -> std::io::Result<Vec<u8>> {
    let mut section = Vec::new();
    for (unit, made) in work.units.iter().zip(&work.made) {
        let object = match made.bitcode {
            Some(Ok(_)) => Vec::new(),
            _ => unit.make_object(&work.input).map_err(std::io::Error::other)?,
        };
        made.frame(&object).write(&mut section);
    }
    Ok(section)
}

/// The objects without frames that went into one object have to be carried on by that one.
fn add_bare_objects(record: &LinkRecord, section: &mut Vec<u8>) {
    for item in &record.items {
        if let Item::Object { name, contents } = item {
            Frame { kind: Kind::Object, name: name.clone(), payload: contents }.write(section);
        }
    }
}
