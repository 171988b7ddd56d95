import { expect, it } from 'vitest';
import { Refusal } from '../../src/common/refusal.ts';
import { uploadFile } from '../../src/session-graph/events/file-upload.service.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';
import { newViewer, world } from '../testkit/world.ts';

const blobs = tempBlobs();
const file = (sign: string) => Buffer.from(sign.repeat(300)).toString('base64');

it('refuses a file above the quota with the numbers, and takes the same bytes again', async () => {
  const here = await world();
  const { viewer } = here.ada;
  const deps = { ...here.deps, blobs, uploadsBytesMax: 700 };
  await uploadFile(deps, viewer, { content: file('a') });
  await uploadFile(deps, viewer, { content: file('b') });
  const third = uploadFile(deps, viewer, { content: file('c') });
  await expect(third).rejects.toBeInstanceOf(Refusal);
  await third.catch((error: Refusal) =>
    expect(error.problems).toMatchObject([
      {
        code: 'TOO_LARGE',
        path: ['content'],
        message: expect.stringMatching(/are 2 with 600 bytes, and this one has 300\. .* 700 bytes/),
      },
    ]),
  );
  expect((await uploadFile(deps, viewer, { content: file('a') })).size).toBe(300);
  const bob = await newViewer(here.deps, 'bob');
  expect((await uploadFile(deps, bob, { content: file('c') })).size).toBe(300);
});
