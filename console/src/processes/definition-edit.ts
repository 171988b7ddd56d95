import {
  type Document,
  isMap,
  isNode,
  isSeq,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { StepMove } from '../runs/step-place.ts';

/** As `textOf` writes, so that an edit changes its own lines only. */
const STYLE = { lineWidth: 96 } as const;

/** A change of the text that keeps comments; the text as it was where it is no Process. */
type Edit = (text: string) => string;

function edited(text: string, change: (document: Document, steps: YAMLSeq) => void): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return text;
  if (!isMap(document.contents)) return text;
  if (!isSeq(document.get('steps'))) document.set('steps', document.createNode([]));
  const steps = document.get('steps');
  if (!isSeq(steps)) return text;
  // A new Process has `steps: []`; its steps then stand on lines of their own.
  if (steps.items.length === 0) steps.flow = false;
  change(document, steps);
  return document.toString(STYLE);
}

function indexOf(steps: YAMLSeq, stepId: string): number {
  return steps.items.findIndex((step) => isMap(step) && step.get('stepId') === stepId);
}

/** The ids of the steps, in the order of the text. */
export function stepIdsOf(text: string): string[] {
  const steps: unknown = parseDocument(text).get('steps');
  if (!isSeq(steps)) return [];
  return steps.items.flatMap((step) => {
    const id = isMap(step) ? step.get('stepId') : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}

/** Adds a step at the end. */
export function addStep(step: Readonly<Record<string, unknown>>): Edit {
  return (text) => edited(text, (document, steps) => steps.add(document.createNode(step)));
}

/** Removes a step, and its id from the needs of others. References in inputs stay, as faults. */
export function removeStep(stepId: string): Edit {
  return (text) =>
    edited(text, (_document, steps) => {
      const index = indexOf(steps, stepId);
      if (index < 0) return;
      steps.delete(index);
      for (const step of steps.items) if (isMap(step)) withoutNeed(step, stepId);
    });
}

/** Moves a step, with its comments, and lets it run at the same time as others or alone. */
export function moveStep({ stepId, index, beside }: StepMove): Edit {
  return (text) =>
    edited(text, (document, steps) => {
      const step = steps.items[indexOf(steps, stepId)];
      if (!isMap(step)) return;
      ownComment(steps);
      const [first] = steps.items;
      steps.items.splice(steps.items.indexOf(step), 1);
      steps.items.splice(index, 0, step);
      swapSpace(first, steps.items[0]);
      setParallel(document, step, beside.length > 0);
      for (const other of steps.items)
        if (isMap(other) && beside.includes(String(other.get('stepId'))))
          setParallel(document, other, true);
    });
}

/** The parser gives a comment before the first step to the list; it belongs to the step. */
function ownComment(steps: YAMLSeq): void {
  const [first] = steps.items;
  if (steps.commentBefore == null || !isNode(first)) return;
  first.commentBefore = [steps.commentBefore, first.commentBefore]
    .filter((comment) => comment != null)
    .join('\n');
  steps.commentBefore = null;
}

/** An empty line stands between steps, so the one that is first now has none before it. */
function swapSpace(before: unknown, now: unknown): void {
  if (before === now || !isNode(before) || !isNode(now)) return;
  before.spaceBefore = now.spaceBefore === true;
  now.spaceBefore = false;
}

function setParallel(document: Document, step: YAMLMap, isParallel: boolean): void {
  const execution = step.get('execution');
  if (isParallel) {
    if (isMap(execution)) execution.set('mode', 'parallel');
    else step.set('execution', document.createNode({ mode: 'parallel' }));
    return;
  }
  if (!isMap(execution)) return;
  execution.delete('mode');
  if (execution.items.length === 0) step.delete('execution');
}

function withoutNeed(
  step: { get(key: string): unknown; delete(key: string): boolean },
  id: string,
) {
  const needs = step.get('dependsOn');
  if (!isSeq(needs)) return;
  const at = (needs.toJSON() as unknown[]).indexOf(id);
  if (at < 0) return;
  needs.delete(at);
  if (needs.items.length === 0) step.delete('dependsOn');
}

/** Lets a step wait for another one, which has to stand before it. */
export function connect(from: string, to: string): Edit {
  return (text) =>
    edited(text, (document, steps) => {
      const step = steps.items[indexOf(steps, to)];
      if (!isMap(step) || indexOf(steps, from) < 0) return;
      const needs = step.get('dependsOn');
      if (!isSeq(needs)) step.set('dependsOn', document.createNode([from], { flow: true }));
      else if (!(needs.toJSON() as unknown[]).includes(from)) needs.add(from);
    });
}

export function disconnect(from: string, to: string): Edit {
  return (text) =>
    edited(text, (_document, steps) => {
      const step = steps.items[indexOf(steps, to)];
      if (isMap(step)) withoutNeed(step, from);
    });
}

/** Sets a field of a step; an absent value removes it, and the maps that it leaves empty. */
export function setField(
  stepId: string,
  path: readonly [string, ...string[]],
  value: unknown,
): Edit {
  return (text) =>
    edited(text, (document, steps) => {
      const index = indexOf(steps, stepId);
      if (index < 0) return;
      const at = ['steps', index, ...path];
      if (value !== undefined) {
        document.setIn(at, typeof value === 'object' ? document.createNode(value) : value);
        return;
      }
      if (!document.hasIn(at)) return;
      document.deleteIn(at);
      // Empty inputs stay: a step has them.
      for (let length = path.length - 1; length > 0 && path[0] !== 'inputs'; length--) {
        const above = ['steps', index, ...path.slice(0, length)];
        const parent = document.getIn(above);
        if (!(isMap(parent) || isSeq(parent)) || parent.items.length > 0) return;
        document.deleteIn(above);
      }
    });
}

/** Sets a field of the Process itself; an absent value removes it. */
export function setRoot(name: string, value: unknown): Edit {
  return (text) =>
    edited(text, (document) => {
      if (value === undefined) document.delete(name);
      else if (typeof value === 'object' && value !== null)
        document.set(name, document.createNode(value, { flow: Array.isArray(value) }));
      else document.set(name, value);
    });
}
