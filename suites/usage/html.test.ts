import { expect, test } from 'vitest';
import { html, raw } from './html.ts';

test('every text is escaped, also in lists and attributes; markup is not', () => {
  const text = `<b a="1">&'`;
  const list = [text, html`<i>${text}</i>`, null, undefined, false, 0] as const;
  expect(String(html`<p title="${text}">${list}${raw('<hr>')}</p>`)).toBe(
    '<p title="&lt;b a=&quot;1&quot;&gt;&amp;&#39;">&lt;b a=&quot;1&quot;&gt;&amp;&#39;' +
      '<i>&lt;b a=&quot;1&quot;&gt;&amp;&#39;</i>0<hr></p>',
  );
});
