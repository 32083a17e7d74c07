import { isToolName, type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import type { nameAndBodyDefects as data } from '../../fixtures/defects/names-and-bodies.ts';
import { nearest } from '../../fixtures/nearest.ts';
import { boundaryError, refusal, success } from '../answers.ts';
import type { Call } from '../call.ts';
import {
  answering,
  type Body,
  both,
  code,
  type Deviation,
  each,
  errorFields,
  fields,
  from,
  headers,
  list,
  sentAs,
  status,
  type When,
} from './patches.ts';
import { before, calls, forgiving, instead, sent, skipping } from './steps.ts';

/** Finds a tool under another name than its own. */
const finding = (find: (name: string) => string | undefined): Deviation =>
  before('findTool', (call) => {
    const name = call.tool ?? find(call.toolName);
    if (name !== undefined && isToolName(name)) call.tool = name;
  });

const noSuchTool = status(404);
const familyExists: When = (_, { toolName }) => toolNames.some((name) => name.startsWith(`${toolName.split('.')[0]}.`));
const family = ({ toolName }: Call): string | undefined => toolName.split('.', 1)[0];

/** What JSON.parse makes of a body; undefined for one that does not parse. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads bodies that parse to one of some values as an empty object. */
const emptyWhere = (meant: (value: unknown) => boolean): Deviation =>
  forgiving((text) => {
    const value = parsed(text);
    return value !== undefined && meant(value) ? {} : undefined;
  });

const forgivenBy = (...tools: readonly ToolName[]): Deviation =>
  forgiving((_, call) => (calls(...tools)(call) ? {} : undefined));

const asObject = (value: unknown): Body | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

const bodyWantedBy = (...tools: readonly ToolName[]): Deviation =>
  instead(
    'readBody',
    (call) => calls(...tools)(call) && sent(call) === '',
    ({ rules }) => boundaryError(400, rules.codes.malformedBody, 'There is no body.'),
  );

const isMalformed: When = ({ status, body }) => status === 400 && JSON.stringify(body).includes('malformed');
const isTooLarge: When = ({ status, body }) => status === 400 && JSON.stringify(body).includes('too_large');
const invalid = code('invalid_arguments');

/** Deviations in reading names, bodies and arguments. */
export const nameAndBodyDefects: Readonly<Record<keyof typeof data, Deviation>> = {
  'unknown-family-of-tools-as-400': answering(
    both(noSuchTool, (answer, call) => call.toolName.includes('.') && !familyExists(answer, call)),
    sentAs(400),
  ),
  'unknown-tool-as-refusal': instead(
    'findTool',
    ({ tool }) => tool === undefined,
    () => refusal('boundary', { code: 'no_such_tool', message: 'There is no such tool.' }),
  ),
  'tool-names-in-any-case': finding((name) => name.toLowerCase()),
  'tool-names-with-underscore': finding((name) =>
    toolNames.find((tool) => tool.replace(/[._]/g, '') === name.replace(/[._-]/g, '')),
  ),
  'tool-names-cut-at-odd-letters': finding((name) => name.replace(/[._]+$/, '')),
  'tool-names-by-their-start': finding((name) => toolNames.find((tool) => tool.startsWith(name))),
  'tool-names-trimmed': finding((name) => name.replaceAll('%20', ' ').trim()),
  'encoded-tool-name-as-400': answering(
    both(noSuchTool, (_, { toolName }) => toolName.includes('%')),
    sentAs(400),
  ),
  'prototype-member-is-a-tool': instead(
    'findTool',
    ({ toolName }) => toolName === 'constructor',
    () => success({ ok: true }),
  ),
  'unknown-tool-named-in-404': answering(noSuchTool, (answer, call) =>
    errorFields({ message: `There is no tool ${call.toolName}.` })(answer, call),
  ),
  'did-you-mean-in-404': answering(noSuchTool, (answer, call) => {
    const meant = nearest(call.toolName, toolNames);
    return meant === undefined ? answer : errorFields({ message: `Did you mean ${meant}?` })(answer, call);
  }),
  'two-codes-for-404': answering(both(noSuchTool, familyExists), errorFields({ code: 'tenant_api.no_such_verb' })),
  'message-of-404-by-length-of-name': answering(
    both(noSuchTool, (_, { toolName }) => toolName.length > 12),
    errorFields({ message: 'There is no such tool' }),
  ),
  'suggestion-in-header-of-404': answering(both(noSuchTool, familyExists), (answer, call) =>
    headers({ link: `</docs/${family(call)?.toLowerCase()}>; rel="help"` })(answer, call),
  ),
  'unknown-tool-named-in-header': answering(noSuchTool, (answer, call) =>
    headers({ 'x-tool': call.toolName })(answer, call),
  ),

  'form-bodies-read': forgiving((text) =>
    /^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined,
  ),
  'json-without-quotes-read': forgiving((text) => asObject(parsed(text.replace(/\{(\w+):/, '{"$1":')))),
  'text-behind-json-ignored': forgiving((text) => asObject(parsed(/^\{[^{}]*\}/.exec(text)?.[0] ?? ''))),
  'broken-json-is-no-body': forgiving((text) => (parsed(text) === undefined ? {} : undefined)),
  'text-parsed-twice': forgiving((text) => {
    const once = parsed(text);
    return typeof once === 'string' ? (asObject(parsed(once)) ?? {}) : undefined;
  }),
  'object-in-a-text-read': forgiving((text) => {
    const once = parsed(text);
    return typeof once === 'string' ? asObject(parsed(once)) : undefined;
  }),
  'number-is-an-object': emptyWhere((value) => typeof value === 'number'),
  'falsy-body-is-no-body': emptyWhere((value) => !value),
  'true-is-an-object': emptyWhere((value) => value === true),
  'null-is-no-body': emptyWhere((value) => value === null),
  'empty-array-is-no-body': emptyWhere((value) => Array.isArray(value) && value.length === 0),
  'batch-of-one-run': forgiving((text) => {
    const batch = parsed(text);
    return Array.isArray(batch) && batch.length === 1 ? asObject(batch[0]) : undefined;
  }),
  'arrays-are-objects': emptyWhere(Array.isArray),
  'large-array-as-413': answering(isTooLarge, sentAs(413)),
  'large-array-with-code-of-its-own': answering(isTooLarge, errorFields({ code: 'tenant_api.too_many_messages' })),
  'malformed-with-mcp-code': answering(isMalformed, errorFields({ code: 'tenant_mcp.malformed_body' })),
  'malformed-as-invalid-arguments': answering(isMalformed, () =>
    refusal('boundary', {
      code: 'invalid_arguments',
      message: 'The body is not a JSON object.',
      issues: [{ path: '', message: 'expected an object' }],
    }),
  ),
  'malformed-forgiven-by-knowledge-search': forgivenBy('knowledge.search'),
  'malformed-forgiven-by-credits-balance': skipping('readBody', calls('credits.balance')),
  'malformed-forgiven-by-create-request': forgivenBy('content.create_request'),
  'malformed-forgiven-by-images-generate': forgivenBy('images.generate'),
  'body-wanted-by-schedule-read': bodyWantedBy('schedule.read'),
  'body-wanted-by-connections-status': bodyWantedBy('connections.status'),
  'body-wanted-by-credits-balance': bodyWantedBy('credits.balance'),
  'content-type-wanted': bodyWantedBy(...toolNames),

  'issues-left-out': answering(invalid, fields({ issues: undefined })),
  'issues-empty-from-images-generate': answering(both(invalid, from('images.generate')), fields({ issues: [] })),
  'first-bad-field-only': answering(
    invalid,
    list('issues', (issues) => issues.slice(0, 1)),
  ),
  'issue-at-the-root': answering(
    invalid,
    each('issues', (issue) => ({ ...issue, path: '' })),
  ),
  'batch-of-one-refused-as-call': instead(
    'readBody',
    (call) => /^\[\{.+\}\]$/.test(sent(call)),
    () => refusal('boundary', { code: 'no_batches', message: 'One call at a time.' }),
  ),
};
