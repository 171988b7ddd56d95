import { IconBraces } from '@tabler/icons-react';
import { IconButton } from './icon-button.tsx';
import { Menu, MenuItem, MenuLabel } from './menu.tsx';

/** A value that can be picked. */
export interface Choice {
  readonly path: string;
  readonly type: string;
  readonly group: string;
  readonly from: string;
}

/** A button that lists values with their types, and gives the one that is picked. */
export function Picker({
  label,
  choices,
  onPick,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly onPick: (path: string) => void;
}) {
  const groups = Map.groupBy(choices, ({ group }) => group);
  return (
    <Menu
      trigger={
        <IconButton label={label} className="tiny">
          <IconBraces size={14} className="icon" />
        </IconButton>
      }
    >
      {choices.length === 0 ? (
        <MenuLabel>Nothing to pick: no context, and no earlier step</MenuLabel>
      ) : (
        [...groups].map(([group, own]) => (
          <div key={group}>
            <MenuLabel>{group}</MenuLabel>
            {own.map(({ path, type, from }) => (
              <MenuItem key={path} onSelect={() => onPick(path)}>
                <span className="mono grow">{path}</span>
                <span className="faint small">
                  {type}, {from}
                </span>
              </MenuItem>
            ))}
          </div>
        ))
      )}
    </Menu>
  );
}
