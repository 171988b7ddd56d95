import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tempFolder } from '../testkit/temp-folder.ts';
import { consoleUser } from './console-user.ts';

const { api: uma, at } = consoleUser('uma');

/** Drops files or folders of this machine onto a place of the page, as a person does. */
async function drop(page: Page, paths: readonly string[], x: number, y: number): Promise<void> {
  const chromium = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await chromium.send('Input.dispatchDragEvent', {
      type,
      x,
      y,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
}

/** Copies a picture of 8 by 8 points. */
function copyPicture(page: Page): Promise<void> {
  return page.evaluate<void>(`(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 8;
    const png = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
  })()`);
}

it('takes a pasted picture and dropped files, and says why it takes others not', async () => {
  const folder = tempFolder('attaching');
  const [note, large, album] = [
    join(folder, 'note.txt'),
    join(folder, 'large.txt'),
    join(folder, 'album'),
  ];
  await writeFile(note, 'The parcel arrived broken.');
  await writeFile(large, 'a'.repeat(5 * 1_024 * 1_024 + 1));
  await mkdir(album);
  const { page, faults } = await at(`/conversations/${await uma.creates('conversation')}`);
  const attached = page.getByRole('list', { name: 'Attached' }).first();
  const message = page.getByLabel('Message', { exact: true });

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await copyPicture(page);
  await message.press('Control+v');
  await attached.getByText('image.png').waitFor();

  // Also beside the box: the browser would open the file in place of the page.
  await drop(page, [note, large, album], 700, 300);
  await attached.getByText('note.txt').waitFor();
  await page.getByText('large.txt is larger than 5 MB, the most for one file.').waitFor();
  await page.getByText('album is a folder. Attach the files in it.').waitFor();
  await page.getByText('Uploading …').waitFor({ state: 'hidden' });
  expect(await attached.getByRole('listitem').allInnerTexts()).toEqual(['image.png', 'note.txt']);

  await message.fill('What is in these?');
  await message.press('Enter');
  const sent = page.getByRole('article', { name: 'You' });
  await sent.getByRole('img', { name: 'image.png' }).waitFor();
  await sent.getByRole('button', { name: 'note.txt' }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});
