//! The binary as its users meet it: what it prints, and what becomes of it when many use it at once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod ci;
mod clones;
mod documents;
mod fleet;
mod interface;
mod markdown;
mod mcp;
mod modes;
mod pages;
mod picture;
mod processes;
mod replay;
mod sarif;
mod service;
mod sync;
mod terminal;
mod transports;
mod varying;
