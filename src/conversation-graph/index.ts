// The client library `aiden/conversation-graph`: folds a run's events into a graph, a graph into views. Pure, browser-safe.
export * from './active.ts';
export * from './connect.ts';
export * from './conversation.ts';
export * from './edit.ts';
export { createGraph, type Graph, type GraphNode } from './graph.ts';
export * from './project-dag.ts';
export * from './project-messages.ts';
export * from './project-thread.ts';
export * from './queries.ts';
export { reduceEvent } from './reduce-event.ts';
export * from './run-event.ts';
