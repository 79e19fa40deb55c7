// The answers of registries and packages, as far as the page shows them.

export type RegistrySoul = {
  owner: string;
  name: string;
  displayName?: string | null;
  version: string;
  description?: string | null;
  category?: string | null;
  author?: string | null;
  license?: string | null;
  tags?: string[];
  source?: string | null;
  digest?: string | null;
  scanGrade?: string | null;
  manifest?: { disclosure?: { summary?: string | null } | null } | null;
};

export type RegistryPage = { souls: RegistrySoul[]; total: number };
export type Installed = { package?: string; owner?: string; name?: string };
export type Capabilities = { tools: unknown[]; skills: unknown[]; hooks: unknown[]; scripts: unknown[]; network: unknown[]; memory: boolean };

export type Plan = {
  digest: string;
  package: string;
  version: string;
  installed: string | null;
  unchanged: boolean;
  display_name: string | null;
  deprecated: boolean;
  superseded_by: string | null;
  package_digest: string;
  folder: string;
  files: { path: string; sha256: string; bytes: number; change: string }[];
  overwritten: string[];
  capabilities: Capabilities;
  signature: { state: string };
  grade: string | null;
  refused: (string | { message?: string })[];
};
