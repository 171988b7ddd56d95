import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import graphqlPlugin from '@graphql-eslint/eslint-plugin';
import { type Change, CriticalityLevel, diff } from '@graphql-inspector/core';
import { ESLint, type Linter } from 'eslint';
import { buildSchema } from 'graphql';

const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));
const SCHEMA = 'schema/schema.graphql';
/**
 * The schema of the last release. A release replaces it by schema.graphql (CONTRIBUTING.md,
 * Release).
 */
const RELEASED = 'schema/released.graphql';

const rule = (name: string) => `@graphql-eslint/${name}`;
const RULES: Linter.RulesRecord = {
  [rule('relay-connection-types')]: 'error',
  // Lists that are no connections are short and complete: they need no edges.
  [rule('relay-edge-types')]: ['error', { listTypeCanWrapOnlyEdgeType: false }],
  [rule('relay-page-info')]: 'error',
  [rule('relay-arguments')]: 'error',
  [rule('naming-convention')]: [
    'error',
    {
      types: 'PascalCase',
      FieldDefinition: 'camelCase',
      InputValueDefinition: 'camelCase',
      DirectiveDefinition: 'camelCase',
      EnumValueDefinition: 'UPPER_CASE',
      'FieldDefinition[parent.name.value=Query]': {
        forbiddenPrefixes: ['query', 'get'],
        forbiddenSuffixes: ['Query'],
      },
      'FieldDefinition[parent.name.value=Mutation]': { forbiddenSuffixes: ['Mutation'] },
      'FieldDefinition[parent.name.value=Subscription]': { forbiddenSuffixes: ['Subscription'] },
    },
  ],
  [rule('require-description')]: [
    'error',
    {
      types: true,
      DirectiveDefinition: true,
      FieldDefinition: true,
      InputValueDefinition: true,
      EnumValueDefinition: true,
    },
  ],
  [rule('no-typename-prefix')]: 'error',
};

/**
 * Findings that are right as they are (docs/decisions/0052): a part of the messages. An entry that
 * matches no finding fails the check too.
 */
const EXCEPTIONS = [
  // The fact as a sentence, and the ids of documents S0 and S2: their names are those of Graphiti
  // and of the event formats.
  'Field "fact" starts with the name of the parent type "Fact"',
  'Field "entityType" starts with the name of the parent type "Entity"',
  'Field "gripId" starts with the name of the parent type "Grip"',
  'Field "toolCallId" starts with the name of the parent type "ToolCall"',
  // Names of other types, which begin with the same word.
  'Field "serviceTemplate" starts with the name of the parent type "Service"',
  'Field "serviceTemplateId" starts with the name of the parent type "Service"',
  'Field "toolTemplate" starts with the name of the parent type "Tool"',
  'Field "toolTemplateId" starts with the name of the parent type "Tool"',
];

/**
 * Problems of style in the text of a schema, as `line: message`. Exceptions are left out, and those
 * that match nothing are problems too.
 */
export async function lintSchema(
  text: string,
  exceptions: readonly string[] = EXCEPTIONS,
): Promise<string[]> {
  const eslint = new ESLint({
    cwd: CHECKOUT,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.graphql'],
        plugins: { '@graphql-eslint': graphqlPlugin as never },
        languageOptions: {
          parser: graphqlPlugin.parser as never,
          parserOptions: { graphQLConfig: { schema: text } },
        },
        rules: RULES,
      },
    ],
  });
  const results = await eslint.lintText(text, { filePath: SCHEMA });
  const found = results.flatMap(({ messages }) => messages);
  const isException = (message: string) => exceptions.some((one) => message.includes(one));
  return [
    ...found
      .filter(({ message }) => !isException(message))
      .map(({ line, message, ruleId }) => `${line}: ${message} (${ruleId})`),
    ...exceptions
      .filter((one) => !found.some(({ message }) => message.includes(one)))
      .map((one) => `The exception ${JSON.stringify(one)} matches nothing. Delete it.`),
  ];
}

/**
 * Breaking changes that the changelog does not announce. It announces a change by naming the field
 * or the type in backticks under Unreleased, as `Type.field`, or `field` for a query, mutation or
 * subscription.
 */
export async function unannouncedBreaks(
  released: string,
  current: string,
  changelog: string,
): Promise<string[]> {
  const changes = await diff(buildSchema(released), buildSchema(current));
  const named = namesIn(changelog);
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .filter((change) => !placesOf(change).some((place) => named.has(place)))
    .map(({ path, message }) => `${path}: ${message}`);
}

/** The names under which a change may be announced: its field, or its type. */
function placesOf({ path = '' }: Change): string[] {
  const [type = '', field = '', argument = ''] = path.split('.');
  const isRoot = ['Query', 'Mutation', 'Subscription'].includes(type);
  const fields = isRoot ? [field, `${field}.${argument}`] : [`${type}.${field}`];
  return [type, ...fields, path].filter((name) => name !== '' && !isRootType(name));
}
const isRootType = (name: string) => ['Query', 'Mutation', 'Subscription'].includes(name);

/** Names in backticks in the first section, `Unreleased`. */
function namesIn(changelog: string): Set<string> {
  const [, unreleased = ''] = changelog.split(/^## /m);
  const texts = [...unreleased.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z][\w.]*/g) ?? []));
}

/** `node stack/schema-rules.ts`: the rules of style, then the comparison with the last release. */
async function main(): Promise<number> {
  const read = (path: string) => readFileSync(`${CHECKOUT}${path}`, 'utf8');
  const [style, breaks] = await Promise.all([
    lintSchema(read(SCHEMA)),
    unannouncedBreaks(read(RELEASED), read(SCHEMA), read('CHANGELOG.md')),
  ]);
  for (const one of style) console.error(`${SCHEMA}:${one}`);
  for (const one of breaks)
    console.error(`CHANGELOG.md does not announce a breaking change under Unreleased. ${one}`);
  return style.length + breaks.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
