import { IconMessage, IconPlayerPlay, IconSitemap } from '@tabler/icons-react';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { PaletteDocument } from '../generated/documents.ts';
import { isInternal } from '../runs/internal.ts';
import { PLACES } from './places.ts';

/** An id of the API: a UUID, alone in the field. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** All words of the search have to be in the name; an id, which the value has, is no name. */
function rank(_value: string, search: string, names: string[] = []): number {
  const name = names.join(' ').toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => name.includes(word))) return 0;
  return words.every((word) => ` ${name}`.includes(` ${word}`)) ? 1 : 0.5;
}

/** Ctrl K: screens, Processes, conversations, and a run by its id. */
export function Palette({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [{ data }] = useQuery({ query: PaletteDocument, pause: !isOpen });
  const open = (to: string) => {
    onClose();
    setText('');
    go(to);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Search or go to</Dialog.Title>
          <Command loop filter={rank}>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="A screen, a Process, a conversation, or the id of a run"
              aria-label="Search or go to"
            />
            <Command.List>
              <Command.Empty>Nothing has this name.</Command.Empty>
              {ID.test(text.trim()) ? (
                <Command.Item
                  value={text}
                  keywords={[text]}
                  onSelect={() => open(`/runs/${text.trim()}`)}
                >
                  <IconPlayerPlay size={16} className="icon" />
                  Open the run {text.trim()}
                </Command.Item>
              ) : null}
              <Command.Group heading="Screens">
                {PLACES.map(({ to, label, icon: Icon }) => (
                  <Command.Item
                    key={to}
                    value={`screen ${label}`}
                    keywords={['screen', label]}
                    onSelect={() => open(to)}
                  >
                    <Icon size={16} className="icon" />
                    {label}
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading="Start a run">
                {data?.processes.nodes
                  .filter((one) => !isInternal(one))
                  .map(({ id, name }) => (
                    <Command.Item
                      key={id}
                      value={`start run ${name} ${id}`}
                      keywords={['start run', name]}
                      onSelect={() => open(`/runs?start=${id}`)}
                    >
                      <IconPlayerPlay size={16} className="icon" />
                      {name}
                    </Command.Item>
                  ))}
              </Command.Group>
              <Command.Group heading="Processes">
                {data?.processes.nodes
                  .filter((one) => !isInternal(one))
                  .map(({ id, name }) => (
                    <Command.Item
                      key={id}
                      value={`process ${name} ${id}`}
                      keywords={['process', name]}
                      onSelect={() => open(`/processes/${id}`)}
                    >
                      <IconSitemap size={16} className="icon" />
                      {name}
                    </Command.Item>
                  ))}
              </Command.Group>
              <Command.Group heading="Conversations">
                {data?.conversations.nodes.map(({ id, title }) => (
                  <Command.Item
                    key={id}
                    value={`conversation ${title ?? ''} ${id}`}
                    keywords={['conversation', title ?? 'Untitled']}
                    onSelect={() => open(`/conversations/${id}`)}
                  >
                    <IconMessage size={16} className="icon" />
                    {title ?? 'Untitled'}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
