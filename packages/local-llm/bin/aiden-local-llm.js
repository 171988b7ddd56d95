#!/usr/bin/env node
// Plain JavaScript, so that an old Node can say what is missing.
const NODE_MAJOR_MIN = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < NODE_MAJOR_MIN) {
  console.error(`aiden-local-llm needs Node ${NODE_MAJOR_MIN} or later; this is ${major}.`);
  process.exit(1);
}
await import('../src/main.ts');
