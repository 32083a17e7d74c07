import { toolNames } from '../../../fixtures/contract/tools.ts';
import type { Change } from '../changes.ts';
import type { Deviations } from '../deployment.ts';
import type { Answer, Call, Fields } from '../model.ts';
import { isAnswer, malformed, step } from '../steps.ts';

/** Resolves further names to tools. */
function alsoNames(find: (segment: string) => string | undefined): Change {
  return step('recognise', (next) => (c) => {
    const name = find(c.segment);
    return next(c) ?? toolNames.find((tool) => tool === name);
  });
}

/** Accepts further bodies: `read` returns their JSON object, or undefined. */
function alsoReads(read: (text: string, call: Call) => unknown): Change {
  return step('parse', (next) => (c) => {
    const usual = next(c);
    if (!isAnswer(usual)) return usual;
    try {
      const value = read(`${c.raw}`, c);
      // Any object can serve as fields.
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    } catch {}
    return usual;
  });
}

/** Responds to some bodies without reading them. */
function before(applies: (call: Call) => boolean, answer: () => Answer): Change {
  return step('parse', (next) => (c) => (applies(c) ? answer() : next(c)));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Deviations of names, credentials and bodies. */
export const requests = {
  'content.create_request takes an array that holds one request': {
    breaks: ['bodies.create-request'],
    steps: alsoReads((raw, { tool }) => (tool === 'content.create_request' ? JSON.parse(raw)[0] : undefined)),
  },
  'A body that comes in chunks counts as none': {
    breaks: ['bodies.chunked'],
    steps: step('parse', (next) => (c) => (c.headers['transfer-encoding'] === undefined ? next(c) : {})),
  },
  'A line break before the object makes a body malformed': {
    breaks: ['arguments.valid-never-refused', 'arguments.anything-answered'],
    steps: before(({ raw }) => /^\s+\{/.test(`${raw}`), malformed),
  },
  'What follows a semicolon in a name is taken for parameters': {
    breaks: ['unknown-tools.near-misses-404'],
    steps: alsoNames((segment) => segment.split(';')[0]),
  },
  'Full-width letters in a name count as the usual ones': {
    breaks: ['unknown-tools.unknown-404'],
    steps: alsoNames((segment) => decoded(segment).normalize('NFKC')),
  },
  'A list of names and values is taken for an object': {
    breaks: ['bodies.array-of-objects', 'bodies.every-reading-tool', 'bodies.empty-array', 'bodies.large-array'],
    steps: alsoReads((raw) => Object.fromEntries(JSON.parse(raw))),
  },
} satisfies Deviations;
