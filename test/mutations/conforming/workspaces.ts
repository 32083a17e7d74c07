import { refusalCodes } from '../../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../../fixtures/contract/headers.ts';
import { limits } from '../../../fixtures/contract/limits.ts';
import { refusal } from '../../../stub/server/responses.ts';
import { dayOf, isRealDay } from '../../../stub/server/state/calendar.ts';
import { refusingAs } from '../../../stub/variants/changes/arguments.ts';
import { type Change, changing, fields, headers, unreachable } from '../../../stub/variants/changes/responses.ts';
import { around } from '../../../stub/variants/changes/steps.ts';
import { named } from '../../../stub/variants/conforming/workspaces.ts';
import type { Variant } from '../../../stub/variants/defect.ts';

const pastDays = around('checkArguments', (check) => (call) => {
  const response = check(call);
  if (response !== undefined || call.tool !== 'content.create_request') return response;
  if (String(call.args.day) >= dayOf(call.state.clock.now())) return undefined;
  return refusal('tool', { code: 'day_is_over', message: 'That day is over. Choose today or a later one.' });
});

const pinStays = named((rung) => (key, asked) => (key.pin === null ? rung(key, asked) : undefined));
const asInvalidArguments: Change = (response, call) => ({
  ...response,
  headers: headers({ [responseHeaders.toolError]: 'true' })(response, call).headers,
  body: {
    ...response.body,
    code: call.behavior.codes.invalidArguments,
    issues: [{ path: 'workspace', message: 'no workspace that this key reaches' }],
  },
});

/** Variants of workspaces and of content request arguments. */
export const workspaceVariants = {
  'impossible-days-refused': {
    what: 'refuses days that match the pattern and do not exist',
    room: 'content.create_request: day has a pattern',
    deviation: refusingAs(
      'there is no such day',
      'day',
      (value) => !isRealDay(String(value)),
      'content.create_request',
    ),
  },
  'past-days-refused': {
    what: 'refuses past days with a code of its own',
    room: 'content.create_request: codes of its own are not shown',
    deviation: pastDays,
  },
  'titles-in-utf-16': {
    what: 'counts the length of a title in UTF-16 units',
    room: 'Limits: what counts as a character is not said',
    deviation: refusingAs(
      `expected at most ${limits.title.most} characters`,
      'title',
      (value) => String(value ?? '').length > limits.title.most,
      'content.create_request',
    ),
  },
  'slugs-trimmed': {
    what: 'ignores white space around a slug',
    room: 'Workspace: what a slug with white space means is not said',
    deviation: named((rung) => (key, asked) => rung(key, asked?.trim())),
  },
  'pin-stays': {
    what: 'keeps a pinned key in its workspace whatever the argument says, and names that one',
    room: 'Authentication, item 6: the order of the ways is not shown',
    decides: 'pinned key with an argument',
    deviation: pinStays,
  },
  'unreachable-as-invalid-arguments': {
    what: `refuses unreachable workspaces as ${refusalCodes.invalidArguments}`,
    room: 'Tool refusals: the code of an unreachable workspace is not shown',
    deviation: changing(unreachable, asInvalidArguments),
  },
  'unreachable-without-choices': {
    what: 'lists no workspaces when it refuses an unreachable one',
    room: 'Error envelopes: workspaces is not required',
    deviation: changing(unreachable, fields({ workspaces: undefined })),
  },
} satisfies Readonly<Record<string, Variant>>;
