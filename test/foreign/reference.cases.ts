import type { ForeignCase } from './foreign-case.ts';

/** What a text of a step's inputs is read as. */
export interface InputText {
  readonly text: string;
  readonly inForEach?: boolean;
}

/** The reference that the message names; `refused` where none is known; `text` where it is sent. */
export type Meant = { readonly meant: string } | 'refused' | 'text' | 'reference';

/**
 * Steps before have the outputs `v` and `names`, and one with the id `find` has the output `found`;
 * the context has `a`, `article`, `price` and `same`, which is the id of a step too.
 */
export const INPUT_TEXTS: readonly ForeignCase<InputText, Meant>[] = (
  [
    ['double braces', 'n8n-io/n8n#18181', '{{context.a}}', { meant: '{context.a}' }],
    ['three braces', 'own', '{{{context.a}}}', { meant: '{context.a}' }],
    ['blanks inside', 'argoproj/argo-workflows#5169', '{ context.a }', { meant: '{context.a}' }],
    [
      'a blank at the end',
      'argoproj/argo-workflows#5169',
      '{context.a }',
      { meant: '{context.a}' },
    ],
    [
      'a key with other letters',
      'n8n-io/n8n#16262',
      '{step.v.größe}',
      { meant: '{step.v["größe"]}' },
    ],
    ['a key that is an emoji', 'n8n-io/n8n#16262', '{step.v.🌍}', { meant: '{step.v["🌍"]}' }],
    [
      'a key with a blank',
      'guigrpa/docx-templates#434',
      '{step.v.first name}',
      { meant: '{step.v["first name"]}' },
    ],
    ['a known name with a path', 'own', '{v.order}', { meant: '{step.v.order}' }],
    ['an index in brackets', 'own', '{step.v.order[0]}', 'reference'],
    ['a key in brackets', 'twentyhq/twenty#17361', '{step.v["key with space"]}', 'reference'],
    ['a key in single quotes', 'openai/codex-action#33', "{step.v['final-message']}", 'reference'],
    ['a key with a hyphen', 'argoproj/argo-workflows#5804', '{step.v.secret-name}', 'reference'],
    ['a key of digits', 'kestra-io/kestra#6638', '{step.v["2nd"]["value"]}', 'reference'],
    ['an upper case root', 'own', '{Context.a}', { meant: '{context.a}' }],
    ['a root in plural', 'own', '{steps.v}', { meant: '{step.v}' }],
    [
      'a mistyped root',
      'argoproj/argo-workflows#10482',
      '{contxt.article}',
      { meant: '{context.article}' },
    ],
    ['an item without forEach', 'own', '{item}', 'refused'],
    ['an item with keys without forEach', 'argoproj/argo-workflows#9015', '{item.path}', 'refused'],
    [
      'an expression of n8n',
      'n8n-io/n8n#18181',
      '{{$json.article}}',
      { meant: '{context.article}' },
    ],
    [
      'an expression of n8n with a key',
      'qdrant/qdrant#6717',
      '{{$json["price"]}}',
      { meant: '{context.price}' },
    ],
    [
      'an expression of n8n without braces',
      'czlonkowski/n8n-mcp#677',
      '$json.body.article',
      { meant: '{context.article}' },
    ],
    [
      'an expression of Argo',
      'argoproj/argo-workflows#9015',
      '{{inputs.parameters.article}}',
      { meant: '{context.article}' },
    ],
    [
      'an output of Argo',
      'argoproj/argo-workflows#5169',
      '{{ steps.names.outputs.result }}',
      { meant: '{step.names.outputs.result}' },
    ],
    [
      'an expression of Kestra',
      'kestra-io/kestra#5991',
      "{{ outputs['names'] }}",
      { meant: '{step.names}' },
    ],
    [
      'an expression of GitHub',
      'openai/codex-action#33',
      '${{ steps.names.outputs.x }}',
      { meant: '{step.names.outputs.x}' },
    ],
    [
      'a variable of JavaScript',
      'czlonkowski/n8n-mcp#338',
      '${context.price}',
      { meant: '{context.price}' },
    ],
    ['a variable of a shell', 'own', '$context.a', { meant: '{context.a}' }],
    ['angle brackets', 'own', '<<article>>', { meant: '{context.article}' }],
    [
      'a bare name in double braces inside a text',
      'langfuse/langfuse#850',
      'In short: {{article}}',
      'text',
    ],
    [
      'a bare name as the whole text',
      'pezzolabs/pezzo#57',
      '{article}',
      { meant: '{context.article}' },
    ],
    ['a bare name inside a text', 'langfuse/langfuse#850', 'Dear {article}', 'text'],
    [
      'names of a prompt',
      'langchain-ai/langchain#32702',
      'Use {context} to answer {question}',
      'text',
    ],
    [
      'other names with dots',
      'langchain-ai/langchain#32702',
      '{config.setting} = "production"',
      'text',
    ],
    ['a template of another system', 'argoproj/argo-workflows#1239', 'name: {{.WorkerID}}', 'text'],
    ['JSON', 'langchain-ai/langchain#700', '{"a": {"b": [1, {}]}}', 'text'],
    ['mathematics', 'langchain-ai/langchain#32702', '{x | x ∈ ℝ}', 'text'],
    ['a class', 'langchain-ai/langchain#2048', 'class A {\npublic:\n  void a();\n};', 'text'],
    ['a variable of a shell that is no name of ours', 'own', 'cd ${HOME}', 'text'],
    ['a quoted reference', 'langchain-ai/langchain#1660', '{"{context.a}"}', 'text'],
    ['a brace too many before', 'own', '{{context.a}', { meant: '{context.a}' }],
    ['a brace too many after', 'own', '{context.a}}', { meant: '{context.a}' }],
    ['a brace too many in a sentence', 'own', 'Of {context.a}}.', { meant: '{context.a}' }],
    ['a reference as a member of JSON', 'own', '{"b": {"a": {context.a}}}', 'reference'],
    ['a brace that nothing closes', 'own', '{context.a', { meant: '{context.a}' }],
    [
      'an open brace in a sentence',
      'own',
      'On {context.article, in short',
      { meant: '{context.article}' },
    ],
    ['a brace that nothing opens', 'own', 'context.a}', { meant: '{context.a}' }],
    ['a path without braces', 'own', 'step.v.order', { meant: '{step.v.order}' }],
    ['lines inside braces', 'own', '{\n  context.a\n}', { meant: '{context.a}' }],
    ['lines inside double braces', 'own', '{{\n  context.a\n}}', { meant: '{context.a}' }],
    ['a short root', 'own', '{ctx.a}', { meant: '{context.a}' }],
    ['a root of variables', 'own', '{vars.a}', { meant: '{context.a}' }],
    ['a root of inputs', 'own', 'On {inputs.article}', { meant: '{context.article}' }],
    ['a root of outputs', 'own', '{output.v}', { meant: '{step.v}' }],
    ['the step before', 'own', '{previous.v}', { meant: '{step.v}' }],
    ['a step id as root', 'own', '{find.output}', { meant: '{step.found}' }],
    ['a step id with a key', 'own', '{find.output.title}', { meant: '{step.found.title}' }],
    ['a step id alone', 'own', '{find}', { meant: '{step.found}' }],
    ['a step id in plural', 'own', '{steps.find}', { meant: '{step.found}' }],
    [
      'an output of a step id',
      'own',
      '{{ steps.find.outputs.found.x }}',
      { meant: '{step.found.x}' },
    ],
    ['a known name with a path in a sentence', 'own', 'Dear {found.name}', 'text'],
    ['a known name with a path in double braces', 'own', 'Dear {{found.name}}', 'text'],
    ['an index from the end', 'own', '{step.v[-1]}', 'refused'],
    ['every element', 'own', '{step.v[*].name}', 'refused'],
    ['a slice', 'own', '{step.v[0:2]}', 'refused'],
    ['a filter', 'own', '{context.a | upper}', { meant: '{context.a}' }],
    ['a call', 'own', '{step.v.names.join(", ")}', { meant: '{step.v.names}' }],
    ['a default', 'own', '{context.a ?? 1}', { meant: '{context.a}' }],
    ['an optional path', 'own', '{step.v?.order}', { meant: '{step.v.order}' }],
    ['a first name in brackets', 'own', '{context["a"]}', { meant: '{context.a}' }],
    ['a template of Jinja', 'own', '{% context.a %}', { meant: '{context.a}' }],
    ['percent signs', 'own', '%context.a%', { meant: '{context.a}' }],
    ['a path of JSON', 'own', '$.context.a', { meant: '{context.a}' }],
    ['n8n without braces', 'n8n-io/n8n#18181', '$json.article', { meant: '{context.article}' }],
    [
      'n8n with an equals sign',
      'n8n-io/n8n#18181',
      '={{ $json.article }}',
      { meant: '{context.article}' },
    ],
    [
      'a node of n8n',
      'own',
      "{{ $node['find'].json.title }}",
      { meant: '{step.found.json.title}' },
    ],
    ['Dify', 'own', '{{#ctx.a#}}', { meant: '{context.a}' }],
    ['a flow input of Windmill', 'own', 'flow_input.a', { meant: '{context.a}' }],
    ['a result of Windmill', 'own', 'results.find.title', { meant: '{step.found.title}' }],
    [
      'an output of Kestra',
      'kestra-io/kestra#5991',
      '{{ outputs.find.title }}',
      { meant: '{step.found.title}' },
    ],
    ['an input of Kestra', 'kestra-io/kestra#5991', '{{ inputs.a }}', { meant: '{context.a}' }],
    [
      'an output of GitHub',
      'openai/codex-action#33',
      '${{ steps.find.outputs.b }}',
      { meant: '{step.found.b}' },
    ],
    ['a secret of GitHub', 'own', '${{ secrets.TOKEN }}', 'text'],
    ['a result of Dify', 'own', '{{#sys.query#}}', 'text'],
    ['an unknown root in braces', 'own', '{vars.other} and {output.other}', 'text'],
    ['a query of Cypher', 'own', 'MATCH (n:Item {name: $name}) RETURN n {.title}', 'text'],
    ['a style sheet', 'own', 'a { color: red }\nb.context { top: 0 }', 'text'],
    ['a query of GraphQL', 'own', 'query { item { id context { a } } }', 'text'],
    ['a string of Ruby', 'own', 'puts "#{name} and #{user.name}"', 'text'],
    ['a variable of Windows', 'own', 'cd %PATH% && echo %context%', 'text'],
    ['a pattern of SQL', 'own', "LIKE '%item.%' OR LIKE '%step.other%'", 'text'],
    ['money', 'own', 'It costs $5, or $context', 'text'],
    ['a path of JSON for other data', 'own', '$.store.book[*].author', 'text'],
    ['a path of JSON with a list of items', 'own', '$.items[0].name', 'text'],
    ['code over lines', 'own', 'function draw(c) {\n  context.save();\n  c.fill();\n}', 'text'],
    ['an open brace of code', 'own', 'if (a) {\n', 'text'],
    ['a file name', 'own', 'results.csv', 'text'],
    ['a sentence with a dot', 'own', 'Read the context.a of it', 'text'],
    ['Liquid', 'own', '{% for item in items %}x{% endfor %}', 'text'],
    ['YAML', 'own', 'a: {b: 1, c: [step, context]}', 'text'],
    ['streams of C++', 'own', 'Explain: cout << found >> article;', 'text'],
    ['a member in braces of code', 'own', 'Explain: struct S { found.x }', 'text'],
    ['Ruby', 'own', 'Explain: Ruby "#{found.name}"', 'text'],
    ['Kotlin', 'own', 'Explain: "${found.name}"', 'text'],
    ['a template of JavaScript', 'own', 'Explain: `Hello ${article.name}`', 'text'],
    ['an alias in a template of JavaScript', 'own', 'Explain: `${result.v} ${input.a}`', 'text'],
    ['a section of Mustache', 'own', 'Explain: {{#found}}x{{/found}}', 'text'],
    ['a name in angle brackets', 'own', 'Explain: x <<found>> y', 'text'],
    ['a loop', 'own', 'for (x) { v.article }', 'text'],
    ['an assignment', 'own', 'if (a) { result.v = 1; }', 'text'],
    ['an assignment before a block', 'own', 'if (a) { result.v = { x', 'text'],
    ['a call of a canvas', 'own', 'Explain: on(() => { context.save(); })', 'text'],
    ['a call of a canvas with a known name', 'own', 'Explain: { context.a = 1; }', 'text'],
    ['a question about code', 'own', 'What is {article.length}?', 'text'],
    ['JSX', 'own', 'Explain: <p>{result.v}</p>', 'text'],
    ['a word near a root', 'own', 'What is {content.article}?', 'text'],
    ['an input of GitHub in a text', 'own', 'Explain: ${{ inputs.other }}', 'text'],
    ['a variable of PHP', 'own', 'Explain: echo $item.name', 'text'],
    ['a reference with blanks in a text', 'own', 'On { context.a }', { meant: '{context.a}' }],
    ['double braces in a text', 'own', 'On {{ context.a }}.', { meant: '{context.a}' }],
    ['a filter in a text', 'own', 'On {context.a | upper}.', { meant: '{context.a}' }],
    ['an alias in double braces', 'own', 'On {{input.a}}.', { meant: '{context.a}' }],
    ['a mistyped root in a text', 'own', 'On {contxt.article}.', { meant: '{context.article}' }],
    [
      'a filter behind a bare name',
      'own',
      '{{ article | upcase }}',
      { meant: '{context.article}' },
    ],
    ['a filter with a value', 'own', '{{found.x | default: "a"}}', { meant: '{step.found.x}' }],
    ['a filter in single braces', 'own', ' {article | upper} ', { meant: '{context.article}' }],
    [
      'a name of the context that is a step id too',
      'own',
      '{context.same | upper}',
      { meant: '{context.same}' },
    ],
    ['a channel', 'own', '#{context.a}', 'reference'],
    ['a mention', 'own', '@{context.a}', 'reference'],
    ['a number after a sign', 'own', 'Issue #{step.v.number}', 'reference'],
    ['an amount in dollars', 'own', '{"$"}{context.price}', 'reference'],
  ] as const
).map(([title, source, text, right]) => ({ title, source, input: { text }, right }));

/** Templates that can not be read, and the hint of their message. */
export const TEMPLATES: readonly ForeignCase<string, RegExp | null>[] = [
  {
    title: 'a brace after a value',
    source: 'Handlebars-Net/Handlebars.Net#346',
    input: '{"key": {{value}}}',
    right: /Put a space between }} and }\./,
  },
  {
    title: 'two braces after a value',
    source: 'handlebars-lang/handlebars.js#2012',
    input: '{"b":{"c":{{xxx}}}}',
    right: /Put a space between }} and }\./,
  },
  {
    title: 'a brace before a value',
    source: 'handlebars-lang/handlebars.js#437',
    input: '{{{something}}',
    right: /Put a space between { and {{\./,
  },
  { title: 'a list index', source: 'own', input: '{{order[0]}}', right: /Write order\.\[0\]/ },
  {
    title: 'an index behind a dot',
    source: 'own',
    input: '{{order.0}}',
    right: /Write order\.\[0\]/,
  },
  {
    title: 'a quoted key',
    source: 'open-xml-templating/docxtemplater#110',
    input: '{{ hello["key.with.dots"] }}',
    right: /Write hello\.\[key\.with\.dots\]/,
  },
  { title: 'a filter', source: 'own', input: '{{ a | upper }}', right: /no filters/ },
  {
    title: 'one brace at the end',
    source: 'own',
    input: 'x {{found}',
    right: /Close \{\{found with \}\}\.$/,
  },
  {
    title: 'no brace at the end',
    source: 'own',
    input: '{{a}} {{found',
    right: /Close \{\{found with \}\}\.$/,
  },
  { title: 'two braces for three', source: 'own', input: '{{{found}', right: /with \}\}\}\.$/ },
  { title: 'no name', source: 'own', input: '{{ }}', right: /Write a name/ },
  {
    title: 'a comparison',
    source: 'own',
    input: '{{#if a == 1}}b{{/if}}',
    right: /no operators such as ==/,
  },
  { title: 'a call', source: 'own', input: '{{ a.first() }}', right: /no functions/ },
  {
    title: 'a reference of Dify',
    source: 'own',
    input: '{{#find.text#}}',
    right: /Write \{\{find\.text\}\}\./,
  },
  {
    title: 'an open block',
    source: 'own',
    input: '{{#each a}}{{#if b}}c{{/if}}',
    right: /Close \{\{#each\}\} with/,
  },
  {
    title: 'an end of no block',
    source: 'own',
    input: 'a{{/if}}',
    right: /\{\{\/if\}\} closes no block/,
  },
  {
    title: 'a blank before the last brace',
    source: 'Handlebars-Net/Handlebars.Net#346',
    input: '{"key": {{value}} }',
    right: null,
  },
];

/** Texts of an output template, and the value that the message names. */
export const TEMPLATE_TEXTS: readonly ForeignCase<string, string | null>[] = (
  [
    ['a reference of inputs', '{context.a}', '{{a}}'],
    ['a step id', 'On {steps.find.title}', '{{found.title}}'],
    ['a name in single braces', '{found}', '{{found}}'],
    ['a dollar sign', '${context.a}', '{{a}}'],
    ['a path of n8n', '$json.article', '{{article}}'],
    ['Jinja', '{% context.a %}', '{{a}}'],
    ['angle brackets', '<<article>>', '{{article}}'],
    ['values', '{"a": {{json a}}, "b": "{{found}}"}', null],
    ['a style sheet', '<style>a { color: {{a}} }</style>', null],
    ['an item', 'for each {item}', null],
    ['blocks', '{{#each found}}{ {{this}} }{{/each}}', null],
  ] as const
).map(([title, input, right]) => ({ title, source: 'own', input, right }));

/** Names of a template or an expression that no value has, and what was meant in its place. */
export const NAMES_ELSEWHERE: readonly ForeignCase<
  { readonly text: string; readonly name: string },
  { readonly template: string | null; readonly condition: string | null }
>[] = (
  [
    ['an alias', 'ctx.article', 'ctx', '{{article}}', 'context.article'],
    ['an output', 'outputs.find.title', 'outputs', '{{found.title}}', 'step.found.title'],
    ['a step id', 'find.output', 'find', '{{found}}', 'step.found'],
    ['a step id alone', 'find', 'find', '{{found}}', 'step.found'],
    ['a variable', 'names.x', 'names', '{{names.x}}', 'step.names.x'],
    ['another name', 'other.x', 'other', null, null],
  ] as const
).map(([title, text, name, template, condition]) => ({
  title,
  source: 'own',
  input: { text, name },
  right: { template, condition },
}));

/** Expressions with braces and signs, and the value that the message names. */
export const EXPRESSIONS: readonly ForeignCase<string, string | null>[] = (
  [
    ['braces', '{context.a} == 1', 'context.a'],
    ['double braces', '{{ context.a }} == 1', 'context.a'],
    ['a dollar sign', '${context.a} == 1', 'context.a'],
    ['n8n', '$json.article == "x"', 'context.article'],
    ['GitHub', '${{ steps.find.outputs.x }}', 'step.found.x'],
    ['a list', '{step.names}', 'step.names'],
    ['a map', '{"a": context.a}.a == 1', null],
    ['a text with braces', 'context.a == "{b}"', null],
    ['a path', 'step.v.order == context.a', null],
  ] as const
).map(([title, input, right]) => ({ title, source: 'own', input, right }));
