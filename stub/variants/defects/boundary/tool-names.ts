import { isToolName, toolNames } from '../../../../fixtures/contract/tools.ts';
import { nearest } from '../../../../suites/usage/nearest.ts';
import type { Call } from '../../../server/behavior.ts';
import { refusal, success } from '../../../server/responses.ts';
import { both, changing, errorFields, headers, sentAs, status, type When } from '../../changes/responses.ts';
import { before, instead } from '../../changes/steps.ts';
import type { Deviation } from '../../deviation.ts';
import { defect } from '../defect.ts';

/** Finds tools by other names. */
const finding = (find: (name: string) => string | undefined): Deviation =>
  before('findTool', (call) => {
    const name = call.tool ?? find(call.toolName);
    if (name !== undefined && isToolName(name)) call.tool = name;
  });

const noSuchTool = status(404);
const familyExists: When = (_, { toolName }) => toolNames.some((name) => name.startsWith(`${toolName.split('.')[0]}.`));
const family = ({ toolName }: Call): string | undefined => toolName.split('.', 1)[0];

/** Defects in the handling of unknown tools. */
export const toolNameDefects = {
  'unknown-family-of-tools-as-400': defect('returns 400 for a tool of an unknown family')
    .breaks('unknown-tools.unknown-404', 'unknown-tools.near-misses-404')
    .by(
      changing(
        both(noSuchTool, (response, call) => call.toolName.includes('.') && !familyExists(response, call)),
        sentAs(400),
      ),
    ),
  'unknown-tool-as-refusal': defect('returns 200 and a refusal for an unknown tool')
    .breaks('unknown-tools.unknown-404', 'unknown-tools.near-misses-404', 'unknown-tools.prototype-names-404')
    .by(
      instead(
        'findTool',
        ({ tool }) => tool === undefined,
        () => refusal('boundary', { code: 'no_such_tool', message: 'There is no such tool.' }),
      ),
    ),
  'tool-names-in-any-case': defect('finds tools in any letter case')
    .breaks('unknown-tools.near-misses-404')
    .by(finding((name) => name.toLowerCase())),
  'tool-names-with-underscore': defect('finds tools with an underscore or a dash for the dot')
    .breaks('unknown-tools.near-misses-404')
    .by(finding((name) => toolNames.find((tool) => tool.replace(/[._]/g, '') === name.replace(/[._-]/g, '')))),
  'tool-names-cut-at-odd-letters': defect('finds tools with a dot or an underscore after their name')
    .breaks('unknown-tools.near-misses-404')
    .by(finding((name) => name.replace(/[._]+$/, ''))),
  'tool-names-by-their-start': defect('finds the first tool whose name begins with the name in the path')
    .breaks('unknown-tools.near-misses-404')
    .by(finding((name) => toolNames.find((tool) => tool.startsWith(name)))),
  'tool-names-trimmed': defect('trims spaces around the names of tools')
    .breaks('unknown-tools.near-misses-404')
    .by(finding((name) => name.replaceAll('%20', ' ').trim())),
  'encoded-tool-name-as-400': defect('returns 400 for a tool name that contains a percent sign')
    .breaks('unknown-tools.unknown-404', 'unknown-tools.near-misses-404')
    .by(
      changing(
        both(noSuchTool, (_, { toolName }) => toolName.includes('%')),
        sentAs(400),
      ),
    ),
  'prototype-member-is-a-tool': defect('finds constructor among the tools and returns an empty result')
    .breaks('unknown-tools.prototype-names-404')
    .by(
      instead(
        'findTool',
        ({ toolName }) => toolName === 'constructor',
        () => success({ ok: true }),
      ),
    ),
  'unknown-tool-named-in-404': defect('repeats the name of the unknown tool in its message')
    .breaks('unknown-tools.name-not-in-body', 'unknown-tools.uniform-body')
    .by(
      changing(noSuchTool, (response, call) =>
        errorFields({ message: `There is no tool ${call.toolName}.` })(response, call),
      ),
    ),
  'did-you-mean-in-404': defect('suggests the tool that was probably meant')
    .breaks('unknown-tools.uniform-body')
    .by(
      changing(noSuchTool, (response, call) => {
        const meant = nearest(call.toolName, toolNames);
        return meant === undefined ? response : errorFields({ message: `Did you mean ${meant}?` })(response, call);
      }),
    ),
  'two-codes-for-404': defect('returns a different error code for an unknown tool with a known prefix')
    .breaks('unknown-tools.uniform-body')
    .by(changing(both(noSuchTool, familyExists), errorFields({ code: 'tenant_api.no_such_verb' }))),
  'message-of-404-by-length-of-name': defect('ends the message of the 404 for a long name without its full stop')
    .breaks('unknown-tools.uniform-body')
    .by(
      changing(
        both(noSuchTool, (_, { toolName }) => toolName.length > 12),
        errorFields({ message: 'There is no such tool' }),
      ),
    ),
  'suggestion-in-header-of-404': defect('links to the documentation of the family of tools in a header of the 404')
    .breaks('unknown-tools.uniform-headers')
    .by(
      changing(both(noSuchTool, familyExists), (response, call) =>
        headers({ link: `</docs/${family(call)?.toLowerCase()}>; rel="help"` })(response, call),
      ),
    ),
  'unknown-tool-named-in-header': defect('repeats the name of the unknown tool in a header')
    .breaks('unknown-tools.name-not-in-headers', 'unknown-tools.uniform-headers')
    .by(changing(noSuchTool, (response, call) => headers({ 'x-tool': call.toolName })(response, call))),
};
