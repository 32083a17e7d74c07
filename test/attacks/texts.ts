import { type Answering, type Attacks, changed, everyText, like, responseText, withBody } from './wire.ts';

/** Appends a text to every text of a response, to its names, and to headers if they can hold it. */
const everywhere =
  (text: string): Answering =>
  (socket, good) => {
    const body = everyText(JSON.parse(good.body), (each) => each + text) as object;
    const named = { ...body, [text]: text };
    const header = /^[\t -~\u0080-\u00ff]*$/.test(text)
      ? { 'x-text': text, 'content-type': `application/json${text}` }
      : {};
    socket.write(responseText({ ...good, headers: { ...good.headers, ...header }, body: JSON.stringify(named) }));
  };

/** Sends a text as the whole body, like the page of a gateway. */
const alone = (text: string) => like(() => ({ status: 502, headers: { 'content-type': 'text/plain' }, body: text }));

const escapes = '\u001b[2J\u001b]0;title\u0007\u001b[31m\u009b31m\r\b\u0000\u007f\u0085';
const commands = '\n::error::injected\n  ::add-mask::a\n::set-output name=a::b\n##[error]x\n##vso[task.complete]x\n';
const markup =
  '</script></style></textarea><script>window.obeyed=1</script><img src=x onerror="window.obeyed=1">" onfocus="a';

/** Texts that a terminal, a build server, a page or a parser might execute. */
export const texts: Attacks = {
  'control characters of terminals': everywhere(escapes),
  'a page of control characters': alone(escapes.repeat(50)),
  'control characters in the status line': (socket, { headers, body }) => {
    socket.write(
      withBody(200, headers, Buffer.from(body)).toString('latin1').replace('Whatever', '\u001b[2J'),
      'latin1',
    );
  },
  'commands of build servers': everywhere(commands),
  'a page of commands': alone(commands),
  'commands on one line': everywhere('::error::injected'),
  'a page of one command': alone('::error::injected'),
  'a redirect to commands': like(({ headers }) => ({ status: 302, headers: { ...headers, location: '::error::x' } })),
  'markup of pages': everywhere(markup),
  'a page of markup': alone(markup.repeat(20)),
  'markup of JUnit files': everywhere(
    ']]> <![CDATA[ &amp; &bogus; <?x ?> <!DOCTYPE y [<!ENTITY z SYSTEM "file:///etc/passwd">]>',
  ),
  'markup of Markdown': everywhere('\n# big\n| a | b |\n```\n</details>\n<!-- [x](javascript:1) @everyone'),
  'formulas of spreadsheets': everywhere('=HYPERLINK("http://x","y")\n@SUM(1)\n+1\n-1,"'),
  'directions and widths of nothing': everywhere('\u202e\u2066\u2069\u200b\ufeff\u{e0041}\u2028\u2029'),
  'characters over characters': everywhere('z\u0351\u0352'.repeat(2000)),
  'replacement patterns': everywhere("$& $1 $` $' $$ %s %d %n \\u0000 {{7*7}}"),
  'paths as ids': changed((body) => everyText(body, () => '../../../../etc/passwd')),
  'texts for shells': changed((body) => everyText(body, (text) => `${text}'; rm -rf / #$(id)\`id\``)),
};
