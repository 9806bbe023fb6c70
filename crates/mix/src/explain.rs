//! Flows in words.

use crate::found::{Certainty, Found, Step, Violation};
use ir::{FunctionId, Names, Operand, PointsTo, Program, SiteId};
use qualifiers::{Constraints, Edge, Flow, Node, Sink, SinkKind, Source, SourceKind, Warning};

/// Explains warnings of one program.
pub struct Explainer<'a> {
    /// The program.
    pub program: &'a Program,
    /// What pointers point to.
    pub points_to: &'a PointsTo,
    /// Names of values.
    pub names: &'a Names<'a>,
    /// How nodes are numbered.
    pub constraints: &'a Constraints,
}

impl Explainer<'_> {
    /// A warning of the inference.
    pub fn warning(&self, warning: &Warning) -> Found {
        let steps = self.flow(warning.source.as_ref(), &warning.flow);
        self.found(&warning.sink, steps, Certainty::Inferred)
    }

    /// The flow that makes a node null, in words.
    pub fn flow(&self, source: Option<&Source>, flow: &[(Edge, FunctionId)]) -> Vec<Step> {
        let mut steps: Vec<Step> = source.map(|source| self.source(source)).into_iter().collect();
        steps.extend(flow.iter().filter_map(|(edge, _)| self.edge(edge)));
        steps.dedup();
        steps
    }

    /// A violation at a sink, whoever found it.
    pub fn found(&self, sink: &Sink, steps: Vec<Step>, certainty: Certainty) -> Found {
        let function = self.program.function(sink.function);
        let site = self.program.site(sink.site).clone();
        let start = self.program.site(function.site);
        let violation = match sink.kind {
            SinkKind::Read | SinkKind::Written | SinkKind::Called => Violation::Followed,
            _ => Violation::Declared,
        };
        let (message, what) = self.sink(sink, !matches!(certainty, Certainty::Path { .. }));
        Found {
            violation,
            message,
            function: function.name.clone(),
            bucket: format!("{}+{}:{}:{what}", function.name, site.line.saturating_sub(start.line), site.column),
            site,
            steps,
            certainty,
            input: None,
            driver: None,
        }
    }

    fn sink(&self, sink: &Sink, may: bool) -> (String, String) {
        let value = match &sink.value {
            Operand::Null | Operand::Zero { .. } | Operand::Integer { .. } => "NULL".to_owned(),
            value => format!("`{}`", self.names.value(sink.function, value)),
        };
        let is = match (value.as_str(), may) {
            ("NULL", _) => "is",
            (_, true) => "may be null and is",
            (_, false) => "can be null and is",
        };
        let message = match &sink.kind {
            SinkKind::Read => format!("{value} {is} read through"),
            SinkKind::Written => format!("{value} {is} written through"),
            SinkKind::Called => format!("{value} {is} called"),
            SinkKind::Result => format!("{value} {is} returned where the result is declared never to be null"),
            SinkKind::Declared(why) => format!("{value} {is} used here, but {why}"),
            SinkKind::Argument(target, index) => {
                let target = self.program.function(*target);
                let name = target.parameters.get(*index as usize).map_or("", |parameter| parameter.name.as_str());
                let parameter = if name.is_empty() { format!("argument {}", index + 1) } else { format!("`{name}`") };
                format!("{value} {is} passed to `{}`, whose {parameter} must not be null", target.name)
            }
        };
        (message, value)
    }

    /// Where a null comes from.
    pub fn source(&self, source: &Source) -> Step {
        let function = |id: FunctionId| &self.program.function(id).name;
        let text = match &source.kind {
            SourceKind::Constant => format!("null comes from here, to {}", self.node(source.node, source.function)),
            SourceKind::Missing(symbol) => {
                let name = self.names.value(source.function.unwrap_or(FunctionId(0)), symbol);
                format!("`{}` is a weak symbol and may be missing", name.trim_start_matches('&'))
            }
            SourceKind::ZeroInitialised(global) => {
                format!("`{}` starts as zeros", self.program.global(*global).name)
            }
            SourceKind::DefinedElsewhere(global) => {
                format!("`{}` is defined elsewhere and may be null", self.program.global(*global).name)
            }
            SourceKind::Zeroed => format!("{} is filled with zeros", self.node(source.node, source.function)),
            SourceKind::Library(id) => format!("`{}` may return null", function(*id)),
            SourceKind::LibraryWrites(id) => {
                format!("`{}` may write null to {}", function(*id), self.node(source.node, source.function))
            }
            SourceKind::Unknown(id) => {
                format!(
                    "nothing is known of `{}`: it may make {} null",
                    function(*id),
                    self.node(source.node, source.function)
                )
            }
            SourceKind::NotUnderstood(what) => format!("{what} is not understood and may make this null"),
            SourceKind::Integer => "an integer becomes a pointer and may be 0".to_owned(),
            SourceKind::Arguments => "`argv` ends with a null pointer".to_owned(),
            SourceKind::Parameter(id, index) => {
                format!("`{}` can be called from elsewhere with null for argument {}", function(*id), index + 1)
            }
            SourceKind::SymbolicBlock(id, what) => format!("symbolic block `{}`: {what}", function(*id)),
        };
        Step { site: self.program.site(source.site).clone(), text }
    }

    /// What has a qualifier, for people.
    pub fn node(&self, node: Node, function: Option<FunctionId>) -> String {
        match (self.constraints.nodes.as_cell(node), function) {
            (Some(cell), _) => self.names.cell(self.points_to, cell),
            (None, Some(function)) => format!("a value in `{}`", self.program.function(function).name),
            (None, None) => "a value".to_owned(),
        }
    }

    fn edge(&self, edge: &Edge) -> Option<Step> {
        let cell = |node| self.constraints.nodes.as_cell(node).map(|cell| self.names.cell(self.points_to, cell));
        let text = match edge.flow {
            Flow::Computed => return None,
            Flow::Written => format!("it is written to {}", cell(edge.to)?),
            Flow::Read => format!("{} is read", cell(edge.from)?),
            Flow::Copied => match (cell(edge.from), cell(edge.to)) {
                (Some(from), Some(to)) => format!("{from} is copied to {to}"),
                (Some(from), None) => format!("{from} is copied"),
                (None, to) => format!("it is copied to {}", to?),
            },
            Flow::Passed(function, index) => {
                let function = self.program.function(function);
                let name = function.parameters.get(index as usize).map_or("", |parameter| parameter.name.as_str());
                match name {
                    "" => format!("it is passed to `{}` as argument {}", function.name, index + 1),
                    name => format!("it is passed to `{}` as `{name}`", function.name),
                }
            }
            Flow::Returned => "it is returned".to_owned(),
            Flow::Result(function) => format!("it is the result of `{}`", self.program.function(function).name),
        };
        // The variables that parameters are stored to on entry have no place in the source: nobody wants to read of them.
        let is_entry = edge.site == SiteId(0) && edge.flow == Flow::Written;
        (!is_entry).then(|| Step { site: self.program.site(edge.site).clone(), text })
    }

    /// The sink at a place in a function, as the inference has it.
    pub fn sinks_at(&self, function: FunctionId, at: (u32, u32)) -> Vec<&Sink> {
        let sinks = self.constraints.functions.get(function.0 as usize).map(|known| known.sinks.as_slice());
        sinks.unwrap_or_default().iter().filter(|sink| sink.at == at).collect()
    }
}
