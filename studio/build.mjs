// Builds the bundle that the server embeds. Same sources, same bytes: the test suite builds it again and compares.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const out = resolve(root, process.argv[2] ?? '../crates/soul-server/src/web/dist');

execFileSync(process.execPath, [join(root, 'node_modules/openapi-typescript/bin/cli.js'), '../docs/openapi.json', '--output', 'src/api/schema.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit'], { cwd: root, stdio: 'inherit' });

const { paths } = JSON.parse(readFileSync(join(root, '../docs/openapi.json'), 'utf8'));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const common = {
  absWorkingDir: root,
  bundle: true,
  target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: {
    'process.env.NODE_ENV': '"production"',
    HAS_REGISTRY: String('/api/packages/plan' in paths),
    HAS_SYNC: String('/api/v1/sync/status' in paths),
  },
  logLevel: 'warning',
};
const result = await build({
  ...common,
  entryPoints: { studio: 'src/main.tsx', 'studio.style': 'src/studio.css', mark: 'src/mark.svg' },
  loader: { '.svg': 'copy' },
  outdir: out,
  splitting: true,
  format: 'esm',
  entryNames: '[name].[hash]',
  chunkNames: '[name].[hash]',
  metafile: true,
});
// A classic script: a module would run after the first paint.
await build({ ...common, entryPoints: { early: 'src/early.ts' }, outdir: out, format: 'iife', entryNames: '[name].[hash]' });

// The frame of the page, drawn once here instead of first in each browser.
const drawn = await build({
  ...common,
  stdin: {
    contents: "import { renderToString } from 'preact-render-to-string'; import { Frame } from './src/shell/Frame.tsx'; export default renderToString(<Frame />);",
    loader: 'tsx',
    resolveDir: root,
  },
  format: 'esm',
  write: false,
});
const { default: frame } = await import(`data:text/javascript;base64,${Buffer.from(drawn.outputFiles[0].contents).toString('base64')}`);

// The server reads names with hashes from here; the file itself is never served.
const named = (start, end) => readdirSync(out).find((file) => file.startsWith(start) && file.endsWith(end));
const entry = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint === 'src/main.tsx')[1];
const preload = entry.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path.split('/').pop());
const manifest = { entry: named('studio.', '.js'), early: named('early.', '.js'), styles: [named('studio.style.', '.css')], preload, icon: named('mark.', '.svg'), frame };
writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);

// The budgets of the design, in bytes over the wire.
const KB = 1024;
const size = (file) => gzipSync(readFileSync(join(out, file)), { level: 9 }).length;
const total = (list) => list.reduce((sum, file) => sum + size(file), 0);
const first = [manifest.entry, manifest.early, manifest.styles[0], ...preload];
const all = readdirSync(out).filter((file) => file !== 'manifest.json');
const budgets = [
  ['first page without the editor', total(first), 80 * KB],
  ['style', size(manifest.styles[0]), 12 * KB],
  ['everything', total(all), 250 * KB],
];
let over = false;
for (const [what, bytes, most] of budgets) {
  console.log(`${what}: ${(bytes / KB).toFixed(1)} KB compressed, at most ${most / KB}`);
  over ||= bytes > most;
}
const brotli = all.reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(out, file))).length, 0);
console.log(`everything with brotli: ${(brotli / KB).toFixed(1)} KB`);
if (over) {
  console.error('the bundle is over its budget');
  process.exit(1);
}
