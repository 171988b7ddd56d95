import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

// stack/docs.ts writes pages/ and its menu: run `npm run docs`.
const { menu, repository } = JSON.parse(
  readFileSync(new URL('../pages/menu.json', import.meta.url), 'utf8'),
);

/** Curly brackets of templates are words too, in code and elsewhere. */
function keepBrackets({ renderer: { rules } }) {
  const { code_inline: code, text } = rules;
  rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '');
    return code(tokens, index, ...rest);
  };
  rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
}

export default defineConfig({
  title: 'Aiden',
  description: 'A data-driven agent platform.',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  base: process.env.DOCS_BASE ?? '/',
  cleanUrls: true,
  // Texts in angle brackets are words, not elements.
  markdown: { html: false, config: keepBrackets },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: menu,
    nav: [
      { text: 'Use it from …', link: '/use-from' },
      { text: 'API reference', link: '/reference/' },
      ...(repository === null ? [] : [{ text: 'Repository', link: repository }]),
    ],
  },
});
