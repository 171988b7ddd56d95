const NAMED_MAX = 5;

/** `a, b, c, d, e and 3 more`: the first names in order, so that equal sets give equal texts. */
export function someOf(names: readonly string[]): string {
  const first = names.toSorted().slice(0, NAMED_MAX).join(', ');
  return names.length > NAMED_MAX ? `${first} and ${names.length - NAMED_MAX} more` : first;
}
