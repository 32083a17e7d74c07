import { quoted, refusalCodes } from '../../../fixtures/contract/codes.ts';
import { must } from '../../../fixtures/requirements/model.ts';
import { confirming, type Proposal, propose } from '../requests/proposals.ts';
import { obtainUsedId } from '../requests/used-ids.ts';
import type { Args, Steps } from '../steps.ts';
import { story } from '../story.ts';
import { invalid, likeNeverIssued } from './invalid-ids.ts';

export const spending = ['proposals', 'spending'] as const;

/** Presents IDs that were issued in another workspace or to another account. */
export const foreignIds = story('IDs issued elsewhere', {
  needs: { effects: spending, settings: ['board'] },
  images: 1,
  steps: async (t) => {
    await obtainUsedId(t);
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
      must(
        'confirmations.other-workspace-invalid',
        `The server MUST return ${quoted.confirmationInvalid} for a confirmation ID that was issued in another ` +
          'workspace.',
        `Confirmation of a spending action, rule 3; Errors, ${refusalCodes.confirmationInvalid}`,
        'data-isolation',
      ),
      'issued in another workspace',
    ),
    invalid(
      must(
        'confirmations.other-account-invalid',
        `The server MUST return ${quoted.confirmationInvalid} for a confirmation ID that was issued to another ` +
          'account.',
        `Confirmation of a spending action, rule 3; Errors, ${refusalCodes.confirmationInvalid}`,
        'data-isolation',
      ),
      'issued to another account',
    ),
    likeNeverIssued(
      must(
        'confirmations.other-workspace-like-never-issued',
        'The server MUST return the same refusal for a confirmation ID of another workspace as for one that ' +
          'was never issued.',
        `Confirmation of a spending action, rule 3; Errors, ${refusalCodes.confirmationInvalid}`,
      ),
      'issued in another workspace',
    ),
    likeNeverIssued(
      must(
        'confirmations.other-account-like-never-issued',
        'The server MUST return the same refusal for a confirmation ID of another account as for one that ' +
          'was never issued.',
        `Confirmation of a spending action, rule 3; Errors, ${refusalCodes.confirmationInvalid}`,
        'data-isolation',
      ),
      'issued to another account',
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
