//! Every route: its method, its path, and the operation that answers it. Path, query and body are one request;
//! a row says only what a route spells in its own way.

/// Where the routes of Dagu are. Their errors have a `code` and a `message` at the top too, as its API does.
pub(crate) const DAGU: &str = "/api/v1/";

/// A route that an operation answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    /// The method.
    pub(crate) method: &'static str,
    /// The path, with at most two parameters.
    pub(crate) path: &'static str,
    /// The key of the request that the parameter stands for.
    pub(crate) parameter: &'static str,
    /// The key that the second parameter stands for, if there is one.
    pub(crate) second: &'static str,
    /// The name of the operation.
    pub(crate) operation: &'static str,
    /// Keys as clients of this route spell them, and as the operation does.
    pub(crate) renames: &'static [(&'static str, &'static str)],
    /// Whether keys may be in camelCase, as the seed of the library has them.
    pub(crate) camel_case: bool,
    /// Switches that the route turns on by itself.
    pub(crate) sets: &'static [&'static str],
    /// Keys of which the route asks for one: without them the operation would only show something.
    pub(crate) needs: &'static [&'static str],
    /// The key that clients of the seed send as a switch, where the operation asks for a reason.
    pub(crate) switch: &'static str,
    /// Whether a text without an agent is AGH's.
    pub(crate) assumes_agh: bool,
    /// How the route answers.
    pub(crate) answer: Answer,
}

/// How a route answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// 200 with the response.
    Ok,
    /// 201 with the response.
    Created,
    /// 204.
    NoContent,
    /// 200 with the soul of the response at the top, and the rest beside it.
    SoulFirst,
}

impl Route {
    const fn new(method: &'static str, path: &'static str, operation: &'static str) -> Self {
        let (renames, sets, needs) = (&[], &[], &[]);
        Self {
            method,
            path,
            parameter: "",
            second: "",
            operation,
            renames,
            camel_case: false,
            sets,
            needs,
            switch: "",
            assumes_agh: false,
            answer: Answer::Ok,
        }
    }

    const fn parameter(self, parameter: &'static str) -> Self {
        Self { parameter, ..self }
    }

    const fn second(self, second: &'static str) -> Self {
        Self { second, ..self }
    }

    /// The keys that the parameters of the path stand for, in their order.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static str> {
        [self.parameter, self.second].into_iter().filter(|key| !key.is_empty())
    }

    const fn renames(self, renames: &'static [(&'static str, &'static str)]) -> Self {
        Self { renames, ..self }
    }

    const fn camel_case(self) -> Self {
        Self { camel_case: true, ..self }
    }

    const fn assumes_agh(self) -> Self {
        Self { assumes_agh: true, ..self }
    }

    const fn sets(self, sets: &'static [&'static str]) -> Self {
        Self { sets, ..self }
    }

    const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    const fn switch(self, switch: &'static str) -> Self {
        Self { switch, ..self }
    }

    const fn answers(self, answer: Answer) -> Self {
        Self { answer, ..self }
    }
}

const fn get(path: &'static str, operation: &'static str) -> Route {
    Route::new("GET", path, operation)
}

const fn post(path: &'static str, operation: &'static str) -> Route {
    Route::new("POST", path, operation)
}

const fn put(path: &'static str, operation: &'static str) -> Route {
    Route::new("PUT", path, operation)
}

const fn patch(path: &'static str, operation: &'static str) -> Route {
    Route::new("PATCH", path, operation)
}

const fn delete(path: &'static str, operation: &'static str) -> Route {
    Route::new("DELETE", path, operation)
}

/// Every route.
pub(crate) const ROUTES: &[Route] = &[
    get("/api/agents", "list"),
    post("/api/agents", "new"),
    get("/api/status", "status"),
    get("/api/agents/{name}/status", "status").parameter("agent"),
    get("/api/agents/{name}/soul", "inspect").parameter("agent"),
    put("/api/agents/{name}/soul", "write").parameter("agent"),
    delete("/api/agents/{name}/soul", "delete").parameter("agent"),
    post("/api/agents/{name}/soul/validate", "inspect").parameter("agent").sets(&["must_be_valid"]),
    get("/api/agents/{name}/soul/text", "show").parameter("agent"),
    get("/api/agents/{name}/soul/history", "history").parameter("agent"),
    post("/api/agents/{name}/soul/rollback", "rollback").parameter("agent"),
    post("/api/agents/{name}/soul/undo", "undo").parameter("agent"),
    post("/api/agents/{name}/soul/record", "record").parameter("agent"),
    get("/api/agents/{name}/soul/diff", "diff").parameter("agent"),
    post("/api/agents/{name}/soul/diff", "diff").parameter("agent").needs(&["body"]),
    get("/api/agents/{name}/prompt", "prompt").parameter("agent"),
    post("/api/agents/{name}/prompt", "prompt").parameter("agent"),
    get("/api/agents/{name}/scan", "scan").parameter("agent"),
    get("/api/agents/{name}/boot", "boot").parameter("agent"),
    get("/api/agents/{name}/test", "test").parameter("agent"),
    post("/api/agent/soul/validate", "inspect")
        .renames(&[("agent_name", "agent")])
        .sets(&["must_be_valid"])
        .assumes_agh(),
    get("/api/agent/context", "context").renames(&[("session", "session_id")]),
    get("/api/agents/{name}/persona", "persona.show").parameter("agent"),
    post("/api/agents/{name}/persona/adapt", "persona.adapt").parameter("agent"),
    post("/api/agents/{name}/persona/drift", "persona.drift").parameter("agent"),
    get("/api/agents/{name}/persona/mood", "persona.mood").parameter("agent"),
    post("/api/agents/{name}/persona/mood", "persona.mood").parameter("agent").needs(&["set", "event"]),
    get("/api/agents/{name}/persona/overlays", "persona.overlay").parameter("agent"),
    post("/api/agents/{name}/persona/overlays", "persona.overlay").parameter("agent").needs(&["rules"]),
    delete("/api/agents/{name}/persona/overlays", "persona.overlay").parameter("agent").sets(&["clear"]),
    get("/api/agents/{name}/persona/history", "persona.history").parameter("agent"),
    post("/api/agents/{name}/persona/revert", "persona.revert").parameter("agent"),
    get("/api/agents/{name}/memory/search", "memory.search").parameter("agent"),
    get("/api/agents/{name}/memory/detail", "memory.detail").parameter("agent"),
    get("/api/agents/{name}/memory/status", "memory.status").parameter("agent"),
    post("/api/agents/{name}/memory/add", "memory.add").parameter("agent"),
    post("/api/agents/{name}/memory/forget", "memory.forget").parameter("agent"),
    post("/api/agents/{name}/memory/init", "memory.init").parameter("agent"),
    post("/api/agents/{name}/memory/push", "memory.push").parameter("agent"),
    post("/api/agents/{name}/memory/pull", "memory.pull").parameter("agent"),
    get("/api/agents/{name}/proposals", "proposals").parameter("agent"),
    post("/api/agents/{name}/proposals", "propose").parameter("agent"),
    get("/api/proposals", "proposals"),
    get("/api/proposals/{id}", "review").parameter("id"),
    post("/api/proposals/{id}/review", "review").parameter("id").needs(&["accept", "reject"]),
    get("/api/sessions", "session.list"),
    post("/api/sessions", "session.start"),
    get("/api/sessions/{id}", "session.show").parameter("session_id"),
    post("/api/sessions/{id}/spawn", "session.spawn").parameter("parent_id"),
    post("/api/sessions/{id}/soul/refresh", "session.refresh").parameter("session_id").answers(Answer::SoulFirst),
    post("/api/sessions/{id}/resume", "session.resume").parameter("session_id"),
    post("/api/sessions/{id}/stop", "session.stop").parameter("session_id"),
    get("/api/sessions/{id}/prompt", "prompt").parameter("session_id"),
    get("/api/sessions/{id}/receipt", "receipt").parameter("session_id"),
    get("/api/runs", "task.runs"),
    get("/api/tasks", "task.list"),
    post("/api/tasks", "task.add"),
    post("/api/tasks/claim", "task.claim"),
    post("/api/runs/{id}/renew", "task.renew").parameter("run_id"),
    post("/api/runs/{id}/finish", "task.finish").parameter("run_id"),
    get("/api/v1/settings/agent", "library.current"),
    patch("/api/v1/settings/agent", "library.select").camel_case().renames(&[("selected_soul_id", "id")]),
    get("/api/v1/settings/agent/souls", "library.list").camel_case().renames(&[("q", "query")]),
    post("/api/v1/settings/agent/souls", "library.create").camel_case().answers(Answer::Created),
    get("/api/v1/settings/agent/souls/{soulId}", "library.show").parameter("id"),
    patch("/api/v1/settings/agent/souls/{soulId}", "library.update").parameter("id").camel_case(),
    delete("/api/v1/settings/agent/souls/{soulId}", "library.delete")
        .parameter("id")
        .camel_case()
        .switch("force")
        .answers(Answer::NoContent),
    get("/api/v1/settings/agent/souls/{soulId}/history", "library.history").parameter("id"),
    post("/api/v1/settings/agent/souls/{soulId}/rollback", "library.rollback").parameter("id").camel_case(),
    get("/api/v1/settings/agent/souls/{soulId}/diff", "library.diff").parameter("id"),
    post("/api/v1/settings/agent/souls/{soulId}/diff", "library.diff").parameter("id").needs(&["body"]),
    get("/api/v1/settings/agent/souls/{soulId}/prompt", "prompt").parameter("soul"),
    get("/api/v1/settings/agent/souls/{soulId}/scan", "scan").parameter("soul"),
    post("/api/merge", "merge"),
    get("/api/v1/sync/status", "sync.status"),
    post("/api/v1/sync/init", "sync.init").camel_case(),
    get("/api/v1/sync/config", "sync.config"),
    put("/api/v1/sync/config", "sync.init").camel_case().renames(&[("repository", "remote")]),
    post("/api/v1/sync/test-connection", "sync.probe"),
    post("/api/v1/sync/pull", "sync.pull"),
    post("/api/v1/sync/publish-all", "sync.publish").camel_case().sets(&["all"]),
    post("/api/v1/sync/cleanup", "sync.forget").camel_case().sets(&["all_missing"]),
    post("/api/v1/sync/delete-missing", "sync.delete").camel_case().switch("force").sets(&["all_missing"]),
    post("/api/v1/sync/delete-batch", "sync.delete").camel_case().switch("force"),
    get("/api/v1/sync/items/{itemId}/diff", "sync.diff").parameter("item_id"),
    post("/api/v1/sync/items/{itemId}/publish", "sync.publish").parameter("item_id").camel_case(),
    post("/api/v1/sync/items/{itemId}/discard", "sync.discard").parameter("item_id").camel_case().switch("force"),
    post("/api/v1/sync/items/{itemId}/resolve", "sync.resolve").parameter("item_id").camel_case().switch("force"),
    post("/api/v1/sync/items/{itemId}/forget", "sync.forget").parameter("item_id").camel_case(),
    post("/api/v1/sync/items/{itemId}/delete", "sync.delete").parameter("item_id").camel_case().switch("force"),
    post("/api/v1/sync/items/{itemId}/move", "sync.move").parameter("item_id").camel_case().switch("force"),
    get("/api/v1/souls", "registry.browse").renames(&[("q", "query")]),
    get("/api/v1/souls/{owner}/{name}", "registry.show").parameter("owner").second("name"),
    get("/api/v1/search", "registry.search").renames(&[("q", "query")]),
    get("/api/v1/bundle/{owner}/{name}", "registry.bundle").parameter("owner").second("name"),
    get("/api/v1/categories", "registry.categories"),
    post("/api/v1/validate", "registry.validate"),
    post("/api/v1/soulscan/scan", "registry.scan"),
    get("/api/packages", "installed"),
    post("/api/packages/plan", "install"),
    post("/api/packages/install", "install").needs(&["plan_digest"]),
    post("/api/packages/update", "update"),
    post("/api/packages/uninstall", "uninstall"),
    get("/api/packages/outdated", "outdated"),
    get("/api/packages/verify", "verify"),
    post("/api/agents/{name}/use", "use").parameter("agent"),
    post("/api/agents/{name}/restore", "restore").parameter("agent"),
    post("/api/scan", "scan"),
    post("/api/convert", "convert"),
    post("/api/deliver", "deliver"),
    post("/api/fit", "fit"),
    post("/api/anchor", "anchor"),
    post("/api/export", "export"),
    post("/api/import", "import"),
    post("/api/receipts/verify", "receipt.verify"),
    get("/api/rules", "rule"),
    get("/api/rules/{id}", "rule").parameter("id"),
    get("/api/events", "log"),
    get("/api/audit/verify", "audit.verify").renames(&[("expect_head", "expect_heads")]),
    get("/api/doctor", "doctor"),
    get("/api/whoami", "whoami"),
    get("/api/tokens", "token.list"),
    post("/api/tokens", "token.create").answers(Answer::Created),
    delete("/api/tokens/{id}", "token.revoke").parameter("id"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use soul_engine::ops;

    #[test]
    fn every_row_fits_its_operation() {
        for route in ROUTES {
            let entry = ops::find(route.operation).unwrap_or_else(|| panic!("no operation {}", route.operation));
            let shape = entry.request();
            let keys = route.renames.iter().map(|(_, key)| key).chain(route.sets).chain(route.needs);
            for key in keys.copied().chain(route.parameters()) {
                assert!(shape.has(key), "{} {}: {} has no `{key}`", route.method, route.path, route.operation);
            }
            assert_eq!(route.path.matches('{').count(), route.parameters().count(), "{}", route.path);
            assert!(
                route.method != "GET" || entry.hints.read_only || !route.needs.is_empty() || reads(route),
                "{}",
                route.path
            );
        }
    }

    /// Operations that change something only when they are given something to change.
    fn reads(route: &Route) -> bool {
        matches!(route.operation, "persona.mood" | "persona.overlay" | "review")
    }
}
