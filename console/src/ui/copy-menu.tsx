import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { IconCopy } from '@tabler/icons-react';
import { print } from 'graphql';
import { authorization } from '../api/session.ts';
import { copyText } from './copy-text.ts';
import { IconButton } from './icon-button.tsx';
import { Menu, MenuItem, MenuLabel } from './menu.tsx';

/** Copies the page's query as GraphQL, curl or a command, or the page's link. */
export function CopyMenu({
  document: query,
  variables,
  cli,
}: {
  readonly document: TypedDocumentNode<unknown, never>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly cli?: string;
}) {
  const copy = (name: string, text: string) => copyText(text, `Copied as ${name}.`);
  const graphql = () => `${print(query)}\n\n# Variables\n# ${JSON.stringify(variables)}`;
  const curl = () =>
    [
      `curl -s ${location.origin}/graphql`,
      "-H 'content-type: application/json'",
      ...(authorization()['authorization'] === undefined
        ? []
        : ['-H "authorization: Bearer $AIDEN_TOKEN"']),
      `-d ${quoted(JSON.stringify({ query: print(query).replace(/\s+/g, ' '), variables }))}`,
    ].join(' \\\n  ');
  return (
    <Menu
      trigger={
        <IconButton label="Copy as …">
          <IconCopy size={16} className="icon" />
        </IconButton>
      }
    >
      <MenuLabel>Copy this page as</MenuLabel>
      <MenuItem onSelect={() => copy('GraphQL', graphql())}>GraphQL</MenuItem>
      <MenuItem onSelect={() => copy('curl', curl())}>curl</MenuItem>
      {cli === undefined ? null : (
        <MenuItem onSelect={() => copy('a command', cli)}>Command line</MenuItem>
      )}
      <MenuItem onSelect={() => copy('a link', location.href)}>Link</MenuItem>
    </Menu>
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
