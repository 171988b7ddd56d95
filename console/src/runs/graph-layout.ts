import { Graph, layout } from '@dagrejs/dagre';
import type { DefinedStepFragment } from '../generated/documents.ts';
import { NODE_HEIGHT, NODE_WIDTH, PILL_HEIGHT, PILL_WIDTH, type Placed } from './graph-card.ts';
import { needsOf, stagesOf } from './step-view.ts';

export const START = ':context';
const END = ':output';

export interface Layout {
  readonly nodes: readonly Placed[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Columns are stages, so that left to right is the order of execution. Drawn edges are needs; a
 * step without needs hangs on the stage before it. In a column the cards have the order of the
 * definition, so that a step which is moved is seen at its place.
 */
export function layoutOf(steps: readonly DefinedStepFragment[]): Layout {
  const stages = stagesOf(steps);
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 36, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  // The layout writes into the labels, so each node needs one of its own.
  for (const id of [START, END]) graph.setNode(id, { width: PILL_WIDTH, height: PILL_HEIGHT });
  for (const { id } of steps) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });

  const edges = edgesOf(steps, stages);
  // A need that does not come before, which is a fault, is drawn, but moves no card.
  const columns = new Map(
    stages.flatMap((stage, index) => stage.map((id) => [id, index] as const)),
  );
  const columnOf = (id: string) => columns.get(id) ?? (id === START ? -1 : stages.length);
  for (const { from, to } of edges)
    if (columnOf(from) < columnOf(to)) graph.setEdge(from, to, { weight: 2 });
  // Not drawn: they keep a step to the right of the stage before it.
  for (const [index, stage] of stages.entries()) {
    const before = stages[index - 1] ?? [START];
    for (const to of stage)
      for (const from of before.slice(0, 8))
        if (!graph.hasEdge(from, to)) graph.setEdge(from, to, { weight: 0 });
  }
  for (const from of stages.at(-1) ?? [START])
    if (!graph.hasEdge(from, END)) graph.setEdge(from, END, { weight: 0 });
  layout(graph, { constraints: stages.flatMap(inOrder) });
  // The layout may give up a constraint; the cards change places then.
  const middles = new Map(graph.nodes().map((id) => [id, graph.node(id).y ?? 0]));
  for (const stage of stages) {
    const ys = stage.map((id) => middles.get(id) ?? 0).toSorted((left, right) => left - right);
    for (const [index, id] of stage.entries()) middles.set(id, ys[index] ?? 0);
  }
  return {
    nodes: graph.nodes().map((id) => {
      const { x = 0, width = 0, height = 0 } = graph.node(id);
      return { id, x: x - width / 2, y: (middles.get(id) ?? 0) - height / 2 };
    }),
    edges,
  };
}

/** Each card of a column stands above the next one. */
function inOrder(stage: readonly string[]): { left: string; right: string }[] {
  return stage.slice(1).map((right, index) => ({ left: stage[index] ?? right, right }));
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
