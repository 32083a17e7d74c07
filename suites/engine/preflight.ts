import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { formats } from '../../fixtures/contract/enums.ts';
import { body, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { brief as inBrief, isRecord } from '../json.ts';
import { declinedForCredits, declinedWith } from '../model/world/house-rules.ts';
import { isProposal } from '../model/world/ids.ts';
import type { TestedDeployment } from '../topics/deployment.ts';
import { briefs, dayAfter } from '../topics/requests/proposals.ts';
import type { Args, Steps } from '../topics/steps.ts';
import { counted } from '../usage/counted.ts';

/** Counts to try, the most likely first, because the specification does not show their bounds. */
const counts = [1, 2, 3, 4, 8];
const mostTries = 18;

const mostFailures = 2;

export type AcceptedValues = Pick<TestedDeployment, 'proposal' | 'noProposal' | 'contentRequest' | 'noContentRequest'>;

/** Days from now, on different weekdays, near and far, because no particular day is guaranteed to be open. */
const daysAhead = [9, 3, 5, 6, 4, 21];

/** Returns the requests to try: on other days, then in other formats, then without a title. */
function contentRequests(t: Steps): Args[] {
  const days = daysAhead.map((later) => dayAfter(t.deployment.startedAt, later));
  const usual = t.here({ format: 'posts', day: days[0], title: `tck ${t.deployment.runId} preflight` });
  const others = formats.filter((format) => format !== usual.format);
  return [
    ...days.map((day) => ({ ...usual, day })),
    ...others.map((format) => ({ ...usual, format })),
    { ...usual, title: undefined },
  ];
}

/** Finds a request of `content.create_request` that the deployment accepts. The exchanges prove it. */
export async function learnContentRequest(t: Steps): Promise<AcceptedValues> {
  const said: string[] = [];
  for (const args of contentRequests(t)) {
    const response = await t.send('find a request that is accepted', { tool: 'content.create_request', args });
    if (isSuccess(response)) return { contentRequest: args };
    said.push(
      isRefusal(response) ? `declined with code ${inBrief(codeOf(response))}` : `responded with ${statusOf(response)}`,
    );
    // After a short failure of a gateway, another request may succeed.
    if (!isRefusal(response) && statusOf(response) < 500) break;
  }
  const ways = [...new Set(said)].join(', ');
  const tried = counted(said.length, 'combination');
  return { noContentRequest: `content.create_request ${ways} (tried ${tried} of day and format)` };
}

const codeOf = (response: Response) => declinedWith(response) ?? body(response).code;
const statusOf = ({ response }: Response) => response.status;

/** Finds a request of `images.generate` that the deployment accepts. The exchanges prove it. */
export async function learnProposal(t: Steps): Promise<AcceptedValues> {
  // The brief comes first, because its words are the most likely reason to decline.
  const left: Record<string, unknown[]> = {
    brief: briefs(t.deployment.runId),
    shape: t.target.shape === undefined ? [...t.deployment.shapes] : [t.target.shape],
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

/** Returns the argument that a refusal may concern, if other values are left to try. */
function concerned(response: Response, left: Readonly<Record<string, unknown[]>>): string | undefined {
  const names = Object.keys(left).filter((name) => (left[name]?.length ?? 0) > 1);
  if (declinedWith(response) !== undefined) return names[0];
  if (!isRefusal(response, refusalCodes.invalidArguments)) return undefined;
  const { issues } = body(response);
  const isNamedInIssues = (name: string) =>
    Array.isArray(issues) &&
    issues.some((issue) => JSON.stringify(isRecord(issue) ? issue.path : issue).includes(name));
  return Array.isArray(issues) && issues.length > 0 ? names.find(isNamedInIssues) : names[0];
}

function said(response: Response): string {
  if (!isRefusal(response)) return `images.generate returned ${statusOf(response)}`;
  const { code, issues } = body(response);
  return [code, ...(issues === undefined ? [] : [issues])].map((detail) => inBrief(detail)).join(', ');
}
