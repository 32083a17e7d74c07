// `npm run docs` builds a site from the pages of the repository. npx runs VitePress, so this file cannot import it.

/** The used parts of markdown-it. */
interface Token {
  type: string;
  tag: string;
  attrs: [name: string, value: string][] | null;
}
interface Renderer {
  renderToken(tokens: Token[], index: number, options: unknown): string;
}
type Rule = (tokens: Token[], index: number, options: unknown, env: unknown, self: Renderer) => string;
interface Markdown {
  renderer: { rules: { code_block?: Rule; link_open?: Rule } };
}

/** Whether the site has the target of a link: a page, an anchor or another site. */
const isOnSite = (href: string) => /^(https?:|mailto:|#)|\.md(#.*)?$|\/(#.*)?$/.test(href);

const page = (text: string, name: string) => ({ text, link: `/docs/${name}` });

export default {
  title: 'content-workspace-tck',
  description: 'Conformance test kit and reference stub for the tool-call API of a content workspace service',
  srcDir: '..',
  srcExclude: ['**/node_modules/**', 'dist/**', '.ci/**', 'tck-report/**'],
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  markdown: {
    // VitePress reads {{ }} in indented code as Vue, but not in fenced code.
    config({ renderer: { rules } }: Markdown) {
      const render = rules.code_block;
      if (render !== undefined) rules.code_block = (...args) => render(...args).replace('<pre', '<pre v-pre');
      // The site has no sources, so a link to one becomes text. docs/pages.test.ts checks these links.
      const open = rules.link_open;
      rules.link_open = (tokens, index, options, env, self) => {
        const [link, close] = [tokens[index], tokens.slice(index).find(({ type }) => type === 'link_close')];
        const target = link?.attrs?.find(([name]) => name === 'href');
        const href = target?.[1] ?? '';
        if (target !== undefined) target[1] = href.replace(/\bREADME\.md(?=#|$)/, 'index.md');
        if (link !== undefined && close !== undefined && !isOnSite(href)) {
          Object.assign(link, { tag: 'span', attrs: null });
          close.tag = 'span';
          return self.renderToken(tokens, index, options);
        }
        return open?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
      };
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar: [
      {
        text: 'Guides',
        items: [
          page('Getting started', 'getting-started'),
          page('Configuration', 'configuration'),
          page('Continuous integration', 'ci'),
          page('Reading a report', 'reading-a-report'),
          page('Troubleshooting', 'troubleshooting'),
          page('Writing a client', 'clients'),
          page('Recipes', 'recipes'),
          page('Other tools', 'other-tools'),
          page('Recorded traffic', 'recorded-traffic'),
          page('Extending', 'extending'),
          page('Custom stories', 'own-stories'),
          page('Security', 'security'),
          { text: 'Contributing', link: '/CONTRIBUTING' },
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Commands', 'commands'),
          page('Requirements', 'requirements/'),
          page('Detection', 'detection'),
          page('Glossary', 'glossary'),
          page('Versions', 'versioning'),
          { text: 'Changelog', link: '/CHANGELOG' },
        ],
      },
      {
        text: 'About the project',
        items: [
          page('Unknown servers', 'project/unseen'),
          page('Causes', 'project/causes'),
          page('Judged clients', 'project/judged-clients'),
          page('Performance', 'project/performance'),
          page('Proof', 'project/proven'),
          page('Releasing', 'releasing'),
        ],
      },
    ],
  },
};
