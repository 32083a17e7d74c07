import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Answered, body, isRefusal, isSuccess } from '../exchange.ts';
import { marksOf } from '../history/redaction/marks.ts';
import { redactor } from '../history/redaction/redactor.ts';
import { member } from '../json.ts';
import { Session } from '../session/session.ts';
import { defaultMaxImages, defaultPace, type Target } from '../target.ts';

/** A key that somebody wants to have a role found for. */
export interface CandidateKey {
  /** Environment variable that holds it. */
  variable: string;
  key: string;
}

/** What read-only calls tell about one key. */
export type Probed = CandidateKey &
  (
    | { kind: 'refused' }
    | { kind: 'closed'; code: string; message: string }
    | {
        kind: 'served';
        /**
         * How its workspace was resolved, `workspace_ambiguous` where it was not, or null where the answer does not
         * say.
         */
        source: string | null;
        /** The workspace that it works in by itself. */
        workspace: string | null;
        /** Workspaces that it reaches, in the order in which they became known. */
        reach: string[];
        /** Null where it is not told, or changes meanwhile. */
        balance: number | null;
      }
    | { kind: 'unclear'; why: string }
  );

type Served = Extract<Probed, { kind: 'served' }>;

/**
 * Finds out what each key can do, by reading only; then which of the workspaces that any of them named each one
 * reaches.
 */
export async function probe(baseUrl: string, keys: readonly CandidateKey[], signal: AbortSignal): Promise<Probed[]> {
  const probed: Probed[] = [];
  const holdsKey = keyFinder(keys);
  for (const key of keys) {
    const one = await withSession(baseUrl, key, signal, (session) => probeKey(session, key));
    const leaks = one.kind === 'served' && one.reach.some(holdsKey);
    probed.push(leaks ? { ...key, kind: 'unclear', why: 'a workspace in the response contains a key' } : one);
  }
  const served = probed.filter((one) => one.kind === 'served');
  const slugs = [...new Set(served.flatMap(({ reach }) => reach))];
  for (const one of served) await withSession(baseUrl, one, signal, (session) => widen(session, one, slugs));
  // Who spends meanwhile makes the balances of one account differ.
  for (const one of served) one.balance = await withSession(baseUrl, one, signal, balanceOf);
  for (const one of served) {
    if (one.balance !== (await withSession(baseUrl, one, signal, balanceOf))) one.balance = null;
  }
  return probed;
}

/** Whether a slug contains one of the keys, or the mark that replaced the key of its session. */
function keyFinder(keys: readonly CandidateKey[]): (slug: string) => boolean {
  const redact = redactor(new Map(keys.map(({ key, variable }) => [key, variable])));
  const marks = marksOf(['primary']);
  return (slug) => marks.test(slug) || redact(slug) !== slug;
}

async function withSession<T>(
  baseUrl: string,
  { key, variable }: CandidateKey,
  signal: AbortSignal,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  // Under which role a key is tried says nothing about the role it plays.
  const target: Target = {
    baseUrl,
    kind: 'url',
    keys: { primary: { role: 'primary', key, variable } },
    workspaces: [],
    allow: [],
    maxImages: defaultMaxImages,
    pace: defaultPace,
    headers: [],
    secrets: [key],
  };
  const session = new Session(target, signal, () => {});
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

function read(session: Session, tool: string, args: Record<string, string> = {}): Promise<Answered> {
  const credential = session.credential('primary');
  if (credential === undefined) throw new Error('the session has no key');
  return session.send({ tool, credential, args });
}

async function probeKey(session: Session, key: CandidateKey): Promise<Probed> {
  const answer = await read(session, 'connections.status');
  const { status, json } = answer.answer;
  if (status === 401) return { ...key, kind: 'refused' };
  if (status === 403) {
    return { ...key, kind: 'closed', code: textOf(json, 'error', 'code'), message: textOf(json, 'error', 'message') };
  }
  const ambiguous = isRefusal(answer, refusalCodes.workspaceAmbiguous);
  if (!ambiguous && !isSuccess(answer))
    return { ...key, kind: 'unclear', why: `the deployment responded with ${status}` };
  const { workspace, workspaces, working_in: workingIn } = body(answer);
  const listed = Array.isArray(workspaces) ? workspaces.filter((slug) => typeof slug === 'string') : [];
  const resolved = typeof workspace === 'string' ? workspace : null;
  const source = textOf(workingIn, 'source');
  return {
    ...key,
    kind: 'served',
    source: ambiguous ? refusalCodes.workspaceAmbiguous : source === '' ? null : source,
    workspace: resolved,
    reach: resolved === null ? listed : [resolved],
    balance: null,
  };
}

async function balanceOf(session: Session): Promise<number | null> {
  const { balance } = body(await read(session, 'credits.balance'));
  return typeof balance === 'number' ? balance : null;
}

/** Adds to a key's reach the workspaces that it can name. */
async function widen(session: Session, served: Served, slugs: readonly string[]): Promise<void> {
  for (const workspace of slugs) {
    if (served.reach.includes(workspace)) continue;
    const answer = await read(session, 'connections.status', { workspace });
    if (isSuccess(answer) && body(answer).workspace === workspace) served.reach.push(workspace);
  }
}

function textOf(value: unknown, ...path: string[]): string {
  const found = member(value, ...path);
  return typeof found === 'string' ? found : '';
}
