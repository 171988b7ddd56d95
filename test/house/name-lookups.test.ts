import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { CHECKOUT } from './source.ts';

const ROOMS = /^(?:src|schema|workflows|activities|cli|packages)\//;

/**
 * Reads under a name that no outsider chooses, or of an object that has no other names. Each has
 * its reason; the text is the whole expression.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'The key was read from the keys of this object.': [
    'src/agent-memory/events/event.ts metadata[name]',
    'src/catalog/import/openapi-schema.ts definitions[name]',
    'src/catalog/import/openapi-schema.ts root[key]',
    'src/catalog/import/openapi-schema.ts properties[name]',
    'src/common/json-size.ts inner[key]',
    'src/common/json.ts inner[key]',
    'src/expressions/cel-evaluator.ts left[key]',
    'src/json-schema/guards.ts keywordValue[name]',
    'src/memory-graph/entities/entity.ts facets[name]',
    'src/personal-data/delete-user.service.ts properties[name]',
    'src/personal-data/delete-user.service.ts properties[key]',
    'src/platform/neo4j/graph.ts map[key]',
    'src/processes/definition/context-schema.ts properties[name]',
    'src/processes/bundle/bundle-export.service.ts defaults[key]',
  ],
  'A place holds an own property that the walk has found.': [
    'src/json-schema/applied.ts place.holder[place.key]',
    'src/json-schema/coercion.ts place.holder[place.key]',
    'src/json-schema/sent-numbers.ts place.holder[place.key]',
    'src/json-schema/defaults.ts place.holder[place.key]',
  ],
  'Our code names the key.': [
    'cli/memory/transcript.ts line[snake]',
    'cli/memory/transcript.ts line[camel]',
    'src/catalog/import/openapi-document.ts shared[method]',
    'src/catalog/import/openapi-operation.ts value[keyword]',
    'src/catalog/import/openapi-schema.ts value[flag]',
    'packages/gguf-llm/src/runtime.ts BINARIES[platform]',
    'src/agent-memory/summarizer-settings.ts env[variable]',
    'src/catalog/services/connection.ts pricing[name]',
    'src/common/shape.ts value[key]',
    'src/json-schema/json-schema.ts params[name]',
    'src/main/config/config.ts env[name]',
    'src/main/config/config.ts env[variable]',
    'src/main/model-server-process.ts process.env[name]',
    'src/memory-graph/extraction/ingest-starter.projection.ts payload[name]',
    'src/metrics/metric.cypher.ts row?.[key]',
    'src/metrics/metric.cypher.ts row[key]',
    'src/platform/drivers/answer-error.ts error[name]',
    'src/platform/drivers/credentials.ts connectionParams[name]',
    'src/platform/neo4j/row.ts row[column]',
    'src/platform/temporal/fleet.ts meta?.[key]',
    'src/platform/temporal/fleet.ts meta[key]',
    'src/session-graph/events/plan.ts data[key]',
  ],
};

/** Whether a value of this type may be any text. Unions of literals may not. */
function isAnyText(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isAnyText);
  return (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) !== 0;
}

/** Whether the function around asks `Object.hasOwn` for just this object and this key. */
function isAskedFor({ expression, argumentExpression }: ts.ElementAccessExpression): boolean {
  const object = innermost(expression).getText();
  const wanted = new Set([
    `Object.hasOwn(${object}, ${argumentExpression.getText()})`,
    `Object.hasOwn(Object(${object}), ${argumentExpression.getText()})`,
  ]);
  const key = argumentExpression.getText().replace(/^String\((.*)\)$/, '$1');
  wanted.add(`Object.hasOwn(${object}, ${key})`);
  for (let at: ts.Node = expression; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const text = at.getText().replace(/\s+/g, ' ');
    if ([...wanted].some((call) => text.includes(call))) return true;
  }
  return false;
}

/** `(value as JsonObject)` is `value`. */
function innermost(expression: ts.Expression): ts.Expression {
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression))
    return innermost(expression.expression);
  return expression;
}

function isWritten(node: ts.ElementAccessExpression): boolean {
  const { parent } = node;
  if (ts.isDeleteExpression(parent)) return true;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

function lookups(): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(CHECKOUT, 'tsconfig.json'),
    { incremental: false, tsBuildInfoFile: undefined },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} },
  );
  const names = config?.fileNames.filter((name) => ROOMS.test(relative(CHECKOUT, name))) ?? [];
  const program = ts.createProgram(names, config?.options ?? {});
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of program.getSourceFiles()) {
    const path = relative(CHECKOUT, file.fileName);
    if (!ROOMS.test(path) || path.includes('node_modules') || file.isDeclarationFile) continue;
    const visit = (node: ts.Node): void => {
      if (
        ts.isElementAccessExpression(node) &&
        !ts.isLiteralExpression(node.argumentExpression) &&
        !isWritten(node) &&
        isAnyText(checker.getTypeAtLocation(node.argumentExpression)) &&
        !isAskedFor(node)
      )
        found.push(`${path} ${node.getText().replace(/\s+/g, ' ')}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  expect(names.length).toBeGreaterThan(500);
  return found;
}

it('no object is asked for a name from outside, except by entryOf or behind Object.hasOwn', () => {
  const allowed = new Set(Object.values(ALLOWED).flat());
  const found = new Set(lookups());
  expect([...found].filter((lookup) => !allowed.has(lookup))).toEqual([]);
});
