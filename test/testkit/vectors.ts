/** Of vectors of one length; 0 where one has no direction. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (const [index, x] of a.entries()) {
    const y = b[index] ?? 0;
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  const length = Math.sqrt(lengthA) * Math.sqrt(lengthB);
  return length === 0 ? 0 : dot / length;
}
