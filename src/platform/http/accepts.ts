/** How a client takes a media type: it names the type, a wildcard includes it, or neither. */
export type Acceptance = 'named' | 'included' | 'refused';

/**
 * Reads an Accept header. Without one a client takes any type. `q=0` refuses a type.
 * @param type in lower case, such as `text/event-stream`
 */
export function acceptanceOf(accept: string | undefined, type: string): Acceptance {
  if (accept === undefined || accept.trim() === '') return 'included';
  const ranges = new Map(accept.toLowerCase().split(',').map(rangeOf));
  const named = ranges.get(type);
  if (named !== undefined) return named ? 'named' : 'refused';
  const [kind = ''] = type.split('/');
  return (ranges.get(`${kind}/*`) ?? ranges.get('*/*') ?? false) ? 'included' : 'refused';
}

function rangeOf(text: string): readonly [range: string, isAccepted: boolean] {
  const [range = '', ...params] = text.split(';').map((part) => part.trim());
  return [range, !params.some((param) => /^q\s*=\s*0(?:\.0*)?$/.test(param))];
}
