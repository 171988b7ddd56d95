import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, openLanguage } from '../../packages/local-llm/src/language.ts';
import { findNames } from '../../packages/local-llm/src/names.ts';
import { lengthOf, readPrompt } from '../../packages/local-llm/src/prompt.ts';
import { keywords, weighText } from '../../packages/local-llm/src/rank.ts';
import { findRelations } from '../../packages/local-llm/src/relations.ts';
import { NO_ANSWER, NO_TEXT, respond, UNDERSTOOD } from '../../packages/local-llm/src/respond.ts';
import { shorten, summarize, wordCount } from '../../packages/local-llm/src/summary.ts';

const language = openLanguage();
const user = (content: string) => ({ role: 'user' as const, content });
const system = (content: string) => ({ role: 'system' as const, content });
const PLAIN = { shaped: false };
const TEXT = { type: 'text' } as const;
const answerTo = (...messages: Parameters<typeof respond>[1]) => respond(language, messages, TEXT);

const CURIE =
  'Marie Curie was born in Warsaw in 1867. She moved to Paris and worked with Pierre Curie at ' +
  'the Sorbonne. ' +
  'Curie won the Nobel Prize in 1903. Radium glows in the dark. Her notebooks are still ' +
  'radioactive today.';

describe('the local model reads text', () => {
  it('keeps paragraphs, list items and speeches apart, and joins wrapped lines', () => {
    expect(blocksOf('# Plan\nfirst line\nsecond line\n\n- one\n- two\nAda: hello\nthere')).toEqual([
      { block: 'Plan', speaker: null, isProse: true },
      { block: 'first line second line', speaker: null, isProse: true },
      { block: 'one', speaker: null, isProse: true },
      { block: 'two', speaker: null, isProse: true },
      { block: 'hello there', speaker: 'Ada', isProse: true },
    ]);
  });

  it.each([
    '{"exitCode":1,"stderr":"Error: Cannot find module"}',
    'const a = new Map();',
    '    at Module._load (node:internal/modules/cjs/loader:1024:27)',
    '<div class="a">Hello</div>',
    '| Name | Age |',
    '```ts\nlet Foo\n```',
  ])('tells code from language: %j', (line) => {
    expect(blocksOf(`Ada: Look at this.\n${line}`)[0]?.isProse).toBe(true);
    expect(blocksOf(line).some(({ isProse }) => isProse)).toBe(false);
    expect(blocksOf('He paid 5 dollars (or 6; he forgot).')[0]?.isProse).toBe(true);
  });

  it('reads texts of any length in time, and loses no word', () => {
    const endless = `${'word '.repeat(3_000)}${'x'.repeat(3_000)} end`;
    const { sentences } = language.parse(endless);
    const read = sentences.map(({ text }) => text).join(' ');
    expect(read.match(/word/g)).toHaveLength(3_000);
    expect(read.match(/x/g)).toHaveLength(3_000);
    expect(read).toMatch(/end$/);
  });

  it('finds people, places, organisations and made-up names', () => {
    const { sentences } = language.parse(`${CURIE} Zorblax Dynamics hired Ada Lindqvist.`);
    const kinds = new Map(findNames(sentences).entities.map(({ name, kind }) => [name, kind]));
    expect(kinds.get('Marie Curie')).toBe('person');
    expect(kinds.get('Warsaw')).toBe('place');
    expect(kinds.get('Zorblax Dynamics')).toBe('organization');
    expect(kinds.get('Ada Lindqvist')).toBe('person');
    expect([...kinds.keys()]).not.toEqual(expect.arrayContaining(['She', 'Her']));
  });

  const NO_NAMES = [
    'Great! Good idea. Glad to hear that. Check this. Bye!',
    "Hmm, how've you been? How've they been? Gonna go. Sooo nice. Lol. Congrats!",
    "What's up? Didn't they call? Deliveries are late. Config reloaded. Deploys take long.",
    'On Tuesday in May I spoke English and Italian with Mom. Thanks!',
    'The PR broke CI. FYI, the API returns JSON over HTTP.',
    'MEETING NOTES FOR MONDAY MORNING',
    '{"exitCode": 1, "stderr": "Error: Cannot find Module"}',
    'Ieri sono andato al mercato con mia sorella. Abbiamo comprato il pane.',
    '我昨天去了上海。',
  ];
  it.each(NO_NAMES)('takes no sentence start, interjection or code for a name: %j', (text) => {
    expect(findNames(language.parse(text).sentences).entities).toEqual([]);
  });

  it.each([
    ['I write C++ and C#, and play CS:GO.', ['C++', 'C#', 'CS:GO']],
    [
      'Node.js runs on macOS. We deployed v2.3.1 with Python 3.12.',
      ['Node.js', 'macOS', 'v2.3.1', 'Python 3.12'],
    ],
    ["O'Brien and Marie-Claire live in New York.", ["O'Brien", 'Marie-Claire', 'New York']],
    [
      'She studied Leonardo da Vinci at the University of Pisa.',
      ['Leonardo da Vinci', 'University of Pisa'],
    ],
    ['Hi Maria! Thanks Tom, yesterday Priya called.', ['Maria', 'Tom', 'Priya']],
    ['Rust is fast. We wrote it in Rust.', ['Rust']],
    ['We compared it with GPT-4-turbo.', ['GPT-4']],
    ['My boat is called canary-55c321a9-b05a.', ['canary-55c321a9-b05a']],
    ['Grace called. Docker is down since ten.', ['Grace']],
    [
      'The project "lighthouse" and the service `billing-api` are late.',
      ['lighthouse', 'billing-api'],
    ],
    [
      'It is a great help. The great Gatsby read "The Lord of the Rings".',
      ['Gatsby', 'The Lord of the Rings'],
    ],
  ])('finds whole names, and only those: %j', (text, names) => {
    const found = findNames(language.parse(text).sentences).entities;
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  it('sees the kind of a name by its words and those around it', () => {
    const text =
      'Maria joined Helmwerk. The project Phoenix starts. My dogs Daisy and Max sleep. Priya ' +
      'maintains it. ' +
      'We met at the Berlin Marathon. I flew to Cagliari. Phoenix Systems sells the iPhone 15.';
    const { entities } = findNames(language.parse(text).sentences);
    expect(Object.fromEntries(entities.map(({ name, kind }) => [name, kind]))).toMatchObject({
      Maria: 'person',
      Helmwerk: 'organization',
      Phoenix: 'project',
      Daisy: 'person',
      Max: 'person',
      Priya: 'person',
      'Berlin Marathon': 'event',
      Cagliari: 'place',
      'Phoenix Systems': 'organization',
    });
  });

  it('knows the names that the prompt lists, and takes none from a word written small', () => {
    const { sentences } = language.parse('Hope was there. We hope for a check.');
    expect(
      findNames(sentences, [{ name: 'Hope' }, { name: 'Check' }]).entities.map(({ name }) => name),
    ).toEqual(['Hope']);
  });

  it('finds relations, follows a pronoun, shares a verb over a list, drops a negation', () => {
    const { sentences } = language.parse(
      `${CURIE}\n\nAcme Corp. acquired Globex and Initech.\n\nAda: I live in Berlin. I don't ` +
        'like tea.',
    );
    const said = findRelations(sentences, findNames(sentences)).map(
      ({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`,
    );
    expect(said).toEqual(
      expect.arrayContaining([
        'Marie Curie | born in | Warsaw',
        'Marie Curie | lives in | Paris',
        'Marie Curie | worked with | Pierre Curie',
        'Acme Corp. | acquired | Globex',
        'Acme Corp. | acquired | Initech',
        'Ada | lives in | Berlin',
      ]),
    );
    expect(said.join('\n')).not.toContain('tea');
  });

  it('names the words a text is about', () => {
    const { sentences } = language.parse(
      'The telescope sees far. A telescope needs a mirror. The mirror is round.',
    );
    expect(keywords(weighText(sentences), 2).sort()).toEqual(['mirror', 'telescope']);
  });
});

describe('the local model reads prompts', () => {
  it.each([
    ['Summarise this in one sentence: A b c.', 'summarize'],
    ['TL;DR\n\nA long text.', 'summarize'],
    ['Extract all entities from the text below.\n\nText: Ada lives in Rome.', 'extract'],
    ['What are the keywords of this? <text>…</text>', 'keywords'],
    ['Task: title\n<text>Ada won.</text>', 'title'],
    ['Who won?', 'answer'],
  ])('%j asks to %s', (prompt, task) => {
    expect(readPrompt([user(prompt)], PLAIN).task).toBe(task);
  });

  it('takes the task from the system prompt when the user gives only text', () => {
    const reading = readPrompt([system('You summarise conversations.'), user(CURIE)], {
      shaped: false,
    });
    expect(reading).toMatchObject({ task: 'summarize', material: CURIE });
  });

  it('takes only the marked material', () => {
    const prompt = 'Summarise.\n<context>Ada won the race.</context>\nBe brief.';
    expect(readPrompt([user(prompt)], PLAIN).material).toBe('Ada won the race.');
  });

  it('reads how long an answer may be', () => {
    expect(lengthOf('in two sentences')).toEqual({ sentencesMax: 2 });
    expect(lengthOf('at most 50 words')).toEqual({ wordsMax: 50 });
    expect(lengthOf('targetCompressionRatio: 0.3')).toEqual({ ratio: 0.3 });
    const both = { charactersMax: 300, ratio: 0.2 };
    expect(lengthOf('to 20 % of its length, under 300 characters')).toEqual(both);
    expect(lengthOf('as you like')).toEqual({});
    expect(lengthOf('A note has at most 1,500 characters.')).toEqual({ charactersMax: 1_500 });
    expect(lengthOf('in a sentence')).toEqual({ sentencesMax: 1 });
    expect(lengthOf('in 1 sentences')).toEqual({ sentencesMax: 1 });
  });

  it.each([
    'Say only what was said, one point in each sentence.',
    'No two sentences make the same point.',
    'its facets, each a list of single words.',
    'Write every fact as a sentence of its own.',
    'Give two keywords, each in one word. Use one line per keyword.',
  ])('takes no length of a part for the length of all: %j', (instruction) => {
    expect(lengthOf(instruction)).toEqual({});
    expect(lengthOf(`${instruction} Summarise in 5 sentences.`)).toEqual({ sentencesMax: 5 });
  });

  it.each([
    ['Summarise: I wrote two sentences to him. He read 40 words.', undefined],
    ['Summarise in two sentences. Use at most 30 words.\nHe said 5 sentences.', 2],
    ['He said 5 sentences. Nobody heard.\nSummarise this in two sentences.', 2],
  ])('reads lengths from the instruction only: %j', (prompt, sentencesMax) => {
    const { length } = readPrompt([system('You summarise.'), user(prompt)], PLAIN);
    expect(length.sentencesMax).toBe(sentencesMax);
  });

  it('takes the material that was marked before a repair, and neither the prompt nor JSON', () => {
    const messages = [
      system('You write notes.'),
      user('Task: extract\n\nYour notes so far: none.\n<messages>\nAda won.\n</messages>'),
      { role: 'assistant' as const, content: '{"notes":[{"text":"Wrong."}]}' },
      user('Your answer could not be used: notes: is missing. Answer again with one JSON value.'),
    ];
    expect(readPrompt(messages, { shaped: true }).material).toBe('Ada won.');
    expect(readPrompt([user('Summarise.\n<text>\n</text>')], PLAIN).material).toBe('');
  });

  it('takes text beside the material for neither an instruction nor a question', () => {
    const prompt =
      'Summarise in 5 sentences.\n<before>\nWho? In one word.\n</before>\n<text>Ada won.</text>';
    expect(readPrompt([user(prompt)], PLAIN)).toMatchObject({
      task: 'summarize',
      question: '',
      material: 'Ada won.',
      length: { sentencesMax: 5 },
    });
  });
});

describe('the local model answers', () => {
  it('quotes a line of memory to the end of its quotation', () => {
    const line =
      'Ada: on 7 May 2026, correcting “I work at Axis”: "I quit my job at Axis. I joined Orbit."';
    const asked = user(`<context>\n${line}\n</context>\nWhere do I work?`);
    expect(answerTo(asked)).toBe(line);
    const longer =
      'Ann: on 7 May 2026: "Hi! I am Ann. Hello to all. Well. I rent a flat in Leeds."';
    const other = user(`<context>\n${longer}\n</context>\nWhere do I live?`);
    expect(answerTo(other)).toBe('Ann: I rent a flat in Leeds.');
  });

  // Memory finds them by the attribute that the question asks for.
  it.each([
    ['Who is my boss?', 'Beth left, so I report to Falk.'],
    ['What is my job?', 'I joined Orbit.'],
    ['Wo wohne ich?', 'Ich bin nach Kiel gezogen.'],
    ['¿Dónde vivo?', 'Me mudé a Lugo.'],
  ])('%j with the first memory, which has no word of it: %j', (question, said) => {
    const line = `Ada: on 7 May 2026: "${said}"`;
    const other = 'Ada: on 9 May 2026: "I had porridge at the Grand."';
    const context = system(`Quotations.\n<context>\n${line}\n${other}\n</context>`);
    expect(answerTo(context, user(question))).toBe(line);
  });

  // Met as a newcomer: an answer from the talk itself, before memory has read it.
  it.each([
    [['I live in Turku.', 'I moved to Oulu last week.'], 'Where do I live?', 1],
    [['I moved to Oulu.', 'My dentist is Dr. Vogel and I live in Turku.'], 'Where do I live?', 1],
    [['I live in Turku.', 'I might move to Oulu.'], 'Where do I live?', 0],
    [['I live in Turku.', 'I moved to Oulu in 2010.'], 'Where do I live?', 0],
    [['I live in Turku.', 'My sister moved to Oulu.'], 'Where do I live?', 0],
    [['I live in Turku.', 'I do not live in Turku any more.'], 'Where do I live?', 1],
    [['I work at Acme.', 'I joined Globex.'], 'Who is my employer?', 1],
    [['I am married to Ann.', 'I divorced Ann.'], 'Am I married?', 1],
  ])('answers %j, asked %j, with what holds now', (turns, question, holding) => {
    const understood = { role: 'assistant' as const, content: UNDERSTOOD };
    const talk = turns.flatMap((turn) => [user(turn), understood]);
    expect(answerTo(...talk, user(question))).toContain(turns[holding]);
  });

  it('a question without the questions that were asked before, quoted or not', () => {
    const recalled = [
      'My cousin Bram works at the harbour in Oslo.',
      'Where does my cousin Bram work?',
      'Do you know whether Bram works in Oslo?',
    ].map((said) => `Ada: on 12 May 2026: "${said}"`);
    const context = `<context>\n${recalled.join('\n')}\n</context>`;
    const answer = answerTo(system(context), user('Where does my cousin Bram work?'));
    expect(answer).toContain('harbour in Oslo');
    expect(answer).not.toContain('?');
  });

  it('a question with the sentence that holds the answer, word for word', () => {
    expect(answerTo(user(`<context>${CURIE}</context>\nWhere was Marie Curie born?`))).toBe(
      'Marie Curie was born in Warsaw in 1867.',
    );
  });

  it('from earlier turns of the conversation', () => {
    const messages = [
      user('My sister Olga works for Globex.'),
      { role: 'assistant' as const, content: 'Noted: x' },
    ];
    expect(answerTo(...messages, user('Who does Olga work for?'))).toBe(
      'My sister Olga works for Globex.',
    );
  });

  it('goes on with a conversation under a system prompt, which it never quotes', () => {
    const messages = [
      system(
        'You answer from what was said in this conversation, and from nothing else. The ' +
          'office is in Oslo.',
      ),
      user('My sister Olga works for Globex.'),
      { role: 'assistant' as const, content: 'Noted: My sister Olga works for Globex.' },
    ];
    const answer = (question: string) => answerTo(...messages, user(question), user(''));
    expect(answer('Where does Olga work?')).toBe('My sister Olga works for Globex.');
    expect(answer('Where is the office?')).toBe('The office is in Oslo.');
    expect(answer('What was said in this conversation?')).not.toMatch(/nothing else/);
    expect(answer('I am going to Lisbon tomorrow.')).toBe(UNDERSTOOD);
  });

  it('says that it does not know rather than invent', () => {
    expect(answerTo(user(`<context>${CURIE}</context>\nHow do volcanoes erupt?`))).toBe(NO_ANSWER);
    expect(answerTo(user('Summarise this:'))).toBe(NO_TEXT);
    expect(answerTo(user(''))).toBe(NO_TEXT);
  });

  it('a summary made of whole sentences of the text, in its order, within the asked length', () => {
    const { sentences } = language.parse(CURIE);
    const texts = sentences.map(({ text }) => text);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), (sentencesMax) => {
        const summary = summarize(weighText(sentences), { sentencesMax });
        const used = texts.filter((text) => summary.includes(text));
        expect(used.join(' ')).toBe(summary);
        expect(used).toHaveLength(Math.min(sentencesMax, texts.length));
      }),
    );
    expect(wordCount(summarize(weighText(sentences), { wordsMax: 20 }))).toBeLessThanOrEqual(20);
  });

  const TALK = [
    'ada: Hi there! How are you?',
    'Assistant: Good morning! Great to hear from you.',
    'ada: I moved to Berlin in 2016. Which bakery is open?',
    'Assistant: Noted: I moved to Berlin in 2016.',
    'ada: Thanks! We decided to use "Kafka" for **Phoenix**.',
    '{"exitCode": 1, "stderr": "Module not found"}',
    'Assistant: Understood. The tests pass: 212 passed, 3 skipped.',
    'Assistant: Noted, I have changed it: you move on 29 March.',
    'ada: Bye! Have a great day.',
  ].join('\n');
  it('a talk by the lines that say something, each with its speaker', () => {
    const lines = answerTo(user(`Summarise in 7 sentences.\n<text>\n${TALK}\n</text>`));
    expect(lines.split('\n')).toEqual([
      'ada: "I moved to Berlin in 2016."',
      'ada: "We decided to use \'Kafka\' for Phoenix."',
      'Assistant: "The tests pass: 212 passed, 3 skipped."',
      'Assistant: "I have changed it: you move on 29 March."',
    ]);
    const again = answerTo(user(`Summarise in 7 sentences.\n<text>\n${lines}\n</text>`));
    expect(again).toBe(lines);
    const bullets = answerTo(user(`Summarise in 2 bullet points.\n<text>\n${lines}\n</text>`));
    expect(bullets).toMatch(/^- ada: ".+"\n- (?:ada|Assistant): ".+"$/);
  });

  it('any text at all without failing, and always the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 4 }),
        (texts) => {
          const messages = texts.map(user);
          expect(answerTo(...messages)).toBe(answerTo(...messages));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never cuts a text longer than asked nor inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(50), (text, most) => {
        const cut = shorten(text, most);
        expect(cut.length).toBeLessThanOrEqual(Math.max(most, 0));
        if (most >= 8) expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
