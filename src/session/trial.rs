//! Carries out the plans of a text without a session, for those who ask what would become of it:
//! what a literal is worth, only its value tells.

use super::codecs::Codecs;
use super::edit::Editor;
use super::memory::Account;
use super::named::Named;
use super::plans::Analysis;
use super::shared::{Mode, Shared};
use crate::splice::Misplaced;
use crate::sql::{Script, Verdict};

/// Refuses the statements of an analysed text that have literals which stand for no id where one
/// must stand: in the same words as a session. A key is in none of them.
///
/// # Errors
/// If a place that the analysis has found is none of the text.
pub fn judge(shared: &Shared, text: &[u8], script: Script) -> Result<Script, Misplaced> {
    let codecs = Codecs::new(shared);
    let (statements, portals) = (Named::default(), Named::default());
    let account = Account::default();
    let editor = Editor {
        shared,
        codecs: &codecs,
        statements: &statements,
        portals: &portals,
        account: &account,
        mode: Mode::Enforce,
        utf8: true,
    };
    let mut judged = Script {
        statements: Vec::with_capacity(script.statements.len()),
        ..script
    };
    for statement in script.statements {
        // Each by itself: the first that fails would keep the others from being looked at.
        let mut alone = Analysis {
            text: text.into(),
            script: Script {
                statements: vec![statement],
                ..Script::default()
            },
            ..Analysis::unknown()
        };
        let edited = editor.edit(&alone)?;
        let refused = edited.refused.first();
        for statement in &mut alone.script.statements {
            if let Some((_, refused)) = refused {
                statement.verdict = Verdict::Refuse(refused.refusal.clone());
            }
        }
        judged.statements.append(&mut alone.script.statements);
    }
    Ok(judged)
}
