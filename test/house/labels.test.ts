import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  MARKS,
  type OwnerRule,
  READABLE,
  RECORDS,
  type RecordRow,
} from '../../src/ownership/labels.ts';
import { DAYS_OF } from '../../src/retention/retention.ts';
import { LAYER_LABELS } from '../../src/session-graph/layers/layer.ts';
import { CHECKOUT, readSources } from './source.ts';

/**
 * Labels without a row in RECORDS. A deletion scans all entries of the log, which expire with
 * entryRetentionDays or with their run. The others are of the installation; a deletion replaces the
 * user's id in them.
 */
const OTHER_LABELS = `
  User OutboxEntry DeadLetter DataRequest Settings Job Worker WorkerQueue MetricDefinition
  MetricTotal Counter Checkpoint Lease EventLabels EmbeddingState LoadedBundle Forgotten Migration
  IncompleteRestore`
  .trim()
  .split(/\s+/);

/** Labels of older versions, which migrations name. */
const FORMER_LABELS = ['BackgroundWait', 'FailedTask', 'TocWork'];

const MIGRATIONS = 'src/platform/neo4j/migrations/';

/** The statements of each file with Cypher; those of a .ts file are its template literals. */
function statementsOfFiles(): string[][] {
  const migrations = readdirSync(join(CHECKOUT, MIGRATIONS)).map((name) =>
    readFileSync(join(CHECKOUT, MIGRATIONS, name), 'utf8').split(/;$/m),
  );
  const sources = readSources().filter(
    ({ path }) => /^src\/.*\.cypher\.ts$/.test(path) || path.startsWith('src/platform/neo4j/'),
  );
  const templates = sources.map(({ path, text }) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isTemplateLiteral(node)) found.push(node.getText(file));
      else ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
  return [...migrations, ...templates].map((statements) =>
    statements.map((statement) => statement.replaceAll(/\/\/.*|\$\{[^{}]*\}/g, '')),
  );
}

const files = statementsOfFiles();
// A label has a small second letter, the type of a relationship has none.
const LABELS = /:([A-Z][a-z]\w*(?:[&|:][A-Z][a-z]\w*)*)/g;
const labelsIn = (text: string) =>
  [...text.matchAll(LABELS)].flatMap(([, labels = '']) => labels.split(/[&|:]/));

/** The properties that statements name of the nodes of one label. */
function propertiesOf(label: string): Set<string> {
  const found = new Set<string>();
  for (const statements of files) {
    const boundInFile = bindings(statements.join('\n'));
    for (const statement of statements) {
      const bound = bindings(statement);
      // A part of a statement uses variables that the others bind.
      const variables = bound.size > 0 || /\[\w+:/.test(statement) ? bound : boundInFile;
      for (const [variable, labels] of variables) {
        if (labels.size > 1 || !labels.has(label)) continue;
        const name = `(?<![\\w.$])${variable}`;
        for (const [, key = ''] of statement.matchAll(new RegExp(`${name}\\.(\\w+)`, 'g')))
          found.add(key);
        for (const [, map = ''] of statement.matchAll(new RegExp(`${name} ?\\{([^}]*)\\}`, 'g')))
          for (const [, key = ''] of map.matchAll(/(?<!\w)\.(\w+)/g)) found.add(key);
      }
      for (const [, labels = '', map = ''] of statement.matchAll(/\(\w*(:[\w:&]+) \{([^}]*)\}/g))
        if (labelsIn(labels).includes(label))
          for (const [, key = ''] of map.matchAll(/(\w+):/g)) found.add(key);
    }
  }
  return found;
}

/**
 * The labels that each variable is bound to. Marks and Resource stand beside a label of records.
 */
function bindings(text: string): Map<string, Set<string>> {
  const bound = new Map<string, Set<string>>();
  for (const [, variable = '', labels = ''] of text.matchAll(/\((\w+)(:[\w:&|]+)/g)) {
    const known = bound.get(variable) ?? new Set();
    for (const label of labelsIn(labels)) if (!Object.hasOwn(MARKS, label)) known.add(label);
    bound.set(variable, known);
  }
  return bound;
}

const records = RECORDS.map(({ label }) => label);

describe('the table of labels (docs/decisions/0102)', () => {
  it('has every label that Cypher names, and no other', () => {
    const table = new Set([...records, ...Object.keys(MARKS), ...OTHER_LABELS]);
    // A recording names them.
    const made = new Set<string>(LAYER_LABELS);
    const named = new Set(files.flat().flatMap(labelsIn));
    expect([...named].filter((label) => !table.has(label)).toSorted()).toEqual(FORMER_LABELS);
    expect([...table].filter((label) => !named.has(label) && !made.has(label))).toEqual([]);
  });

  it('marks and reads labels that it has', () => {
    const known = new Set([...records, ...OTHER_LABELS]);
    expect(Object.values(MARKS).flatMap((of) => of.filter((label) => !known.has(label)))).toEqual(
      [],
    );
    const readable = Object.keys(READABLE);
    expect(readable.filter((label) => !known.has(label) && !Object.hasOwn(MARKS, label))).toEqual(
      [],
    );
  });

  it.each(Object.entries(READABLE))(
    'says of each property of %s whether a query reads it',
    (label, { properties, internal }) => {
      const known = new Set([...properties, ...internal]);
      expect([...propertiesOf(label)].filter((property) => !known.has(property))).toEqual([]);
      expect(properties.filter((property) => internal.includes(property))).toEqual([]);
    },
  );

  it('deletes a part before the record that it is found by', () => {
    const foundBy = ({ by, ...rule }: OwnerRule): string[] => {
      if ('of' in rule) return [rule.of];
      return by === 'group' ? ['Conversation', 'Introspection'] : [];
    };
    const late = RECORDS.filter(({ owner }, index) =>
      foundBy(owner).some((whole) => !records.slice(index + 1).includes(whole)),
    );
    expect(late.map(({ kind }) => kind)).toEqual([]);
  });

  it('names every setting of retention', () => {
    const expiries = RECORDS.flatMap(({ expires = [] }) => expires);
    for (const setting of Object.values(DAYS_OF))
      expect([...expiries, 'entryRetentionDays']).toContain(setting);
  });

  it('stands in docs/graph.md', () => {
    const page = readFileSync(join(CHECKOUT, 'docs/graph.md'), 'utf8');
    const lines = page.split('\n');
    expect([...RECORDS.map(lineOf), ...Object.entries(MARKS).map(lineOfMark)]).toEqual(
      lines.filter((line) => /^\| [A-Z]\w+ \| /.test(line) && !line.startsWith('| Label ')),
    );
    for (const label of OTHER_LABELS) expect(page).toContain(label);
  });
});

function lineOf({ kind, label, owner, isInternal, expires }: RecordRow): string {
  const whole = 'of' in owner ? RECORDS.find((one) => one.label === owner.of) : undefined;
  const expiry = expires ?? whole?.expires ?? [];
  const cells = [label, wordsOf(owner), isInternal === true ? '' : kind, expiry.join(', ')];
  return `| ${cells.join(' | ')} |`.replaceAll('  ', ' ');
}

function lineOfMark([label, of]: [string, readonly string[]]): string {
  return `| ${label} | ${of.length === 0 ? 'all with an id of the API' : of.join(', ')} |`;
}

function wordsOf(owner: OwnerRule): string {
  switch (owner.by) {
    case 'edge':
      return '`OWNED_BY`';
    case 'property':
      return owner.holds === 'user' ? `\`${owner.key}\`` : `\`${owner.key}\`: the group`;
    case 'prefix':
      return `\`${owner.key}\` begins with the id`;
    case 'session':
      return '`owner_id`, `workspace`';
    case 'group':
      return '`group_id`, `OWNED_BY`';
    case 'part':
      return `\`(:${owner.of})${owner.edge}\``;
    case 'same':
      return `\`${owner.key}\` of a ${owner.of}`;
    case 'sharing':
      return `the ${owner.through} of no other user have it`;
  }
}
