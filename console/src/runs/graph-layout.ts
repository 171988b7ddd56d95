import { Graph, layout } from '@dagrejs/dagre';
import type { DefinedStepFragment } from '../generated/documents.ts';
import { needsOf, stagesOf } from './step-view.ts';

export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 64;
export const PILL_WIDTH = 84;
export const PILL_HEIGHT = 30;

export const START = ':context';
const END = ':output';

export interface Layout {
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Columns are stages, so that left to right is the order of execution. Drawn edges are needs; a
 * step without needs hangs on the stage before it.
 */
export function layoutOf(steps: readonly DefinedStepFragment[]): Layout {
  const stages = stagesOf(steps);
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 20, ranksep: 56, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  // The layout writes into the labels, so each node needs one of its own.
  for (const id of [START, END]) graph.setNode(id, { width: PILL_WIDTH, height: PILL_HEIGHT });
  for (const { id } of steps) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });

  const edges = edgesOf(steps, stages);
  for (const { from, to } of edges) graph.setEdge(from, to, { weight: 2 });
  // Not drawn: they keep a step to the right of the stage before it.
  for (const [index, stage] of stages.entries()) {
    const before = stages[index - 1] ?? [START];
    for (const to of stage)
      for (const from of before.slice(0, 8))
        if (!graph.hasEdge(from, to)) graph.setEdge(from, to, { weight: 0 });
  }
  for (const from of stages.at(-1) ?? [START])
    if (!graph.hasEdge(from, END)) graph.setEdge(from, END, { weight: 0 });
  layout(graph);
  return {
    nodes: graph.nodes().map((id) => {
      const { x = 0, y = 0, width = 0, height = 0 } = graph.node(id);
      return { id, x: x - width / 2, y: y - height / 2 };
    }),
    edges,
  };
}

function edgesOf(
  steps: readonly DefinedStepFragment[],
  stages: readonly (readonly string[])[],
): { from: string; to: string }[] {
  const known = new Set(steps.map(({ id }) => id));
  const byId = new Map(steps.map((step) => [step.id, step]));
  const writers = new Map(steps.map(({ id, output }) => [output.variable, id]));
  const edges = stages.flatMap((stage, index) =>
    stage.flatMap((to) => {
      const step = byId.get(to);
      const needs =
        step === undefined ? [] : [...needsOf(step, writers)].filter((id) => known.has(id));
      if (needs.length > 0) return needs.map((from) => ({ from, to }));
      return (stages[index - 1] ?? [START]).map((from) => ({ from, to }));
    }),
  );
  const left = new Set(edges.map(({ from }) => from));
  const ends = steps.map(({ id }) => id).filter((id) => !left.has(id));
  return [...edges, ...(ends.length > 0 ? ends : [START]).map((from) => ({ from, to: END }))];
}
