/** A list of names from this length on is searched. */
export const SEARCHED_FROM = 40;

/** Whether a name has all these words. */
export function fits(text: string): (name: string) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (name) => words.every((word) => name.toLowerCase().includes(word));
}
