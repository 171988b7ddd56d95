import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isUnionType,
  parse,
  print,
} from 'graphql';

/** A page of the reference by its path, such as `reference/queries.md`. */
export type Pages = ReadonlyMap<string, string>;

const ROOTS = ['query', 'mutation', 'subscription'] as const;
type Root = (typeof ROOTS)[number];
const ROOT_PAGES: Readonly<Record<Root, string>> = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
};
/** Pages of the other types. The first that takes a type has it. */
const TYPE_PAGES: readonly {
  readonly page: string;
  readonly title: string;
  takes(type: GraphQLNamedType): boolean;
}[] = [
  { page: 'objects', title: 'Objects', takes: isObjectType },
  { page: 'inputs', title: 'Inputs', takes: isInputObjectType },
  { page: 'enums', title: 'Enums', takes: isEnumType },
  { page: 'others', title: 'Interfaces, unions, scalars', takes: () => true },
];

/** A text in the cell of a table. */
const cell = (text: string | null | undefined) =>
  (text ?? '').replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
const anchor = (name: string) => name.toLowerCase();

/**
 * The pages of the API reference. Each query, mutation and subscription has an example, which is
 * a whole and valid operation.
 */
export function referencePages(schema: GraphQLSchema): Pages {
  const pageOf = (type: GraphQLNamedType) => TYPE_PAGES.find(({ takes }) => takes(type))?.page;
  const link = (type: { toString(): string }) => {
    const named = getNamedType(type as GraphQLNamedType);
    return `[\`${type}\`](./${pageOf(named)}.md#${anchor(named.name)})`;
  };
  const pages = new Map<string, string>();
  const contents: string[] = [];
  const add = (page: string, title: string, sections: readonly string[]) => {
    contents.push(`- [${title}](./${page}.md): ${sections.length}`);
    pages.set(`reference/${page}.md`, `# ${title}\n\n${sections.join('\n\n')}\n`);
  };

  const roots = rootTypes(schema);
  for (const [root, type] of roots) {
    const fields = Object.values(type.getFields()).toSorted(byName);
    const title = `${root === 'query' ? 'Queries' : `${type.name}s`}`;
    add(
      ROOT_PAGES[root],
      title,
      fields.map((field) =>
        [
          `## ${field.name}`,
          field.description ?? '',
          `Type: ${link(field.type)}`,
          argumentTable(field.args, link),
          `\`\`\`graphql\n${exampleOf(root, field)}\n\`\`\``,
        ]
          .filter((part) => part !== '')
          .join('\n\n'),
      ),
    );
  }
  const rootNames = new Set(roots.map(([, { name }]) => name));
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !rootNames.has(type.name))
    .toSorted(byName);
  for (const { page, title } of TYPE_PAGES) {
    const own = types.filter((type) => pageOf(type) === page);
    add(
      page,
      title,
      own.map((type) => typeSection(schema, type, link)),
    );
  }
  pages.set(
    'reference/index.md',
    '# API reference\n\nMade from the schema. The conventions are told in [The ' +
      `API](../api.md).\n\n${contents.join('\n')}\n`,
  );
  return pages;
}

function rootTypes(schema: GraphQLSchema) {
  return ROOTS.flatMap((root) => {
    const type = {
      query: schema.getQueryType(),
      mutation: schema.getMutationType(),
      subscription: schema.getSubscriptionType(),
    }[root];
    return type ? [[root, type] as const] : [];
  });
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

type Link = (type: { toString(): string }) => string;

function argumentTable(args: readonly GraphQLArgument[], link: Link): string {
  if (args.length === 0) return '';
  const rows = args.map(
    ({ name, type, description }) => `| \`${name}\` | ${link(type)} | ${cell(description)} |`,
  );
  return `| argument | type | |\n|---|---|---|\n${rows.join('\n')}`;
}

function typeSection(schema: GraphQLSchema, type: GraphQLNamedType, link: Link): string {
  const parts = [`## ${type.name}`, type.description ?? ''];
  if (isEnumType(type)) {
    const rows = type
      .getValues()
      .map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`);
    parts.push(`| value | |\n|---|---|\n${rows.join('\n')}`);
  }
  if (isUnionType(type)) parts.push(`One of ${type.getTypes().map(link).join(', ')}.`);
  if (isScalarType(type) && type.specifiedByURL) parts.push(`Specified by ${type.specifiedByURL}.`);
  if (isObjectType(type) && type.getInterfaces().length > 0)
    parts.push(`Implements ${type.getInterfaces().map(link).join(', ')}.`);
  if (isInterfaceType(type))
    parts.push(`Implemented by ${schema.getPossibleTypes(type).map(link).join(', ')}.`);
  if (isObjectType(type) || isInterfaceType(type)) {
    const rows = Object.values(type.getFields()).map(
      ({ name, args, type: fieldType, description }) => {
        const names = args.map((one) => one.name).join(', ');
        const shown = names === '' ? name : `${name}(${names})`;
        return `| \`${shown}\` | ${link(fieldType)} | ${cell(description)} |`;
      },
    );
    parts.push(`| field | type | |\n|---|---|---|\n${rows.join('\n')}`);
  }
  if (isInputObjectType(type)) {
    const rows = Object.values(type.getFields()).map(
      ({ name, type: fieldType, description, defaultValue }) => {
        const fallback =
          defaultValue === undefined ? '' : ` Default: \`${JSON.stringify(defaultValue)}\`.`;
        return (
          `| \`${name}\` | ${link(fieldType)} | ` +
          `${cell(description)}${cell(fallback) && ` ${cell(fallback)}`} |`
        );
      },
    );
    parts.push(`| field | type | |\n|---|---|---|\n${rows.join('\n')}`);
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Depth of an example's selection: a payload, its object, that object's scalars. */
const DEPTH = 3;
/** Scalar fields that an example selects of one object. */
const LEAVES_MAX = 6;

/**
 * An operation that is valid as it stands: required arguments are variables, scalars are selected.
 */
export function exampleOf(root: Root, field: GraphQLField<unknown, unknown>): string {
  const wanted = field.args.filter((arg) => isRequiredArgument(arg) || arg.name === 'first');
  const variables = wanted.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const args = wanted.map(({ name }) => `${name}: $${name}`).join(', ');
  const name = `${field.name[0]?.toUpperCase()}${field.name.slice(1)}`;
  const head = `${root} ${name}${variables === '' ? '' : `(${variables})`}`;
  const call = `${field.name}${args === '' ? '' : `(${args})`}`;
  return print(parse(`${head} { ${call} ${selectionOf(getNamedType(field.type), DEPTH) ?? ''} }`));
}

/** The selection of a type, with braces; '' for a leaf, null where its depth allows none. */
function selectionOf(type: GraphQLNamedType, depth: number): string | null {
  if (isLeafType(type)) return '';
  if (isUnionType(type)) return '{ __typename }';
  if (!(isObjectType(type) || isInterfaceType(type)) || depth === 0) return null;
  const fields = Object.values(type.getFields()).filter(
    ({ args }) => !args.some(isRequiredArgument),
  );
  const leaves = fields.filter(({ type: of }) => isLeafType(getNamedType(of)));
  const chosen = leaves
    .toSorted((a, b) => Number(b.name === 'id') - Number(a.name === 'id'))
    .slice(0, LEAVES_MAX)
    .map(({ name }) => name);
  // Of a payload or a connection: its object, its problems or its nodes; of others only scalars.
  const isWrapper = /(?:Payload|Connection)$/.test(type.name);
  const inner = fields.flatMap(({ name, type: of }) => {
    if (!isWrapper || isLeafType(getNamedType(of)) || /edges?$/i.test(name)) return [];
    const selection = selectionOf(getNamedType(of), depth - 1);
    return selection === null ? [] : [`${name} ${selection}`];
  });
  const parts = [...chosen, ...inner];
  return parts.length === 0 ? '{ __typename }' : `{ ${parts.join(' ')} }`;
}
