//! The case files. A case is a name and some steps, each a statement that ends with `;` at the
//! end of a line. Lines that start with `-- word` direct:
//!
//! ```sql
//! -- case: a user is found by id            begins a case
//! -- autocommit                             not within a transaction that is rolled back
//! -- modes: simple text                     only these
//! -- since: 17                              only on servers of this major version and later
//! -- note: anything                         a remark
//! -- with: :users.ann, 3, 'a b', null       the parameters of the next step
//! -- types: uuid int4                       the types that Parse declares for them
//! -- fails: 42883                           the twin fails so, and pgveil in the same way
//! -- refused: 0A000                         the twin succeeds, pgveil refuses
//! -- masked                                 messages of user code show *** for ids, and plans
//!                                           for constants
//! -- early                                  pgveil may fail at Parse or Bind
//! -- except: hint                           a field of the error that may differ
//! select name from users where id = $1;
//! -- script                                 up to the next empty line: one Query
//! -- wire                                   up to the next empty line: a message a line
//! ```
//!
//! After a step that fails or is refused, a transaction goes on from before it.

use super::mode::Mode;

/// What is expected of a step beyond the same answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expectation {
    /// The twin succeeds and pgveil answers the same.
    Same,
    /// The twin fails with one of these SQLSTATEs and pgveil answers the same.
    Fails(Vec<String>),
    /// The twin succeeds and pgveil refuses with this SQLSTATE.
    Refused(String),
}

/// How a step is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// As the mode says.
    Statement,
    /// As one Query, whatever it consists of.
    Script,
    /// Message by message.
    Wire,
}

/// A parameter as it stands in the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    Null,
    /// Written without quotes: a number or a boolean.
    Bare(String),
    Text(String),
}

/// A step of a case.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) types: Vec<u32>,
    pub(crate) expectation: Expectation,
    pub(crate) masked: bool,
    pub(crate) early: bool,
    /// Letters of error fields that may differ.
    pub(crate) except: Vec<char>,
}

impl Step {
    fn new() -> Self {
        Self {
            kind: Kind::Statement,
            text: String::new(),
            arguments: Vec::new(),
            types: Vec::new(),
            expectation: Expectation::Same,
            masked: false,
            early: false,
            except: Vec::new(),
        }
    }

    /// Whether there is no end to it where keys are passed on: data for COPY nobody sends, and to count up
    /// to a key takes for ever.
    pub(crate) fn waits(&self) -> bool {
        let text = self.text.to_lowercase();
        let words = ["from stdin", "generate_series"];
        words.iter().any(|word| text.contains(word))
    }

    /// A statement without parameters.
    pub(crate) fn statement(sql: &str) -> Self {
        Self {
            text: sql.to_owned(),
            ..Self::new()
        }
    }

    /// Messages, one a line.
    pub(crate) fn wire(script: &str) -> Self {
        Self {
            text: script.to_owned(),
            kind: Kind::Wire,
            ..Self::new()
        }
    }

    /// Whether the statement fixes the order of its rows: an ORDER BY outside of parentheses.
    pub(crate) fn is_ordered(&self) -> bool {
        let text = self.text.to_lowercase();
        text.match_indices("order by").any(|(at, _)| {
            let before = &text[..at];
            before.matches('(').count() == before.matches(')').count()
        })
    }
}

/// A case.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) autocommit: bool,
    /// The first major version of Postgres that has what it uses.
    pub(crate) since: u32,
    pub(crate) modes: Vec<Mode>,
    pub(crate) steps: Vec<Step>,
}

impl Case {
    /// Leaves one of its modes, in turn, for a way that passes on what it would refuse.
    pub(crate) fn in_turn(&mut self, turn: usize) {
        self.modes = vec![self.modes[turn % self.modes.len()]];
        self.steps
            .retain(|step| step.expectation == Expectation::Same || !step.waits());
    }

    /// A case of one statement.
    pub(crate) fn of(sql: &str) -> Self {
        Self {
            name: sql.to_owned(),
            autocommit: true,
            since: 0,
            modes: vec![Mode::Simple],
            steps: vec![Step::statement(sql)],
        }
    }

    /// How many of its statements work on the twin.
    pub(crate) fn working(&self) -> usize {
        let works = |step: &&Step| !matches!(step.expectation, Expectation::Fails(_));
        self.steps.iter().filter(works).count()
    }

    /// How many of these must be refused.
    pub(crate) fn refused(&self) -> usize {
        let refused = |step: &&Step| matches!(step.expectation, Expectation::Refused(_));
        self.steps.iter().filter(refused).count()
    }
}

/// The oid of a type by its name.
pub(crate) fn type_oid(name: &str) -> Result<u32, String> {
    Ok(match name {
        "unknown" => 0,
        "bool" => 16,
        "int8" => 20,
        "int2" => 21,
        "int4" => 23,
        "text" => 25,
        "varchar" => 1043,
        "timestamptz" => 1184,
        "int8[]" => 1016,
        "text[]" => 1009,
        "bytea" => 17,
        "uuid" => 2950,
        "void" => 2278,
        "uuid[]" => 2951,
        "varchar[]" => 1015,
        other => return Err(format!("no type is called {other}")),
    })
}

/// Reads the cases of a file.
pub(crate) fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut step = Step::new();
    for (number, line) in text.lines().enumerate() {
        let at = |reason: String| format!("line {}: {reason}", number + 1);
        if let Some(name) = line.strip_prefix("-- case: ") {
            cases.push(Case {
                name: name.to_owned(),
                autocommit: false,
                since: 0,
                modes: Mode::STATEMENT.to_vec(),
                steps: Vec::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        match line.strip_prefix("-- ") {
            Some(directive) => direct(case, &mut step, directive).map_err(at)?,
            None if line.is_empty() && step.text.is_empty() => {}
            None => {
                let within_block = step.kind != Kind::Statement;
                if !line.is_empty() {
                    step.text.push_str(line);
                    step.text.push('\n');
                }
                if (within_block && line.is_empty()) || (!within_block && line.ends_with(';')) {
                    finish(case, std::mem::replace(&mut step, Step::new()));
                }
            }
        }
    }
    if let (false, Some(case)) = (step.text.is_empty(), cases.last_mut()) {
        finish(case, step);
    }
    Ok(cases)
}

fn finish(case: &mut Case, mut step: Step) {
    let text = step.text.trim_end();
    step.text = match step.kind {
        Kind::Statement => text.trim_end_matches(';').to_owned(),
        Kind::Script | Kind::Wire => {
            case.modes = vec![Mode::Raw];
            text.to_owned()
        }
    };
    case.steps.push(step);
}

fn direct(case: &mut Case, step: &mut Step, directive: &str) -> Result<(), String> {
    let (word, rest) = directive.split_once(": ").unwrap_or((directive, ""));
    match word {
        "note" => {}
        "autocommit" => case.autocommit = true,
        "since" => case.since = rest.parse().map_err(|_| "no version")?,
        "modes" => case.modes = rest.split(' ').map(Mode::named).collect::<Result<_, _>>()?,
        "with" => step.arguments = arguments(rest),
        "types" => step.types = rest.split(' ').map(type_oid).collect::<Result<_, _>>()?,
        "fails" => {
            let states = rest.split(' ').map(str::to_owned).collect();
            step.expectation = Expectation::Fails(states);
        }
        "refused" => step.expectation = Expectation::Refused(rest.to_owned()),
        "masked" => step.masked = true,
        "early" => step.early = true,
        "except" => {
            for field in rest.split(' ') {
                step.except.push(match field {
                    "message" => 'M',
                    "context" => 'W',
                    "hint" => 'H',
                    "detail" => 'D',
                    "position" => 'P',
                    other => return Err(format!("no field is called {other}")),
                });
            }
        }
        "script" => step.kind = Kind::Script,
        "wire" => step.kind = Kind::Wire,
        other => return Err(format!("no directive is called {other}")),
    }
    Ok(())
}

/// A list of parameters: `null`, bare words, and texts in quotes, divided by `, `.
pub(crate) fn arguments(list: &str) -> Vec<Argument> {
    let mut arguments = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('\'') {
            let (text, after) = unquote(quoted);
            arguments.push(Argument::Text(text));
            rest = after.strip_prefix(", ").unwrap_or_default();
            continue;
        }
        let (word, after) = rest.split_once(", ").unwrap_or((rest, ""));
        arguments.push(match word {
            "null" => Argument::Null,
            "true" | "false" => Argument::Bare(word.to_owned()),
            number if number.parse::<f64>().is_ok() => Argument::Bare(number.to_owned()),
            text => Argument::Text(text.to_owned()),
        });
        rest = after;
    }
    arguments
}

/// The text up to the closing quote, doubled quotes undone, and what follows.
fn unquote(quoted: &str) -> (String, &str) {
    let mut end = 0;
    while let Some(quote) = quoted[end..].find('\'') {
        end += quote;
        if quoted[end + 1..].starts_with('\'') {
            end += 2;
        } else {
            return (quoted[..end].replace("''", "'"), &quoted[end + 1..]);
        }
    }
    (quoted.replace("''", "'"), "")
}
