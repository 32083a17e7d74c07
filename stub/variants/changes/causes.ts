import { type Deviation, together } from '../deviation.ts';
import { answering, aroundTool, type Change, confirmationInvalid } from './responses.ts';

/** Why an id confirms nothing. */
export type Cause = 'never issued' | 'used' | 'of another workspace' | 'of another account' | 'expired';

interface Issued {
  readonly workspace: string;
  readonly account: string;
  used: boolean;
}

/** Changes `confirmation_invalid` where it has this cause, which a conforming stub forgets on purpose. */
export const presenting =
  (cause: Cause, ...changes: readonly Change[]): Deviation =>
  (rules) => {
    const issued = new Map<string, Issued>();
    const noting = aroundTool('images.generate', (generate) => (call) => {
      const answer = generate(call);
      const { confirmation_id: fresh, status } = answer.body;
      const known = issued.get(call.args.confirmation_id ?? '');
      if (status === 'dispatched' && known !== undefined) known.used = true;
      if (typeof fresh === 'string') {
        issued.set(fresh, { workspace: call.place.workspace.content.slug, account: call.account.id, used: false });
      }
      return answer;
    });
    const telling = answering(
      (answer, call) => {
        if (!confirmationInvalid(answer, call)) return false;
        const known = issued.get(String(call.args.confirmation_id));
        return cause === causeOf(known, call.key?.account, call.place?.workspace.content.slug);
      },
      ...changes,
    );
    return together(noting, telling)(rules);
  };

function causeOf(issued: Issued | undefined, account: string | undefined, workspace: string | undefined): Cause {
  if (issued === undefined) return 'never issued';
  if (issued.used) return 'used';
  if (issued.account !== account) return 'of another account';
  return issued.workspace === workspace ? 'expired' : 'of another workspace';
}
