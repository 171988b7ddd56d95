// Folds a run's events into a graph, a graph into views. Pure, browser-safe.
export * from './active.ts';
export * from './conversation.ts';
export * from './edit.ts';
export * from './follow.ts';
export * from './from-conversation.ts';
export { createGraph, type Graph, type GraphNode } from './graph.ts';
export * from './project-dag.ts';
export * from './project-messages.ts';
export * from './project-thread.ts';
export * from './queries.ts';
export { reduceEvent } from './reduce-event.ts';
export * from './resume.ts';
export * from './run-event.ts';
export { activeOfPath, type SelectedAlternative } from './selection.ts';
