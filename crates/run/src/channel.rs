//! Parts of the system that a file stands in for.

use serde::{Deserialize, Serialize};
use trace::layout::PartKind;

/// A part of the system that a file stands in for: the program gets what is in the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Channel {
    /// The other side of every socket.
    Socket,
    /// The names in every folder, each on a line.
    Folder,
}

impl Channel {
    /// All of them.
    pub const ALL: [Channel; 2] = [Channel::Socket, Channel::Folder];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Channel::Socket => "socket",
            Channel::Folder => "folder",
        }
    }

    /// Environment variable that tells the stand-in where the file is.
    pub const fn variable(self) -> &'static str {
        match self {
            Channel::Socket => "PROVOKE_SOCKET",
            Channel::Folder => "PROVOKE_FOLDER",
        }
    }

    /// What it is in a trace.
    pub const fn kind(self) -> PartKind {
        match self {
            Channel::Socket => PartKind::Socket,
            Channel::Folder => PartKind::Folder,
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Channel> {
        Channel::ALL.into_iter().find(|channel| channel.name() == name)
    }
}
