import { createContext, type ReactNode, useContext } from 'react';

/** Level of a heading at this place of the page, whose title is of level 1. */
const Level = createContext(2);

export function useHeadingLevel(): number {
  return useContext(Level);
}

/** Gives the headings of its children the next level. */
export function UnderHeading({ children }: { readonly children: ReactNode }) {
  return <Level value={useContext(Level) + 1}>{children}</Level>;
}
