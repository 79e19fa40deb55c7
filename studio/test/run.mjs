// Runs the unit tests: each is bundled, since the node of a stable distribution does not read TypeScript.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'soulkeeper-studio-'));
const tests = readdirSync(here).filter((file) => file.endsWith('.test.ts'));
await build({
  absWorkingDir: here,
  entryPoints: tests,
  outdir: out,
  bundle: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { HAS_REGISTRY: 'true', HAS_SYNC: 'true' },
  logLevel: 'warning',
});
const result = spawnSync(process.execPath, ['--test', ...tests.map((file) => join(out, file.replace(/ts$/, 'mjs')))], { stdio: 'inherit' });
rmSync(out, { recursive: true });
process.exit(result.status ?? 1);
