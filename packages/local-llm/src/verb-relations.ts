import { timesOf } from './fact-times.ts';
import type { Frame } from './frames.ts';
import type { Sentence } from './language.ts';
import type { Span } from './names.ts';
import { objectsOf, type Relation, type Said, stopped, type Talk } from './talk.ts';

const IRREGULAR =
  'wrote|built|made|won|led|sang|taught|drew|sent|held|began|broke|wore|drove|flew|ran|hosts|beat|founded|invented';
const PLAIN = new RegExp(
  `^(?:was |were )?(?<verb>[a-z]{3,}(?:ed|s)|${IRREGULAR}|(?:was|were|is) ` +
    '(?:founded|led|written|invented|discovered|acquired|directed|designed|owned|run|built|' +
    'married|employed) (?:by|to))' +
    '(?: (?<prep>to|for|with|on|in|at|by|of|from|into))?(?: (?:a|the|its|his|her|their))? ' +
    '⟨(?<name>\\d+)⟩',
  'u',
);
const IS_OF =
  /^(?:is|was) (?:the|a) (?<noun>[a-z]+(?: [a-z]+)?) (?<prep>of|for|at) (?:the )?⟨(?<name>\d+)⟩/u;
/** Verbs that say too little with a name only: "told Ben". */
const THIN =
  /^(?:was |were )?(?:tells?|says|asks?|asked|sees|gets|makes|made|goes|thinks|thanks|thanked|gives|lets|keeps|tried|tries|starts?|started|needs?|needed|seems|looks|looked|sounds|feels|means|calls|called|wants|wanted|mentioned|mentions|shows|showed|helps|helped|sends|sent|began|held|takes|has|does|this|its|yes|thus|less|plus|ends|its|his|hers|news|days|years|weeks|months|hours|minutes|needs|talked|spoke|wrote|listened|replied|answered|reached|seem|added|used|supposed|indeed|need|noted|fixed|failed|passed|checked|updated|changed)\b/;

/** An office, or any other verb between two names. */
export function wordRelation(
  talk: Talk,
  sentence: Sentence,
  spans: readonly Span[],
  { clause, subjects }: Said,
  rest: string,
  isOver: boolean,
): Relation[] | null {
  const office = IS_OF.exec(rest)?.groups;
  const plain = PLAIN.exec(rest)?.groups;
  const index = office?.['name'] ?? plain?.['name'];
  const object = index === undefined ? undefined : spans[Number(index)]?.entity;
  const times = timesOf(talk, clause, FRAME_OF_WORDS, isOver);
  const one = (
    entity: string,
    predicate: string,
    says: string,
    target: string,
    isName: boolean,
  ): Relation => ({
    subject: entity,
    predicate,
    object: target,
    objectIsName: isName,
    sentence: sentence.index,
    text: stopped(`${entity} ${says}${times.phrase}`),
    validAt: times.validAt,
    invalidAt: times.invalidAt,
  });
  if (object === undefined) return null;
  if (office !== undefined) {
    const predicate = `is ${office['noun']} ${office['prep']}`;
    return subjects.map(({ entity }) =>
      one(entity, predicate, `is the ${office['noun']} ${office['prep']} ${object}`, object, true),
    );
  }
  if (plain === undefined || THIN.test(rest)) return null;
  const isNamed = subjects.every(({ entity }) => entity !== sentence.speaker);
  if (!isNamed && !/ed$/.test(plain['verb'] ?? '')) return null;
  const words = [plain['verb'], plain['prep']].filter((word) => word !== undefined).join(' ');
  const says = rest.startsWith('was ') && !words.startsWith('was') ? `was ${words}` : words;
  const predicate = words.replace(/^(?:was|were|is) /, '');
  const objects = objectsOf(spans, clause, PLAIN.exec(rest)?.[0] ?? '', index);
  return subjects.flatMap(({ entity }) =>
    objects.map((target) => one(entity, predicate, `${says} ${target}`, target, true)),
  );
}
const FRAME_OF_WORDS: Frame = { relation: '', pattern: /$^/, says: '', said: '', turn: 'state' };
