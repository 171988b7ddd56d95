import { expect, it } from 'vitest';
import type { Manifest } from '../../stack/packages.ts';
import { addressesOf, notesOf, releaseProblems, sectionOf } from '../../stack/release.ts';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\nMore.\n\n### Room\n- One.\n\n## 0.1.0\n\nFirst.\n';
const whole: Manifest = {
  name: '@aiden/client',
  version: '0.2.0',
  license: 'MIT',
  files: ['dist', 'LICENSE', 'README.md'],
};
const facts = {
  tag: 'v0.2.0',
  versions: { 'package.json': '0.2.0' },
  manifests: [whole],
  changelog: CHANGELOG,
};

it('takes the notes of a release from its section of the changelog', () => {
  expect(sectionOf(CHANGELOG, '0.2.0')).toBe('More.\n\n### Room\n- One.');
  expect(sectionOf(CHANGELOG, '0.1.0')).toBe('First.');
  expect(sectionOf(CHANGELOG, '0.3.0')).toBeNull();
  const linked = '## 0.1.0\n\nSee [data](docs/data.md).\n';
  expect(notesOf(linked, 'v0.1.0', null)).toBe('See [data](docs/data.md).');
  expect(notesOf(linked, 'v0.1.0', 'https://git.example/a/b')).toBe(
    'See [data](https://git.example/a/b/blob/v0.1.0/docs/data.md).',
  );
});

it('finds nothing wrong with a release whose versions, tag, packages and changelog agree', () => {
  expect(releaseProblems(facts)).toEqual([]);
});

it('names everything that is wrong with a release at once', () => {
  expect(
    releaseProblems({
      tag: 'v0.3.0',
      versions: { 'package.json': '0.2.0', '@aiden/client': '0.3.0' },
      manifests: [{ name: '@aiden/client', version: '0.3.0', private: true, files: ['src'] }],
      changelog: '## Unreleased\n- A line.\n',
    }),
  ).toEqual([
    'package.json has the version 0.2.0, not 0.3.0.',
    '@aiden/client is private.',
    '@aiden/client names no license.',
    '@aiden/client does not pack dist.',
    '@aiden/client does not pack LICENSE.',
    '@aiden/client does not pack README.md.',
    'CHANGELOG.md says nothing of 0.3.0.',
    'CHANGELOG.md has lines that are unreleased.',
  ]);
  expect(releaseProblems({ ...facts, tag: '0.2' })).toEqual(['The tag is vX.Y.Z, not "0.2".']);
});

it('names the repository by the variables of its host, or not at all', () => {
  const env = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'a/b' };
  expect(addressesOf(env)).toEqual({
    repository: { type: 'git', url: 'git+https://git.example/a/b.git' },
    bugs: 'https://git.example/a/b/issues',
    homepage: 'https://git.example/a/b#readme',
  });
  expect(addressesOf({})).toBeNull();
});
