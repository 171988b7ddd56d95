import { NODE_HEIGHT, NODE_WIDTH, type Placed } from './graph-card.ts';
import { type OrderedStep, stagesOf } from './step-view.ts';

/** A place in the order of the steps. */
export interface StepPlace {
  /** Number of the stage that the step joins, or before which it becomes a stage of its own. */
  readonly stage: number;
  /** Number among the other steps of the stage; null: a stage of its own. */
  readonly slot: number | null;
}

/** A step that goes to another place. */
export interface StepMove {
  readonly stepId: string;
  /** Its number among the other steps. */
  readonly index: number;
  /** The steps that it runs at the same time as; none: it runs alone. */
  readonly beside: readonly string[];
}

/**
 * The move of a step to a place. Null where it would change nothing, or where stages that the step
 * leaves or enters would merge with others: neighbouring parallel steps are always one stage.
 */
export function moveTo(
  steps: readonly OrderedStep[],
  stepId: string,
  { stage, slot }: StepPlace,
): StepMove | null {
  const stages = stagesOf(steps);
  const others = stages.map((ids) => ids.filter((id) => id !== stepId));
  const beside = slot === null ? [] : (others[stage] ?? []);
  if (slot !== null && beside.length === 0) return null;
  const index = others.slice(0, stage).flat().length + (slot ?? 0);
  const wanted = (
    slot === null
      ? others.toSpliced(stage, 0, [stepId])
      : others.with(stage, beside.toSpliced(slot, 0, stepId))
  ).filter((ids) => ids.length > 0);
  const move = { stepId, index, beside };
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(stages);
  const isKept = JSON.stringify(wanted) === JSON.stringify(stagesOf(moved(steps, move)));
  return isChanged && isKept ? move : null;
}

function moved(
  steps: readonly OrderedStep[],
  { stepId, index, beside }: StepMove,
): readonly OrderedStep[] {
  const own: OrderedStep = {
    id: stepId,
    execution: { mode: beside.length === 0 ? 'SEQUENTIAL' : 'PARALLEL' },
  };
  return steps
    .filter(({ id }) => id !== stepId)
    .map(
      (step): OrderedStep =>
        beside.includes(step.id) ? { id: step.id, execution: { mode: 'PARALLEL' } } : step,
    )
    .toSpliced(index, 0, own);
}

/**
 * The place to which Alt and an arrow key move a step. Left and right: out of its group, or past
 * the stage beside it. Up and down: among the steps of its group, or into the stage beside it.
 * Null at an end, and for other keys.
 */
export function placeByKey(
  steps: readonly OrderedStep[],
  stepId: string,
  key: string,
): StepPlace | null {
  const stages = stagesOf(steps);
  const stage = stages.findIndex((ids) => ids.includes(stepId));
  const own = stages[stage];
  if (own === undefined) return null;
  const slot = own.indexOf(stepId);
  const isAlone = own.length === 1;
  if (key === 'ArrowLeft') {
    if (!isAlone) return { stage, slot: null };
    return stage === 0 ? null : { stage: stage - 1, slot: null };
  }
  if (key === 'ArrowRight') {
    if (!isAlone) return { stage: stage + 1, slot: null };
    return stage === stages.length - 1 ? null : { stage: stage + 2, slot: null };
  }
  if (key === 'ArrowUp') {
    if (!isAlone) return slot === 0 ? null : { stage, slot: slot - 1 };
    const before = stages[stage - 1];
    return before === undefined ? null : { stage: stage - 1, slot: before.length };
  }
  if (key === 'ArrowDown') {
    if (!isAlone) return slot === own.length - 1 ? null : { stage, slot: slot + 1 };
    return stage === stages.length - 1 ? null : { stage: stage + 1, slot: 0 };
  }
  return null;
}

/** Part of a card's width, at each of its sides, that belongs to the gap between the columns. */
const GAP_SHARE = 0.2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The place at a point of the graph, which is the middle of a dragged card. */
export function placeAt(
  placed: readonly Placed[],
  stages: readonly (readonly string[])[],
  stepId: string,
  { x, y }: Point,
): StepPlace {
  const columns = columnsOf(placed, stages);
  const stage = columns.findIndex(
    ({ left }) => x > left + NODE_WIDTH * GAP_SHARE && x < left + NODE_WIDTH * (1 - GAP_SHARE),
  );
  if (stage < 0)
    return { stage: columns.filter(({ left }) => left + NODE_WIDTH / 2 < x).length, slot: null };
  const others = columns[stage]?.cards.filter(({ id }) => id !== stepId) ?? [];
  return { stage, slot: others.filter((card) => card.y + NODE_HEIGHT / 2 < y).length };
}

export interface DropLine extends Point {
  readonly width: number;
  readonly height: number;
}

const LINE = 3;
/** Distance of the line from a card; between two columns it stands in the middle. */
const OFF = 10;

/** The line that shows a place while a step is dragged. */
export function lineAt(
  placed: readonly Placed[],
  stages: readonly (readonly string[])[],
  stepId: string,
  { stage, slot }: StepPlace,
): DropLine {
  const columns = columnsOf(placed, stages);
  const [before, at] = [columns[stage - 1], columns[stage]];
  if (slot !== null && at !== undefined) {
    const others = at.cards.filter(({ id }) => id !== stepId);
    const above = others[slot - 1];
    const first = others[0];
    const y = above === undefined ? (first?.y ?? 0) - OFF : above.y + NODE_HEIGHT + OFF;
    return { x: at.left, y: y - LINE / 2, width: NODE_WIDTH, height: LINE };
  }
  const sides = [before, at].filter((column) => column !== undefined);
  const ys = sides.flatMap(({ cards }) => cards.map((card) => card.y));
  const top = Math.min(...ys) - OFF;
  const right = before === undefined ? null : before.left + NODE_WIDTH;
  const left = at?.left ?? null;
  const x =
    right !== null && left !== null
      ? (right + left) / 2
      : right !== null
        ? right + 2 * OFF
        : (left ?? 0) - 2 * OFF;
  return {
    x: x - LINE / 2,
    y: top,
    width: LINE,
    height: Math.max(...ys) + NODE_HEIGHT + OFF - top,
  };
}

function columnsOf(placed: readonly Placed[], stages: readonly (readonly string[])[]) {
  const byId = new Map(placed.map((card) => [card.id, card]));
  return stages.map((ids) => {
    const cards = ids.flatMap((id) => byId.get(id) ?? []);
    return { left: Math.min(...cards.map(({ x }) => x)), cards };
  });
}
