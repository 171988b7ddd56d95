import { expect, test } from 'vitest';
import { builder } from '../../schema/builder.ts';
import { exposed, inputFields, nullable } from '../../schema/fields.ts';

interface Shelf {
  readonly label: string;
  readonly width: number | null;
  readonly bookIds: readonly string[];
}

test('a table of fields takes only properties of the object, with types that fit them', () => {
  const Shelf = builder.objectRef<Shelf>('Shelf');
  Shelf.implement({
    fields: (t) => ({
      ...exposed(t, {
        label: ['String', 'Label.'],
        width: ['Float?', 'Width.'],
        books: [['ID'], 'Books.', 'bookIds'],
        note: [nullable('String'), 'The label once more.', 'label'],
      }),
      // @ts-expect-error: a width may be null, and the field may not
      ...exposed(t, { width: ['Float', 'Width.'] }),
      // @ts-expect-error: a label is no number
      ...exposed(t, { label: ['Int', 'Label.'] }),
      // @ts-expect-error: a shelf has no colour
      ...exposed(t, { colour: ['String', 'Colour.'] }),
    }),
  });
});

test('an input that must be given has a value, another one may be null or left out', () => {
  const Input = builder.inputType('ShelfInput', {
    fields: inputFields({ label: ['String!', 'Label.'], width: ['Float', 'Width.', 80] }),
  });
  type Given = typeof Input.$inferInput;
  const given: Given[] = [{ label: 'A' }, { label: 'B', width: null }];
  // @ts-expect-error: the label must be given
  const without: Given = { width: 3 };
  expect([...given, without]).toHaveLength(3);
});
