// Packages without types.

declare module 'textlint-rule-terminology' {
  import type { TextlintRuleModule } from '@textlint/types';

  const rule: TextlintRuleModule;
  export default rule;
}

declare module 'textlint-rule-write-good' {
  import type { TextlintRuleModule } from '@textlint/types';

  /** The package is CommonJS, so its exports are the default export. */
  const exported: { readonly default: TextlintRuleModule };
  export default exported;
}
