// The call graph in memory: built from events or from an answer of the API; paths, order, cycles.
// Pure, browser-safe.
export * from './call.ts';
export * from './flow-graph.ts';
export * from './from-answer.ts';
