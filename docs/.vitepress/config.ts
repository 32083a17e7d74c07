// `npm run docs` builds a site from the pages of the repository. npx runs VitePress, so this file cannot import it.

/** The used part of markdown-it. */
interface Markdown {
  renderer: { rules: { code_block?: (...args: readonly unknown[]) => string } };
}

const page = (text: string, name: string) => ({ text, link: `/docs/${name}` });

export default {
  title: 'content-workspace-tck',
  description: 'Conformance test kit and reference stub for the tool-call API of a content workspace service',
  srcDir: '..',
  srcExclude: ['**/node_modules/**', 'dist/**', '**/testing/**', '.ci/**', 'tck-report/**'],
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  // Pages also link to sources. docs/pages.test.ts checks every link.
  ignoreDeadLinks: true,
  markdown: {
    // VitePress reads {{ }} in indented code as Vue, but not in fenced code.
    config({ renderer: { rules } }: Markdown) {
      const render = rules.code_block;
      if (render !== undefined) rules.code_block = (...args) => render(...args).replace('<pre', '<pre v-pre');
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
          page('Performance', 'project/performance'),
          page('Beside a schema check', 'project/schema-checks'),
          page('Proof', 'project/proven'),
          page('Releasing', 'releasing'),
        ],
      },
    ],
  },
};
