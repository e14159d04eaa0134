//! Registration of games of your own by name.

use crate::{AnyGame, InputError};
use delphic_game::Spec;
use std::sync::{Mutex, PoisonError};

/// Builds a game from the parameters of its spec.
pub type Builder = Box<dyn Fn(Spec) -> Result<Box<dyn AnyGame>, InputError> + Send>;

static OWN: Mutex<Vec<(String, Builder)>> = Mutex::new(Vec::new());

/// Registers a game of your own under `name` for [`game`](crate::game()), and so for the command line, certificates and checkpoints. A
/// later registration of the same name replaces an earlier one.
///
/// ```
/// # use delphic_engine::{game, own_game, register};
/// # use delphic_game::random_tree::RandomTree;
/// register("bush", Box::new(|spec| {
///     spec.finish("no parameter")?;
///     Ok(own_game("bush", RandomTree::small(7)))
/// }));
/// assert_eq!(game("bush")?.spec(), "bush");
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
pub fn register(name: &str, build: Builder) {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.retain(|(other, _)| other != name);
    own.push((name.to_owned(), build));
}

/// The names of the registered games, in the order of their registration.
pub fn registered() -> Vec<String> {
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.iter().map(|(name, _)| name.clone()).collect()
}

/// The registered game with a spec, if there is one.
pub(crate) fn find(spec: &str) -> Option<Result<Box<dyn AnyGame>, InputError>> {
    let spec = Spec::parse(spec);
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, build) = own.iter().find(|(name, _)| name == spec.name())?;
    Some(build(spec))
}
