export const NODE_WIDTH = 192;
export const NODE_HEIGHT = 60;
export const PILL_WIDTH = 72;
export const PILL_HEIGHT = 30;

/** A card with its upper left corner. */
export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}
