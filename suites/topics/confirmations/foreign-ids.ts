import { confirming, type Proposal, propose } from '../requests/proposals.ts';
import { obtainUsedIdAfterNeverIssued } from '../requests/used-ids.ts';
import type { Args, Steps } from '../steps.ts';
import { story } from '../story.ts';
import { invalid, likeNeverIssued } from './invalid-ids.ts';

export const spending = ['proposals', 'spending'] as const;

/** Presents IDs that were issued in another workspace or to another account. */
export const foreignIds = story('IDs issued elsewhere', {
  needs: { effects: spending, settings: ['board'] },
  images: 1,
  steps: async (t) => {
    await obtainUsedIdAfterNeverIssued(t);
    await t.part(async () => {
      const there = { workspace: t.setting('otherWorkspace'), board: t.setting('otherBoard') };
      const theirs = await propose(t, 'propose in the other workspace', there);
      await presentHere(t, theirs);
    });
    await t.part(async () => {
      const there = { workspace: t.setting('otherAccountWorkspace'), board: t.setting('otherAccountBoard') };
      t.key('otherAccount');
      const theirs = await propose(t, 'propose as the other account', there, { as: 'otherAccount' });
      await presentHere(t, theirs);
      const ours = await propose(t, 'propose here');
      // The other account sends a request that it proposed successfully, so the ID is the only error.
      await t.send('present the ID as the other account', {
        ...confirming({ ...ours, args: theirs.args }),
        as: 'otherAccount',
      });
    });
  },
  requirements: [
    invalid(
      'confirmations.other-workspace-invalid',
      'issued in another workspace',
      'a confirmation ID that was issued in another workspace',
      { severity: 'data-isolation' },
    ),
    invalid(
      'confirmations.other-account-invalid',
      'issued to another account',
      'a confirmation ID that was issued to another account',
      { severity: 'data-isolation' },
    ),
    likeNeverIssued(
      'confirmations.other-workspace-like-never-issued',
      'issued in another workspace',
      'a confirmation ID of another workspace',
    ),
    likeNeverIssued(
      'confirmations.other-account-like-never-issued',
      'issued to another account',
      'a confirmation ID of another account',
      'data-isolation',
    ),
  ],
});

/** Presents a foreign ID with the local request, unchanged and with changes. */
async function presentHere(t: Steps, { id }: Pick<Proposal, 'id'>): Promise<void> {
  const here = { id, args: t.proposal() };
  await t.send('present the foreign ID', confirming(here));
  for (const change of changes(t))
    await t.send('present the foreign ID with a changed request', confirming(here, change));
}

/** Returns changes to values that the server accepts in proposals, as a second error in addition to the ID. */
function changes(t: Steps): Args[] {
  const { count, shape, brief } = t.proposal();
  const other = t.deployment.shapes.find((entry) => entry !== shape);
  return [{ count: Number(count) + 1, brief }, ...(other === undefined ? [] : [{ shape: other, brief }])];
}
