#!/usr/bin/env node
// Plain JavaScript, so that an old Node can say what is missing.
const NODE_MAJOR_MIN = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < NODE_MAJOR_MIN) {
  console.error(`aiden-local-llm needs Node ${NODE_MAJOR_MIN} or later; this is ${major}.`);
  process.exit(1);
}
const { existsSync } = await import('node:fs');
// The repository runs its sources; the published package has the built files alone.
const [source, built] = ['../src/main.ts', '../dist/main.js'];
await import(existsSync(new URL(source, import.meta.url)) ? source : built);
