import { appended, emptyVector, slotsOf, type Vector } from './vector.ts';

// Most nodes have one child, stored directly. A vector avoids copying thousands of children per
// addition.
const FEW = 16;

/** Ids of a node's children in the order of their edges: none, one, a few, or many. */
export type Children = null | string | readonly string[] | Vector<string>;

export const NO_CHILDREN: Children = null;

export function withChild(children: Children, id: string): Children {
  if (children === null) return id;
  if (typeof children === 'string') return [children, id];
  if (!isFew(children)) return appended(children, id);
  if (children.length < FEW) return [...children, id];
  return appended(children.reduce(appended<string>, emptyVector<string>()), id);
}

export function childIds(children: Children): readonly string[] {
  if (children === null) return [];
  if (typeof children === 'string') return [children];
  return isFew(children) ? children : [...slotsOf(children)];
}

function isFew(children: readonly string[] | Vector<string>): children is readonly string[] {
  return Array.isArray(children);
}
