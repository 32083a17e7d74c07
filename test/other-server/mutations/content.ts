import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { answers, entriesOf, isAbout, isText, requests, withArgs } from './mutation.ts';

const create = 'content.create_request';
/** Deviations of `content.create_request` and its arguments. */
export const contentMutations = {
  'title-of-any-type': requests('a title that is no string is written as one', ({ tool, args, received }) =>
    tool === create && args.title !== undefined && !isText(args.title) && args.title !== null
      ? withArgs(received, { ...args, title: JSON.stringify(args.title) })
      : undefined,
  ),
  'title-required': requests('a title has to be given', ({ tool, args, received }) =>
    tool === create && args.title === undefined ? withArgs(received, { ...args, title: '' }) : undefined,
  ),
  'shorts-renamed': answers('the format shorts_clips comes back as shorts', (answer) => {
    if (answer.body.format === 'shorts_clips') answer.body.format = 'shorts';
  }),
  'long-form-becomes-articles': requests('the format long_form is taken for articles', ({ tool, args, received }) =>
    tool === create && args.format === 'long_form' ? withArgs(received, { ...args, format: 'articles' }) : undefined,
  ),
  'format-of-any-type': requests('a format that is no string is posts', ({ tool, args, received }) =>
    tool === create && args.format !== undefined && !isText(args.format)
      ? withArgs(received, { ...args, format: 'posts' })
      : undefined,
  ),
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
  'piece-id-of-day-and-format': answers('two requests for one day and format have one piece_id', (answer, { args }) => {
    if (isText(answer.body.piece_id)) answer.body.piece_id = `${args.day}/${args.format}`;
  }),
  'piece-id-absent-without-title': answers('piece_id is left out when there is no title', (answer, { args }) => {
    if (args.title === undefined) delete answer.body.piece_id;
  }),

  'issues-absent-on-create': answers(
    `${refusalCodes.invalidArguments} of content.create_request has no issues`,
    (answer, { tool }) => {
      if (tool === create) delete answer.body.issues;
    },
  ),
  'issues-empty-on-get': answers(
    `${refusalCodes.invalidArguments} of library.get has no issue in issues`,
    (answer, { tool }) => {
      if (tool === 'library.get' && answer.body.issues) answer.body.issues = [];
    },
  ),
  'issues-are-strings-on-images': answers(
    `${refusalCodes.invalidArguments} of images.generate has strings as issues`,
    (answer, { tool }) => {
      const messages = entriesOf(answer.body, 'issues').map(({ path, message }) => `${path} ${message}`);
      if (tool === 'images.generate' && answer.body.issues) answer.body.issues = messages;
    },
  ),
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
