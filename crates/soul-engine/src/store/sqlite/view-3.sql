CREATE TEMP VIEW workspace_places AS
    SELECT 0 AS place, '' AS scope, 0 AS device, 0 AS inode, x'' AS path, '' AS bound_at, '' AS owner
    WHERE 0;
CREATE TEMP VIEW pending_places AS SELECT '' AS revision_id, 0 AS place, NULL AS expires_at WHERE 0;
CREATE TEMP VIEW soul_forks AS
    SELECT '' AS scope, '' AS kind, '' AS name, '' AS parent_scope, 0 AS seq, '' AS chain, '' AS created_at WHERE 0;
CREATE TEMP VIEW chain_repairs AS
    SELECT '' AS revision_id, '' AS scope, '' AS kind, '' AS name, 0 AS seq, '' AS problem, NULL AS previous_chain,
    '' AS chain, '' AS content, '' AS actor_kind, '' AS actor_ref, '' AS origin_kind, '' AS origin_ref,
    '' AS created_at WHERE 0;
