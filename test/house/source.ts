import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const ROOMS = [
  ...'schema src workflows activities packages stack cli console bench test'.split(' '),
  ...'examples faults'.split(' '),
];

export interface Import {
  /** Path from the checkout, or the name of a package or of a `node:` module. */
  readonly to: string;
  readonly isLocal: boolean;
  /** Gone when the types are stripped. */
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export interface ReadFile extends SourceFile {
  readonly imports: readonly Import[];
}

/** Every TypeScript file of ours. */
export function readSources(): SourceFile[] {
  return ROOMS.flatMap((room) => walk(join(CHECKOUT, room))).map((file) => ({
    path: relative(CHECKOUT, file),
    text: readFileSync(file, 'utf8'),
  }));
}

function walk(folder: string): string[] {
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : walk(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

export function importsOf({ path, text }: SourceFile): Import[] {
  const found: Import[] = [];
  const isDeep = text.includes('import(');
  const add = (specifier: string, isTypeOnly: boolean) => {
    const isLocal = specifier.startsWith('.');
    found.push({ to: isLocal ? join(dirname(path), specifier) : specifier, isLocal, isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, isTypeOnly(node.importClause));
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node.moduleSpecifier.text, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [target] = node.arguments;
      if (target && ts.isStringLiteral(target)) add(target.text, false);
    }
    // Only `import()` can stand deeper than the statements of a file.
    if (ts.isSourceFile(node) || isDeep) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false));
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { namedBindings } = clause;
  return (
    clause.name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}
