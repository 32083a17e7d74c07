import { type IssuedId, isProposal } from '../../model/world/ids.ts';
import type { Seen } from '../../model/world/seen.ts';
import { resembling } from '../requests/mutations.ts';
import { hexadecimal, neverIssued, otherCase, propose } from '../requests/proposals.ts';
import type { Steps } from '../steps.ts';
import { story, toPropose } from '../story.ts';
import { neverDispatches, proposeAside } from './claimed-confirmations.ts';
import { tool } from './proposals.ts';

/** Returns an issued ID that a text resembles, and that was not used. */
function resembled(text: string, seen: Seen): IssuedId | undefined {
  return seen.ids.resembled(
    text,
    ({ presentations }) => ![...presentations.values()].some(({ outcome }) => outcome === 'dispatched'),
  );
}

/** Texts that a program may treat specially instead of as an ID. */
export const words = ['latest', 'true', 'null', 'undefined', '*'];

/** Most proposals in response to invalid IDs before the story stops sending them. */
const mostProposed = 2;

const otherEnd = (id: string) => (/[0-4]$/.test(id) ? '9' : '2');

// Each story sends its requests in sequence, so that the run stops after the first unwanted image.

export const resemblingIds = story('IDs that resemble an issued one', {
  needs: toPropose,
  steps: async (t) => {
    const { id, args } = await proposeAside(t);
    let proposed = 0;
    for (const confirmation_id of idsNear(t, id)) {
      const asked = { tool, args: { ...args, confirmation_id } };
      if (isProposal(await t.send('propose with an ID that resembles the issued one', asked))) proposed += 1;
      // Each of these proposals may have cost an image, and more of them would prove nothing new.
      if (proposed === mostProposed) break;
    }
  },
  requirements: [
    neverDispatches(
      'image-proposals.near-miss-id-never-confirms',
      'whose `confirmation_id` only resembles an issued one',
      ({ id }, seen) =>
        seen.knowledge.complete &&
        typeof id === 'string' &&
        id !== '' &&
        seen.ids.wasIssued(id) === false &&
        resembled(id, seen) !== undefined,
      'Compare the whole ID exactly: an ID that only resembles an issued one was never issued.',
      'Confirmation of a spending action, rule 3',
    ),
  ],
});

export const valuesForIds = story('values that are not an ID', {
  needs: toPropose,
  steps: async (t) => {
    const proposal = await proposeAside(t);
    const { id, args } = proposal;
    await t.send('present an ID that was never issued', neverIssued(t, proposal));
    await propose(t, 'propose the same request again', args);
    for (const confirmation_id of ['', null, true, 5, [id]]) {
      await t.send('propose with a value that is not an ID', { tool, args: { ...args, confirmation_id } });
    }
    for (const confirmation_id of ['', null]) {
      const more = { confirm: true, confirmed: true, approved: true, confirmation_id };
      await t.send('propose with a value that is not an ID and other arguments', { tool, args: { ...args, ...more } });
    }
    const turn = t.turn('words for ids');
    // Some languages treat the text `0` as no ID.
    for (const word of ['0', words[turn % words.length]]) {
      const asked = { ...args, confirmation_id: word };
      await t.send('propose with a word as the ID', { tool, args: asked, invented: ['confirmation_id'] });
    }
  },
  requirements: [
    neverDispatches(
      'image-proposals.empty-id-never-confirms',
      'with an empty `confirmation_id`',
      ({ id }) => id === '',
      'Treat an empty ID as one that was never issued.',
    ),
    neverDispatches(
      'image-proposals.null-id-never-confirms',
      'with `null` as `confirmation_id`',
      ({ id }) => id !== undefined && typeof id !== 'string',
      'Accept only a string as confirmation_id; do not dispatch for null, true, a number or an array.',
    ),
  ],
  alsoTests: ['headers.tool-error-on-confirmation-invalid'],
});

/** Returns IDs that a careless comparison takes for the issued one. */
function idsNear(t: Steps, id: string): ReadonlySet<string> {
  const spellings = hexadecimal.test(id) ? [] : [otherCase(id), id.replaceAll('-', '')];
  const [bare = id] = id.split(/[_-]/).slice(-1);
  const parts = [
    ...(id.length >= 10 ? [id.slice(0, -1), bare] : []),
    // A shorter ID may belong to another client's proposal.
    ...(id.length >= 20 ? [`${id.slice(0, -1)}${otherEnd(id)}`] : []),
  ];
  const near = [` ${id} `, ...spellings, ...parts, ...resembling(t, 'ids', id, ['identifier.shorter'])];
  return new Set(near.filter((other) => other !== id));
}
