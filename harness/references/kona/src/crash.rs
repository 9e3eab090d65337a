//! Panics of the implementation under test, turned into text.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    panic::{self, AssertUnwindSafe, PanicHookInfo},
};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the panics that [`catch`] will report from being printed as well. To be called once, at the start.
pub fn install_hook() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if CATCHING.get() {
            LOCATION.set(location(info));
        } else {
            print(info);
        }
    }));
}

/// Runs `run`.
///
/// # Errors
/// The message and the place of the panic that ended it. Values that `run` shares with its caller are as the panic left
/// them.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    CATCHING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(false);
    result.map_err(|payload| {
        let message = message(payload.as_ref());
        match LOCATION.take() {
            Some(location) => format!("{message} ({location})"),
            None => message.to_owned(),
        }
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// The place of a panic without the folders of the machine: `kona-protocol-0.4.5/src/batch/span.rs:7`.
fn location(info: &PanicHookInfo<'_>) -> Option<String> {
    let location = info.location()?;
    let file = location.file();
    let package = file.find("/src/index.").and_then(|index| Some(index + 5 + file[index + 5..].find('/')? + 1));
    Some(format!("{}:{}", &file[package.unwrap_or(0)..], location.line()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_with_its_message_and_place() {
        install_hook();
        let message = catch(|| panic!("no {}", "block")).unwrap_err();
        assert!(message.starts_with("no block (src/crash.rs:"), "{message}");
        assert_eq!(catch(|| 1), Ok(1));
    }
}
