import type { ForeignCase } from './foreign-case.ts';

/** What a text of a step's inputs is read as. */
export interface InputText {
  readonly text: string;
  readonly inForEach?: boolean;
}

/** The reference that the message names; `refused` where none is known; `text` where it is sent. */
export type Meant = { readonly meant: string } | 'refused' | 'text' | 'reference';

/** Steps before have the outputs `v` and `names`; the context has `a`, `article` and `price`. */
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
      'a template of the house',
      'langfuse/langfuse#850',
      'In short: {{article}}',
      { meant: '{context.article}' },
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
    title: 'a quoted key',
    source: 'open-xml-templating/docxtemplater#110',
    input: '{{ hello["key.with.dots"] }}',
    right: /Write hello\.\[key\.with\.dots\]/,
  },
  { title: 'a filter', source: 'own', input: '{{ a | upper }}', right: /no filters/ },
  {
    title: 'a blank before the last brace',
    source: 'Handlebars-Net/Handlebars.Net#346',
    input: '{"key": {{value}} }',
    right: null,
  },
];
