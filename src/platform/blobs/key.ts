import { createHash } from 'node:crypto';

/** The one way to make a key. Parts may hold any text; what a path could be misled by is encoded. */
export function blobKey(parts: {
  readonly workspace: string;
  readonly ownerId: string;
  readonly session: string;
  readonly key: string;
}): string {
  return [parts.workspace, parts.ownerId, parts.session, parts.key].map(segment).join('/');
}

function segment(part: string): string {
  const safe = encodeURIComponent(part).replace(/^\.+/, (dots) => dots.replaceAll('.', '%2E'));
  if (safe === '') throw new Error('A part of a blob key is empty.');
  // File names end at 255 bytes; what is longer keeps its identity as a hash.
  if (safe.length <= PART_CHARS_MAX) return safe;
  return `${safe.slice(0, 64)}~${createHash('sha256').update(part).digest('hex')}`;
}

const PART_CHARS_MAX = 200;
const SEGMENT = /^(?!\.)[A-Za-z0-9_.!~*'()%-]{1,200}$/;

/** The parts of a key. Keys come from blobKey, but whoever calls with something else must not reach another folder. @throws */
export function checkedKey(key: string): string[] {
  const segments = key.split('/');
  if (segments.length < 2 || segments.length > 8 || !segments.every((part) => SEGMENT.test(part))) {
    throw new Error('This is no key of a blob.');
  }
  return segments;
}
