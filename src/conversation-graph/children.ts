import { appended, emptyVector, slotsOf, type Vector } from './vector.ts';

// Most nodes have one child or two; a fan-out of thousands must still not copy them all for each.
const FEW = 16;

/** The ids a node points at, in the order their edges came. */
export type Children = readonly string[] | Vector<string>;

export const NO_CHILDREN: Children = [];

export function withChild(children: Children, id: string): Children {
  if (!isFew(children)) return appended(children, id);
  if (children.length < FEW) return [...children, id];
  return appended(children.reduce(appended<string>, emptyVector<string>()), id);
}

export function childIds(children: Children): readonly string[] {
  return isFew(children) ? children : [...slotsOf(children)];
}

export function hasChildren(children: Children): boolean {
  return isFew(children) ? children.length > 0 : children.size > 0;
}

function isFew(children: Children): children is readonly string[] {
  return Array.isArray(children);
}
