import { limits } from '../../fixtures/contract/limits.ts';
import { typeHint } from './answers.ts';
import { unknownRefused, unreachableRefused } from './reach.ts';
import type { Rule } from './rule.ts';
import { refusesField } from './violations.ts';

const tools = ['content.create_request'] as const;

const dayHint = 'Require a day to be written YYYY-MM-DD and nothing else: anchor the pattern at both ends.';

/** How other scripts, and what follows the end of a line, are counted and matched is not said. */
const isAscii = (value: unknown) => /^[ -~]*$/.test(String(value).replace(/\n(?=.)/g, ' '));
const holdsDate = (value: unknown) => /\d{4}-\d{2}-\d{2}/.test(String(value));

/** Arguments with which a content request is refused. */
export const contentRequestArguments: readonly Rule[] = [
  refusesField('content-requests.format-missing-refused', tools, 'format', ['missing'], 'Require format.'),
  refusesField(
    'content-requests.format-unknown-refused',
    tools,
    'format',
    ['value'],
    'Accept only the five formats, exactly as they are spelled.',
  ),
  refusesField('content-requests.format-wrong-type-refused', tools, 'format', ['type'], typeHint),
  refusesField('content-requests.day-missing-refused', tools, 'day', ['missing'], 'Require day.'),
  refusesField(
    'content-requests.day-pattern-refused',
    tools,
    'day',
    ['pattern'],
    dayHint,
    (day) => isAscii(day) && !holdsDate(day),
  ),
  refusesField(
    'content-requests.day-anchored-refused',
    tools,
    'day',
    ['pattern'],
    dayHint,
    (day) => isAscii(day) && holdsDate(day),
  ),
  refusesField('content-requests.day-wrong-type-refused', tools, 'day', ['type'], typeHint),
  refusesField(
    'content-requests.title-empty-refused',
    tools,
    'title',
    ['too-short'],
    'Refuse an empty title as too short: a request for an untitled piece omits the field.',
  ),
  refusesField(
    'content-requests.title-too-long-refused',
    tools,
    'title',
    ['too-long'],
    `Refuse a title of more than ${limits.title.most} characters; do not truncate it.`,
    isAscii,
  ),
  refusesField('content-requests.title-wrong-type-refused', tools, 'title', ['type'], typeHint),
  refusesField(
    'content-requests.unknown-property-refused',
    tools,
    null,
    ['property'],
    'Refuse every property that the request does not define, whatever its name and its value.',
  ),
  refusesField(
    'content-requests.workspace-empty-refused',
    tools,
    'workspace',
    ['too-short'],
    'Require a slug of at least 1 character.',
  ),
  refusesField('content-requests.workspace-wrong-type-refused', tools, 'workspace', ['type'], typeHint),
  unknownRefused('content-requests.workspace-unknown-refused', tools),
  unreachableRefused('content-requests.workspace-unreachable-refused', tools),
];
