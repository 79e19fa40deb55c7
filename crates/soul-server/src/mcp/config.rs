//! How clients are told to start this server: the block that each of them reads, ready to paste.

use serde_json::{Value, json};

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// OpenClaw.
    OpenClaw,
    /// Cursor.
    Cursor,
    /// Goose.
    Goose,
    /// Codex.
    Codex,
    /// Visual Studio Code.
    VsCode,
}

impl Client {
    /// Every client.
    pub const ALL: [Self; 6] = [Self::ClaudeCode, Self::OpenClaw, Self::Cursor, Self::Goose, Self::Codex, Self::VsCode];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::OpenClaw => "openclaw",
            Self::Cursor => "cursor",
            Self::Goose => "goose",
            Self::Codex => "codex",
            Self::VsCode => "vscode",
        }
    }

    /// The file that the block belongs in.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".mcp.json",
            Self::OpenClaw => "~/.openclaw/openclaw.json",
            Self::Cursor => ".cursor/mcp.json",
            Self::Goose => "~/.config/goose/config.yaml",
            Self::Codex => "~/.codex/config.toml",
            Self::VsCode => ".vscode/mcp.json",
        }
    }

    /// The block that starts this program with these arguments.
    #[must_use]
    pub fn block(self, arguments: &[String]) -> String {
        let server = json!({ "command": "soul", "args": arguments });
        let typed = json!({ "type": "stdio", "command": "soul", "args": arguments });
        let list = json!(arguments);
        match self {
            Self::ClaudeCode | Self::Cursor => pretty(&json!({ "mcpServers": { "soulkeeper": server } })),
            Self::OpenClaw => pretty(&json!({ "mcp": { "servers": { "soulkeeper": server } } })),
            Self::VsCode => pretty(&json!({ "servers": { "soulkeeper": typed } })),
            // A list of strings is the same in JSON and YAML, and in TOML.
            Self::Goose => format!(
                "extensions:\n  soulkeeper:\n    name: soulkeeper\n    type: stdio\n    enabled: true\n    cmd: soul\n    args: {list}\n    timeout: 60\n"
            ),
            Self::Codex => format!("[mcp_servers.soulkeeper]\ncommand = \"soul\"\nargs = {list}\n"),
        }
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
