import type { EntityKind } from './name-kinds.ts';

/**
 * One way in which a sentence says a fact: the words after the subject. In `pattern`, `@` is a name
 * (`@1` and `@2` where there are two), `#` a noun phrase, `~` up to four words, `%` an article or
 * possessive.
 */
export interface Frame {
  readonly relation: string;
  readonly pattern: RegExp;
  /** The fact after its subject; `@` and `#` as in the pattern. */
  readonly says: string;
  /** The same of a fact that has ended. */
  readonly said: string;
  /** start = it began then, end = it ceased then, past = it held then, event = it happened. */
  readonly turn: 'state' | 'start' | 'end' | 'past' | 'event';
  /** Only between a subject and an object of these kinds; `other` fits all but a project. */
  readonly object?: EntityKind;
  readonly subject?: 'person';
  /** "We use" is said of the speaker's team. */
  readonly ofTeam?: true;
}

const AT =
  '(?:% )?' +
  '(?:(?:used|second-hand|small|big|little|red|blue|black|white|green|local|own|whole) )?' +
  '(?:(?:project|company|startup|team|service|app|town|city|village|' +
  'library|tool|language|band|firm|clinic|shop|bakery) )?';
function compiled(pattern: string): RegExp {
  const source = pattern
    .replaceAll('%', '(?:a|the|my|our|his|her|their|its|this|new|old|some)')
    .replaceAll('~', "(?: (?!not |to )[\\p{L}\\d'’-]+){0,4}?")
    .replaceAll('@1', '⟨(?<first>\\d+)⟩')
    .replaceAll('@2', '⟨(?<name>\\d+)⟩')
    .replaceAll('@', '⟨(?<name>\\d+)⟩')
    .replaceAll(
      '#',
      '(?<phrase>[^⟨⟩,;.!]+?)(?= ' +
        '(?:and|or|at|in|on|with|for|since|because|from|when|but|as|every|by|near|more|most|a ' +
        'lot|,|\\.|!)(?: |$)|$)',
    );
  return new RegExp(`^${source}(?![\\p{L}])`, 'u');
}

type Options = Pick<Frame, 'object' | 'subject' | 'ofTeam'>;
const frame =
  (turn: Frame['turn']) =>
  (relation: string, pattern: string, says: string, said = says, options: Options = {}): Frame => ({
    relation,
    pattern: compiled(pattern),
    says,
    said,
    turn,
    ...options,
  });
const [state, past] = [frame('state'), frame('past')];
const [start, end, event] = [frame('start'), frame('end'), frame('event')];

/** Tried in order; the first that fits a clause is its fact. */
export const FRAMES: readonly Frame[] = [
  // Homes.
  start('LIVES_IN', `mov(?:e|ed|ing)~ from @1 to ${AT}@2`, 'moved from @1 to @', 'lived in @'),
  start('WORKS_ON', `(?:move|moved|switched) (?:over )?to ${AT}@`, 'moved to @', 'worked on @', {
    object: 'project',
  }),
  start('LIVES_IN', `(?:moved|relocated)~ to ${AT}@`, 'moved to @', 'lived in @'),
  end(
    'LIVES_IN',
    `(?:moved|move) (?:away |out )?(?:from|of) ${AT}@`,
    'moved away from @',
    'lived in @',
  ),
  state(
    'LIVES_IN',
    `(?:live|lives|living|reside|resides|residing)~ (?:in|near|at) ${AT}@`,
    'lives in @',
    'lived in @',
  ),
  past('LIVES_IN', `lived~ in ${AT}@`, 'lived in @'),
  event('BORN_IN', `(?:was |were |is )?born(?: and raised)? (?:in|near) ${AT}@`, 'was born in @'),
  event('GREW_UP_IN', `(?:grew up|was raised) in ${AT}@`, 'grew up in @'),
  state(
    'COMES_FROM',
    `(?:am|is|are|come|comes) (?:originally )?from ${AT}@`,
    'is from @',
    'was from @',
    { subject: 'person' },
  ),
  // Work.
  end(
    'WORKS_AT',
    '(?:left|quit|resigned from|was fired from|was laid off (?:from|by)|got laid off ' +
      `(?:from|by)|departed) (?:%? ?(?:job|position) (?:at|with) )?${AT}@`,
    'left @',
    'worked at @',
    { object: 'organization' },
  ),
  end('WORKS_ON', `(?:left|quit) ${AT}@`, 'left @', 'worked on @', { object: 'project' }),
  state('WORKS_ON', `(?:work|works|working)~ on ${AT}@`, 'works on @', 'worked on @'),
  past('WORKS_ON', `worked~ on ${AT}@`, 'worked on @'),
  state('WORKS_AT', `(?:work|works|working)~ (?:for|at) ${AT}@`, 'works at @', 'worked at @'),
  past('WORKS_AT', `worked~ (?:for|at) ${AT}@`, 'worked at @'),
  state('WORKS_AT', `(?:am|is|are|was) employed (?:by|at) ${AT}@`, 'works at @', 'worked at @'),
  start(
    'WORKS_AT',
    `(?:joined|joining|joins|started at|began at|started working (?:at|for)) ${AT}@`,
    'joined @',
    'worked at @',
    { object: 'organization' },
  ),
  start(
    'WORKS_AT',
    '(?:got|have|has|took|accepted|started|found|landed) (?:%|a new) (?:[a-z]+ ' +
      `)?(?:job|position|role|contract)~ (?:at|with) ${AT}@`,
    'works at @',
    'worked at @',
  ),
  state(
    'WORKS_AT',
    `(?:am|is) (?:% )?(?:(?!in |on |at )[a-z-]+ ){1,4}?(?:at|for) ${AT}@`,
    'works at @',
    'worked at @',
    { subject: 'person' },
  ),
  state('REPORTS_TO', `reports? to ${AT}@`, 'reports to @', 'reported to @'),
  state(
    'LEADS',
    '(?:lead|leads|leading|led|run|runs|running|manage|manages|managing|head|heads|am in ' +
      'charge of|is in charge of|am responsible for|is responsible for|am leading|is leading) ' +
      `${AT}@`,
    'leads @',
    'led @',
  ),
  start(
    'WORKS_AT',
    '(?:start|starts|am starting|is starting|begin|begins|will start|will work|will begin)(?: ' +
      `work| working| a new job)? (?:at|with|for) ${AT}@`,
    'starts at @',
    'worked at @',
  ),
  state('WORKS_AT', `(?:am|is) (?:working )?at ${AT}@`, 'is at @', 'was at @', {
    subject: 'person',
    object: 'organization',
  }),
  // Schools.
  state(
    'STUDIES_AT',
    `(?:study|studies|studying|am studying|is studying)~ at ${AT}@`,
    'studies at @',
    'studied at @',
  ),
  event('STUDIED_AT', `(?:studied|graduated)~ (?:at|from) ${AT}@`, 'studied at @'),
  // People.
  end(
    'MARRIED_TO',
    `(?:divorced|got divorced from|broke up with|separated from) @`,
    'is no longer with @',
    'was with @',
  ),
  start(
    'MARRIED_TO',
    `(?:am |is |was |got |were )?married (?:to )?@`,
    'is married to @',
    'was married to @',
  ),
  start('ENGAGED_TO', `(?:am |is |got |are )?engaged to @`, 'is engaged to @', 'was engaged to @'),
  start(
    'ENGAGED_TO',
    `(?:am |is |are )?(?:getting married to|marrying|going to marry|will marry|marries) @`,
    'is going to marry @',
    'was engaged to @',
  ),
  state('DATING', `(?:am |is |are |started )?dating @`, 'is dating @', 'dated @'),
  // Software.
  start(
    'USES',
    `(?:migrat|switch|mov|chang)(?:e|ed|ing)~ from ${AT}@1 to ${AT}@2`,
    'switched from @1 to @',
    'used @',
    { ofTeam: true },
  ),
  start(
    'USES',
    `replac(?:e|ed|es|ing) ${AT}@1 (?:with|by) ${AT}@2`,
    'replaced @1 with @',
    'used @',
    { ofTeam: true },
  ),
  start('USES', `(?:migrated|switched) (?:over )?to ${AT}@`, 'switched to @', 'used @', {
    ofTeam: true,
  }),
  end(
    'USES',
    `(?:stopped using|dropped|ditched|retired|got rid of|cancelled|canceled|decommissioned) ${AT}@`,
    'stopped using @',
    'used @',
    { ofTeam: true },
  ),
  state(
    'HOSTED_ON',
    `(?:is|are) (?:hosted|deployed|running) (?:on|in|by|at) ${AT}@`,
    'is hosted on @',
    'was hosted on @',
  ),
  state('RUNS_ON', `(?:run|runs|running) (?:on|in|under) ${AT}@`, 'runs on @', 'ran on @', {
    ofTeam: true,
  }),
  state(
    'WRITTEN_IN',
    `(?:is|are|was) (?:written|built|implemented|made) (?:in|with|on) ${AT}@`,
    'is written in @',
  ),
  state(
    'DEPENDS_ON',
    `(?:depend|depends|rely|relies|is based|are based|builds?) on ${AT}@`,
    'depends on @',
    'depended on @',
    { ofTeam: true },
  ),
  state('USES', `(?:use|uses|using|am using|is using|are using) ${AT}@`, 'uses @', 'used @', {
    ofTeam: true,
  }),
  past('USES', `used ${AT}@`, 'used @', 'used @', { ofTeam: true }),
  // Possessions.
  end('OWNS', `(?:have |has )?sold ${AT}@`, 'sold @', 'owned @'),
  end(
    'OWNS',
    `(?:have |has )?(?:gave away|lost|scrapped|returned) ${AT}@`,
    'no longer owns @',
    'owned @',
  ),
  start(
    'OWNS',
    `(?:have |has )?(?:bought|purchased|got) (?:myself |himself |herself )?${AT}@`,
    'bought @',
    'owned @',
  ),
  state('OWNS', `(?:own|owns|drive|drives) ${AT}@`, 'owns @', 'owned @'),
  // Tastes.
  state(
    'ALLERGIC_TO',
    `(?:am|is|are) (?:highly |severely )?(?:allergic|intolerant) to (?:@|#)`,
    'is allergic to @#',
    'was allergic to @#',
  ),
  state(
    'LIKES',
    '(?:like|likes|love|loves|loved|enjoy|enjoys|enjoyed|adore|adores|am a fan of|is a fan ' +
      'of) (?:was )?(?:%? ?@|(?!% )#)',
    'likes @#',
    'liked @#',
    { subject: 'person' },
  ),
  state(
    'DISLIKES',
    `(?:hate|hates|dislike|dislikes|detest|detests) (?:%? ?@|(?!% )#)`,
    'dislikes @#',
    'disliked @#',
    { subject: 'person' },
  ),
  state('PREFERS', `(?:prefer|prefers) (?:%? ?@|(?!% )#)`, 'prefers @#', 'preferred @#', {
    subject: 'person',
  }),
  state(
    'PLAYS_IN',
    `(?:play|plays|sing|sings|dance|dances)~ (?:in|with|for) (?:% (?:[a-z]+ ){1,2}called )?${AT}@`,
    'plays in @',
    'played in @',
  ),
  state('PLAYS', `(?:play|plays|am playing|is playing) (?:(?:the )?@|#)`, 'plays @#', 'played @#', {
    subject: 'person',
  }),
  state(
    'LEARNS',
    `(?:am |is |started )?(?:learn|learns|learning|studying|study|studies) (?:to )?(?:@|#)`,
    'is learning @#',
    'learned @#',
    { subject: 'person' },
  ),
  // Journeys and plans.
  event(
    'VISITED',
    '(?:have |has )?(?:visited|went to|travelled to|traveled to|flew to|drove to|been ' +
      `to|toured) ${AT}@`,
    'visited @',
  ),
  event(
    'VISITED',
    '(?:am |is |came |got )?(?:back )?(?:from )?(?:%? ' +
      `?(?:weekend|trip|holiday|vacation|week|days)) (?:in|to) ${AT}@`,
    'was in @',
  ),
  event(
    'PLANS_TO_VISIT',
    '(?:(?:fly|go|travel|drive) to|will (?:visit|go to|fly to|travel to)|(?:am |are |is ' +
      ')?(?:going|flying|travelling|traveling|driving) to(?: visit| see| fly to| travel ' +
      'to)?|(?:am |are |is )?(?:planning|plan|plans|want|wants|intend|intends) to (?:visit|go ' +
      `to|fly to|travel to|see)) ${AT}@`,
    'plans to visit @',
  ),
  event('VISITED', `(?:am |is |are |came |got )?back from ${AT}@`, 'was in @'),
  // Things.
  state('LOCATED_IN', `is (?:% )(?:[a-z-]+ ){1,3}in ${AT}@`, 'is in @', 'was in @', {
    object: 'place',
  }),
  state(
    'LOCATED_IN',
    `(?:is|are)(?: (?:located|based|headquartered|situated))? (?:in|near) ${AT}@`,
    'is in @',
    'was in @',
    { object: 'place' },
  ),
];
