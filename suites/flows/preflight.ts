import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { formats } from '../../fixtures/contract/enums.ts';
import { body, isRefusal, isSuccess } from '../history/exchange.ts';
import { brief as inBrief, isRecord } from '../json.ts';
import { declinedForCredits, declinedWith } from '../rules/match/declined.ts';
import { isProposal } from '../rules/seen/ids.ts';
import type { Args, Known, Steps } from './steps.ts';

/** Values to ask with, most likely to be accepted first: their bounds are not shown. */
const counts = [1, 2, 3, 4, 8];
const mostTries = 18;

/** How often a proposal is tried again after a 5xx. */
const mostFailures = 2;

/** Briefs of several lengths. */
export function briefs(runId: string): string[] {
  const start = `tck ${runId}: a plain grey square`;
  const sentence = 'It has an even tone, no border, no text and no shadow.';
  const longer = (times: number) => `${start}. ${`${sentence} `.repeat(times).trimEnd()}`;
  return [start, `tck ${runId}`, longer(1), longer(6), 'square', longer(12), longer(3)];
}

export type Learned = Pick<Known, 'proposal' | 'noProposal' | 'contentRequest' | 'noContentRequest'>;

/** The day so many days after a moment, as YYYY-MM-DD in UTC. */
export const dayAfter = (ms: number, days: number): string =>
  new Date(ms + days * 24 * 3600 * 1000).toISOString().slice(0, 10);

/** Days from now, of different weekdays, near and far: no particular day is promised to be open. */
const daysAhead = [9, 3, 5, 6, 4, 21];

/** Requests that may be accepted: on other days, then in another format, then without a title. */
function contentRequests(t: Steps): Args[] {
  const days = daysAhead.map((later) => dayAfter(t.known.startedAt, later));
  const usual = t.here({ format: 'posts', day: days[0], title: `tck ${t.known.runId} preflight` });
  const others = formats.filter((format) => format !== usual.format);
  return [
    ...days.map((day) => ({ ...usual, day })),
    ...others.map((format) => ({ ...usual, format })),
    { ...usual, title: undefined },
  ];
}

/** Finds a request of `content.create_request` that is accepted; the exchanges prove it. */
export async function learnContentRequest(t: Steps): Promise<Partial<Learned>> {
  const said: string[] = [];
  for (const args of contentRequests(t)) {
    const response = await t.send('find a request that is accepted', { tool: 'content.create_request', args });
    if (isSuccess(response)) return { contentRequest: args };
    said.push(
      isRefusal(response) ? `declined with code ${inBrief(codeOf(response))}` : `responded with ${statusOf(response)}`,
    );
    // What was lost with a gateway that fails for a moment may work with another request.
    if (!isRefusal(response) && statusOf(response) < 500) break;
  }
  const ways = [...new Set(said)].join(', ');
  return { noContentRequest: `content.create_request ${ways}, whatever the day and the format (${said.length} tried)` };
}

const codeOf = (response: Response) => declinedWith(response) ?? body(response).code;
const statusOf = ({ response }: Response) => response.status;

/** Finds a request of `images.generate` that is accepted; the exchanges prove it. */
export async function learnProposal(t: Steps): Promise<Partial<Learned>> {
  // Of what may be declined words come first.
  const left: Record<string, unknown[]> = {
    brief: briefs(t.known.runId),
    shape: t.target.shape === undefined ? [...t.known.shapes] : [t.target.shape],
    count: [...counts],
  };
  const first = (name: string) => left[name]?.[0];
  let declined: string | undefined;
  for (let tries = 1; ; tries += 1) {
    const args = t.here({
      board: t.setting('board'),
      brief: first('brief'),
      count: first('count'),
      shape: first('shape'),
    });
    const response = await t.send('find a request that is accepted', { tool: 'images.generate', args });
    if (isProposal(response)) return { proposal: args };
    if (statusOf(response) >= 500 && tries <= mostFailures) continue;
    const code = declinedWith(response);
    declined ??= code === undefined ? undefined : inBrief(code);
    const next = declinedForCredits(response) === undefined ? concerned(response, left) : undefined;
    if (next === undefined || tries === mostTries) {
      const why = declined === undefined ? said(response) : `declined with code ${declined}`;
      return { noProposal: `no proposal was accepted: ${why}` };
    }
    left[next]?.shift();
  }
}

type Response = Awaited<ReturnType<Steps['send']>>;

/** The argument that a refusal may be about and of which other values are left. */
function concerned(response: Response, left: Readonly<Record<string, unknown[]>>): string | undefined {
  const names = Object.keys(left).filter((name) => (left[name]?.length ?? 0) > 1);
  if (declinedWith(response) !== undefined) return names[0];
  if (!isRefusal(response, refusalCodes.invalidArguments)) return undefined;
  const { issues } = body(response);
  const named = (name: string) =>
    Array.isArray(issues) &&
    issues.some((issue) => JSON.stringify(isRecord(issue) ? issue.path : issue).includes(name));
  return Array.isArray(issues) && issues.length > 0 ? names.find(named) : names[0];
}

function said(response: Response): string {
  if (!isRefusal(response)) return `images.generate returned ${statusOf(response)}`;
  const { code, issues } = body(response);
  return [code, ...(issues === undefined ? [] : [issues])].map((each) => inBrief(each)).join(', ');
}
