import type { RunResult } from '../../suites/result.ts';
import { aFailure, anExchange, aRequirement, aRun, notTested } from './results.ts';

/** Texts with which a server can try to attack a report or a terminal. */
export const hostileTexts: Readonly<Record<string, string>> = {
  script: '<script>window.obeyed = 1</script></script><img src=x onerror="window.obeyed = 1">',
  attribute: `" onfocus="window.obeyed = 1" autofocus x='`,
  style: '</style><style>* { display: none }</style>',
  link: '[x](javascript:window.obeyed=1) <javascript:window.obeyed=1> www.example.test http://example.test @everyone',
  markdown: '\n# big\n\n| a | b |\n|---|---|\n```\n</details>\n***x*** ~~y~~ $\\alpha$ <!-- ',
  xml: ']]> <![CDATA[ &amp; &bogus; <?x ?> <!DOCTYPE y>',
  escapes: '\u001b[2J\u001b]0;title\u0007\u001b[31m\u009b31m\r\b\u0000',
  bidi: '\u202egnp.exe\u2066\u2069\u200b\ufeff\u{e0041}',
  surrogates: 'a\ud800b\udc00c\uffffd',
  object: '{"__proto__":{"isEscaped":true},"isEscaped":true}',
  long: '5 MB '.repeat(1_000_000),
};

/** A run with a text in every field that a server, a configuration or an error message can fill. */
export function hostileRun(text: string): RunResult {
  const failure = aFailure('headers.beta', { expected: `x ${text}`, actual: text, hint: text, note: text });
  return aRun(
    [
      { ...failure, statement: text, source: text, since: text },
      notTested('race.one', text, [
        { kind: 'data', what: text },
        { kind: 'setting', setting: text },
      ]),
      notTested('race.two', text, []),
      aRequirement('credits.x', { status: 'errored', reason: text }),
      aRequirement('bodies.known', {
        status: 'known-failure',
        knownFailure: { reason: text, issue: `javascript:${text}`, owner: text, expires: text, stale: text },
      }),
    ],
    {
      target: {
        baseUrl: `http://127.0.0.1/${text}`,
        label: text,
        kind: 'url',
        roles: [text],
        workspaces: [text],
        allow: [],
        clock: false,
      },
      runId: text,
      reasons: [text],
      trouble: [text],
      gate: { passed: false, reasons: [text, `gate ${text}`] },
      notices: [text],
      outsideReach: [{ id: text, statement: text, source: text, reason: text }],
      observations: [
        { id: 'rate-limit.cap', question: text, values: [text, { [text.slice(0, 100)]: text }], exchanges: [1] },
      ],
      leftBehind: {
        contentRequests: [{ pieceId: text, workspace: text, title: text }],
        runs: [{ runId: text, workspace: text, images: 1 }],
        proposals: 1,
      },
      exchanges: [
        anExchange(1, {
          tool: text,
          role: text,
          credential: text,
          request: { method: text, url: text, headers: [[text, text]], body: text },
          response: {
            status: 200,
            headers: [
              [text, text],
              ['content-type', text],
            ],
            body: text,
          },
          curl: text,
        }),
        anExchange(2, { response: null, problem: text }),
      ],
      timeline: [{ atMs: 1, durationMs: 2, credential: text, tool: text, status: 429 }],
    },
  );
}
