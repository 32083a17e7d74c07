import { answers, around, entriesOf, isAbout, isText, requests, withArgs, without } from './mutation.ts';

const create = 'content.create_request';
const tomorrow = (now: number) => new Date(now + 86_400_000).toISOString().slice(0, 10);

/** `content.create_request` and its arguments. */
export const contentMutations = {
  'title-of-200-refused': requests('a title of 200 characters is refused', ({ tool, args, received }) =>
    tool === create && isText(args.title) && args.title.length === 200
      ? withArgs(received, { ...args, title: '' })
      : undefined,
  ),
  'title-of-201-accepted': requests('a title of 201 characters is accepted', ({ tool, args, received }) =>
    tool === create && isText(args.title) && args.title.length === 201
      ? withArgs(received, { ...args, title: args.title.slice(1) })
      : undefined,
  ),
  'title-of-1-refused': requests('a title of 1 character is refused', ({ tool, args, received }) =>
    tool === create && isText(args.title) && args.title.length === 1
      ? withArgs(received, { ...args, title: '' })
      : undefined,
  ),
  'title-of-0-accepted': requests('an empty title is accepted', ({ tool, args, received }) =>
    tool === create && args.title === '' ? withArgs(received, without(args, 'title')) : undefined,
  ),
  'title-of-any-type': requests('a title that is no string is written as one', ({ tool, args, received }) =>
    tool === create && args.title !== undefined && !isText(args.title) && args.title !== null
      ? withArgs(received, { ...args, title: JSON.stringify(args.title) })
      : undefined,
  ),
  'title-required': requests('a title has to be given', ({ tool, args, received }) =>
    tool === create && args.title === undefined ? withArgs(received, { ...args, title: '' }) : undefined,
  ),
  'articles-refused': requests('the format articles is refused', ({ tool, args, received }) =>
    tool === create && args.format === 'articles' ? withArgs(received, { ...args, format: 'article' }) : undefined,
  ),
  'shorts-renamed': answers('the format shorts_clips comes back as shorts', (answer) => {
    if (answer.body.format === 'shorts_clips') answer.body.format = 'shorts';
  }),
  'long-form-becomes-articles': requests('the format long_form is taken for articles', ({ tool, args, received }) =>
    tool === create && args.format === 'long_form' ? withArgs(received, { ...args, format: 'articles' }) : undefined,
  ),
  'any-format-accepted': around(
    'a format that is none of the five is accepted',
    () =>
      async ({ tool, args, received }, next) => {
        const answer = await next(received);
        if (tool !== create || !isText(args.format) || !isAbout(answer, 'format')) return answer;
        const result = await next(withArgs(received, { ...args, format: 'posts' }));
        return { ...result, body: { ...result.body, ...(result.body.ok === true ? { format: args.format } : {}) } };
      },
  ),
  'formats-in-any-case': requests('formats count in any case', ({ tool, args, received }) =>
    tool === create && isText(args.format)
      ? withArgs(received, { ...args, format: args.format.toLowerCase() })
      : undefined,
  ),
  'format-absent-is-posts': requests('a missing format is posts', ({ tool, args, received }) =>
    tool === create && args.format === undefined ? withArgs(received, { ...args, format: 'posts' }) : undefined,
  ),
  'format-of-any-type': requests('a format that is no string is posts', ({ tool, args, received }) =>
    tool === create && args.format !== undefined && !isText(args.format)
      ? withArgs(received, { ...args, format: 'posts' })
      : undefined,
  ),
  'extra-property-accepted': requests(
    'content.create_request ignores what it does not know',
    ({ tool, args, received }) => {
      if (tool !== create) return undefined;
      const known = ['format', 'day', 'title', 'workspace'];
      return withArgs(received, Object.fromEntries(Object.entries(args).filter(([name]) => known.includes(name))));
    },
  ),
  'extra-property-not-named': answers('the issue about an unknown property does not name it', (answer, { tool }) => {
    const unknown = isAbout(answer, 'not an argument');
    if (tool === create && unknown) answer.body.issues = [{ path: '', message: 'There is too much in here.' }];
  }),
  'day-with-time-accepted': requests('a day with a time behind it is accepted', ({ tool, args, received }) =>
    tool === create && isText(args.day) && /^\d{4}-\d\d-\d\d\D/.test(args.day)
      ? withArgs(received, { ...args, day: args.day.slice(0, 10) })
      : undefined,
  ),
  'day-without-zeros-accepted': requests('a day without leading zeros is accepted', ({ tool, args, received }) => {
    const [, year, month = '', date = ''] =
      /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(isText(args.day) ? args.day : '') ?? [];
    if (tool !== create || !year) return undefined;
    return withArgs(received, { ...args, day: `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}` });
  }),
  'day-without-dashes-accepted': requests('a day without dashes is accepted', ({ tool, args, received }) => {
    const [, year, month, date] = /^(\d{4})[/.]?(\d\d)[/.]?(\d\d)$/.exec(isText(args.day) ? args.day : '') ?? [];
    return tool === create && year ? withArgs(received, { ...args, day: `${year}-${month}-${date}` }) : undefined;
  }),
  'day-in-words-accepted': requests('a day in words is accepted', ({ tool, args, received, world }) =>
    tool === create && isText(args.day) && /^[a-z]+$/i.test(args.day)
      ? withArgs(received, { ...args, day: tomorrow(world.now()) })
      : undefined,
  ),
  'day-absent-is-tomorrow': requests('a missing day is tomorrow', ({ tool, args, received, world }) =>
    tool === create && args.day === undefined ? withArgs(received, { ...args, day: tomorrow(world.now()) }) : undefined,
  ),
  'day-as-number-accepted': requests('a day as a number is accepted', ({ tool, args, received, world }) =>
    tool === create && typeof args.day === 'number'
      ? withArgs(received, { ...args, day: tomorrow(world.now()) })
      : undefined,
  ),
  'scheduled-without-zone': answers('scheduled_for has no offset', (answer) => {
    const { scheduled_for } = answer.body;
    if (isText(scheduled_for)) answer.body.scheduled_for = scheduled_for.slice(0, 19);
  }),
  'scheduled-in-local-time': answers('scheduled_for has the offset of the workspace', (answer) => {
    const { scheduled_for } = answer.body;
    if (isText(scheduled_for)) answer.body.scheduled_for = `${scheduled_for.slice(0, 19)}+02:00`;
  }),
  'scheduled-is-a-date': answers('scheduled_for is a date', (answer) => {
    const { scheduled_for } = answer.body;
    if (isText(scheduled_for)) answer.body.scheduled_for = scheduled_for.slice(0, 10);
  }),
  'scheduled-is-a-number-for-stories': answers('scheduled_for is a number for stories', (answer) => {
    const { scheduled_for, format } = answer.body;
    if (isText(scheduled_for) && format === 'stories') answer.body.scheduled_for = Date.parse(scheduled_for);
  }),
  'week-block-absent-where-null': answers('week_block_id is left out instead of null', (answer) => {
    if (answer.body.week_block_id === null) delete answer.body.week_block_id;
  }),
  'scheduled-absent-where-null': answers(
    'scheduled_for is left out instead of null',
    (answer) => {
      if (answer.body.scheduled_for === null) delete answer.body.scheduled_for;
    },
    { scheduledForNull: true },
  ),
  'planned-slot-null': answers('filled_planned_slot is null instead of false', (answer) => {
    if (answer.body.filled_planned_slot === false) answer.body.filled_planned_slot = null;
  }),
  'piece-id-is-a-number': answers('piece_id is a number', (answer) => {
    if (isText(answer.body.piece_id)) answer.body.piece_id = Number(answer.body.piece_id);
  }),
  'piece-id-of-day-and-format': answers('two requests for one day and format have one piece_id', (answer, { args }) => {
    if (isText(answer.body.piece_id)) answer.body.piece_id = `${args.day}/${args.format}`;
  }),
  'piece-id-of-the-day': answers('two requests for one day and workspace have one piece_id', (answer, { args }) => {
    if (isText(answer.body.piece_id)) answer.body.piece_id = `${answer.body.workspace}/${args.day}`;
  }),
  'piece-id-absent-without-title': answers('piece_id is left out when there is no title', (answer, { args }) => {
    if (args.title === undefined) delete answer.body.piece_id;
  }),

  'issues-absent-on-create': answers(
    'invalid_arguments of content.create_request has no issues',
    (answer, { tool }) => {
      if (tool === create) delete answer.body.issues;
    },
  ),
  'issues-empty-on-get': answers('invalid_arguments of library.get has no issue in issues', (answer, { tool }) => {
    if (tool === 'library.get' && answer.body.issues) answer.body.issues = [];
  }),
  'issues-are-strings-on-images': answers(
    'invalid_arguments of images.generate has strings as issues',
    (answer, { tool }) => {
      const messages = entriesOf(answer.body, 'issues').map(({ path, message }) => `${path} ${message}`);
      if (tool === 'images.generate' && answer.body.issues) answer.body.issues = messages;
    },
  ),
  'issue-paths-are-lists': answers('the path of an issue is a list', (answer) => {
    for (const issue of entriesOf(answer.body, 'issues')) issue.path = String(issue.path).split('/').slice(1);
  }),
  'issue-messages-absent-on-day': answers('an issue about the day has no message', (answer) => {
    for (const issue of entriesOf(answer.body, 'issues')) if (issue.path === '/day') delete issue.message;
  }),
  'issue-names-another-field': answers('an issue about the title names the day', (answer) => {
    for (const issue of entriesOf(answer.body, 'issues')) if (issue.path === '/title') issue.path = '/day';
  }),
  'issue-paths-end-in-a-type': answers('the path of an issue goes on behind the field', (answer) => {
    for (const issue of entriesOf(answer.body, 'issues')) if (issue.path !== '') issue.path = `${issue.path}/type`;
  }),
  'invalid-format-has-its-own-code': answers('a bad format has a code of its own', (answer, { tool }) => {
    if (tool === create && isAbout(answer, 'format')) answer.body.code = 'invalid_format';
  }),
};
