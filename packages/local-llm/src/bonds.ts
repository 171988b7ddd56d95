// Facts said by a noun: "my sister Ines", "Globex is our client", "the deadline for Phoenix is …".

const KIN =
  'sister brother mother father mom mum dad wife husband partner girlfriend boyfriend fiancé ' +
  'fiancée son daughter cousin aunt uncle niece nephew grandmother grandfather grandma ' +
  'grandpa stepmother stepfather';
const CIRCLE =
  'friend colleague boss manager neighbour neighbor teammate coworker landlord landlady ' +
  'doctor dentist teacher mentor coach therapist roommate flatmate assistant lead designer ' +
  'developer accountant lawyer client customer supplier vendor employer company team';
const PETS = 'dog cat puppy kitten hamster rabbit parrot horse pony turtle goldfish';
const QUALITY =
  'release|account|product|engineering|support|older|younger|elder|big|little|best|new|old|former|ex|biggest|main|first|second|tech|team|project|product|close|good|twin|late';
const PETS_PATTERN = PETS.split(' ')
  .map((pet) => (pet === 'puppy' ? 'pupp(?:y|ies)' : `${pet}s?`))
  .join('|');

const OWNER = "(?<owner>my|our|his|her|its|⟨\\d+⟩ 's)";
const PEOPLE_PATTERN = [...KIN.split(' '), ...CIRCLE.split(' ')]
  .map((noun) => `${noun}s?`)
  .join('|');
const NOUN = `(?:(?:${QUALITY}) )*(?<noun>${PEOPLE_PATTERN}|${PETS_PATTERN})`;
const NAMES = '(?<names>⟨\\d+⟩(?:(?: ,| and| , and) ⟨\\d+⟩)*)';
const all = (source: string): RegExp => new RegExp(`(?<![\\p{L}⟩])${source}`, 'gu');

/** Each with the groups owner, noun and names. */
export const BONDS: readonly RegExp[] = [
  all(
    // "My girlfriend, Toby and I are away": a list names no girlfriend.
    `${OWNER} ${NOUN}(?! , ⟨\\d+⟩ ,? ?and (?:i|me|my)\\b)` +
      `(?: ,)?(?: (?:is|are|was) (?:called|named)| called| named| 's name is| , ` +
      `(?:his|her|their) names? (?:is|are)| is|'? names are| ,)? ` +
      `${NAMES}(?! 's| (?:based|born)\\b)`,
  ),
  // "Max is my mother's cat": the mother owns, and is not named.
  all(
    `${NAMES}(?: ,)? (?:is|are|was|were) ${OWNER} ` +
      `${NOUN}(?![\\p{L}])(?! (?:⟨|called|named|['’]))`,
  ),
  // "Off to Wales, my dad has a cottage": a verb begins another clause.
  all(
    `(?<names>⟨\\d+⟩) , ${OWNER} ${NOUN}` +
      '(?= (?:,|;|who|whom|at|in|on|from|with|for|to|of)(?![\\p{L}])|$)',
  ),
  all(`(?<owner>the) (?:(?:two|three|four|other) )?(?<noun>${PETS_PATTERN}) ?,? ${NAMES}`),
  all(
    '(?<owner>i|we|he|she|⟨\\d+⟩) (?:have|has|got|own|owns|adopted) ' +
      `(?:a|an|two|three|four|\\d) (?:[a-z]+ )?${NOUN} ?,? ?(?:called|named|:)? ${NAMES}`,
  ),
];

/** "my favourite book is …", with the name of the book. */
export const FAVOURITES = all(
  `${OWNER} favou?rite (?<noun>[a-z]+(?: [a-z]+)?) (?:is|are|:|was) ` +
    '(?:(?<name>⟨\\d+⟩)|(?<phrase>[^⟨⟩,;.!?]{2,40}?)(?= (?:and|because|since|but|,|\\.|!)(?: ' +
    '|$)|$))',
);

const VALUED =
  'birthday|anniversary|deadline|due date|budget|launch|launch date|release|release ' +
  'date|go-live|wedding|appointment|exam|interview|demo|kickoff|limit|rent|salary|phone ' +
  'number|password hint|flight|start date';
const IS =
  '(?:is|are|was|will be|has been moved to|was moved to|moved to|has moved to|is set for|is ' +
  'scheduled for|is due)';

/** "my budget for the trip is 1,200 euros": owner or `for`, noun and value. */
export const VALUES = all(
  `(?<owner>my|our|the|its|his|her|⟨\\d+⟩ 's|⟨\\d+⟩) (?<noun>${VALUED})(?: (?:for|of) ` +
    `(?<of>(?:the |my |our )?(?:⟨\\d+⟩|[a-z]+)(?: project)?))? ${IS} ` +
    '(?<value>[^?!;⟨⟩]{2,80}?)(?= and (?:its|my|our|the|his|her|i|we|it)\\b| but | ,(?= )| ' +
    '\\.|$)',
);
/** A value holds a number or a date, and ends where something else begins. */
export function readValue(text: string): string | null {
  const value = text
    .replace(
      /^(?:(?:on|at|about|around|set to|for|to|scheduled for|only|exactly|approximately) )+/,
      '',
    )
    .split(/ (?:but|so|because|which|by the way)(?: |$)| ,(?! ?\d)| \.(?: |$)/u)[0]
    ?.trim();
  return value !== undefined && (/\d/.test(value) || DATED.test(value)) ? value : null;
}
const DATED =
  /\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|tomorrow|next week|next month)\b/;

/** "the ticket ORC-1, assigned to Ada": a passive verb between two names. */
export const PASSIVES = all(
  '⟨(?<first>\\d+)⟩ ?,? (?:which )?(?:(?:is|was|has been|were) )?' +
    '(?<verb>assigned|addressed|awarded|reported|written|designed|directed|composed|' +
    'painted|created|maintained|approved|reviewed|made) ' +
    '(?<prep>to|by) (?:the )?⟨(?<name>\\d+)⟩',
);
/** "Middlemarch by George Eliot". */
export const BY = all('⟨(?<first>\\d+)⟩ by ⟨(?<name>\\d+)⟩');

const TEAM =
  'colleague boss manager teammate coworker assistant lead designer developer accountant ' +
  'lawyer client customer supplier vendor';
/** "Our designer" is the team's; "our landlord" is the speaker's. */
export function isOfTeam(noun: string): boolean {
  return TEAM.split(' ').includes(singular(noun));
}

/** The singular and small form of a bond's noun: "dogs" → "dog". */
export function singular(noun: string): string {
  if (noun === 'boss') return noun;
  return noun.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** Whether such a noun may be a firm: "our client Globex". */
export function isFirm(noun: string): boolean {
  return /^(?:client|customer|supplier|vendor|employer|company|team|accountant|lawyer)$/.test(
    singular(noun),
  );
}

export function isPet(noun: string): boolean {
  return PETS.split(' ').includes(singular(noun));
}
