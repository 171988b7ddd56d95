// The hook of a commit: the subject is `<room>: <imperative>` and at most 72 characters
// (CONTRIBUTING.md, Commits).
import { readFileSync } from 'node:fs';

const SUBJECT_CHARS_MAX = 72;
const [file = ''] = process.argv.slice(2);
const [subject = ''] = readFileSync(file, 'utf8').split('\n');
const faults = [
  /^(?:[a-z][a-z0-9-]*: \S|Merge |Revert |fixup! )/.test(subject)
    ? []
    : ['begin with the room and a colon, as in "catalog: refuse a Tool without a schema"'],
  subject.length <= SUBJECT_CHARS_MAX
    ? []
    : [`have at most ${SUBJECT_CHARS_MAX} characters, not ${subject.length}`],
].flat();
if (faults.length > 0) {
  console.error(`The subject of a commit has to ${faults.join(', and to ')}:\n  ${subject}`);
  process.exit(1);
}
