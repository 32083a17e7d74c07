import { formats } from '../../fixtures/contract/enums.ts';
import { limits, longestWaitMinutes } from '../../fixtures/contract/limits.ts';
import { type ToolName, toolNames } from '../../fixtures/contract/tools.ts';
import { servedRoles } from '../../fixtures/roles.ts';
import { body, type Completed, isCompleted, isSuccess } from '../exchange/exchange.ts';
import { brief } from '../json.ts';
import { isDispatch, isProposal, issuedId, presentedId } from '../model/world/ids.ts';
import { mostRunners, NotTested } from '../session/budget.ts';
import { type Call, type Credential, effectOf, type SentExchange, Unanswered } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { words } from '../topics/image-proposals/claimed-confirmations.ts';
import { seededFraction, seededOrder } from '../topics/random.ts';
import { allResembling, type Mutation, mutationsOf, type ValidRequest } from '../topics/requests/mutations.ts';
import { dayAfter, resemblingId } from '../topics/requests/proposals.ts';
import type { Args, Steps, StoryRequest } from '../topics/steps.ts';

type Sent = StoryRequest & { readonly as: Credential };
type Valid = Sent & ValidRequest;

/** Requests of one step, sent one after another, in parallel, or as copies that end at the same moment. */
interface Step {
  readonly does: string;
  readonly requests: readonly StoryRequest[];
  readonly how?: 'in parallel' | 'together' | undefined;
  /** Such as the key, the tool and the change. Each two of them are a pair. */
  readonly situations: readonly string[];
  readonly minutes?: number;
  /** Whether the step may confirm images. */
  readonly confirms?: true;
}

const image = 'images.generate';
const creation = 'content.create_request';
const { fresh, about, surelyAlive } = limits.confirmation;

/** Ages of confirmation IDs in minutes: certainly valid, close to expiry, and certainly expired. */
const ages = [1, fresh - 1, surelyAlive / 2, about / 2, surelyAlive - 1, surelyAlive, longestWaitMinutes];

/** Quotes, line feeds, patterns, escapes and other scripts, which break titles, briefs and queries. */
const characters = [
  ...['"', "'", '\\', '%', '*', '(', '[', '{{7*7}}', '<b>', '--', ';', '&amp;', '$(x)', '../', 'null', '+', ':'],
  ...['\n', '\r\n', '\t', 'é', 'ß', 'İ', 'Ж', '中', 'ع', '𝒳', '🛳', 'ﬁ', 'e\u0301', '\u{1F469}\u200D\u{1F467}'],
  ...['two words', 'Prices, 2nd try.', 'x'.repeat(50)],
];

/** Numbers of repetitions. A side effect may show only at the second, tenth or thirtieth request. */
const repetitions = [1, 1, 1, 1, 1, 1, 2, 2, 3, 10, 30];

/** Random steps of one kind, of which the walk takes the one with the most uncovered pairs. */
const candidates = 8;

const mostProposals = 12;

/** Name of the walk among the stories of a run. */
export const walkName = 'exploring';

/**
 * A random walk over the requests of the stories: in another order, by other keys, changed, and several at once. It
 * prefers pairs of situations that it has not covered.
 */
class Walk {
  readonly covered = new Set<string>();
  readonly #t: Steps;
  readonly #seed: number;
  /** Requests without a side effect. */
  readonly #reading: Sent[] = [];
  /** Requests that succeeded, by tool. */
  readonly #valid = new Map<string, readonly Valid[]>();
  readonly #keys: readonly Credential[];
  /** Every row of the table of mutations with every tool. The next step takes the first one. */
  readonly #mutations: { readonly tool: ToolName; readonly mutation: Mutation }[];
  readonly #proposals: (Valid & { readonly exchange: Completed })[] = [];
  readonly #used = new Set<unknown>();
  #draws = 0;
  #event = 'nothing';

  constructor(t: Steps, { exchanges, calls }: Session, seed: number) {
    this.#t = t;
    this.#seed = seed;
    // Requests at random must not exhaust the rate limit of `throttled`.
    this.#keys = t.present(servedRoles.filter((role) => role !== 'throttled')).map((role) => t.credential(role));
    // Stories run in parallel, so that only the order of the requests of one story is certain.
    const sent = exchanges.toSorted((a, b) => (a.story ?? '').localeCompare(b.story ?? '') || a.number - b.number);
    for (const exchange of sent) this.see(exchange, calls[exchange.number]);
    const rows = toolNames
      .filter((tool) => this.#valid.has(tool))
      .flatMap((tool) => mutationsOf(tool, t.deployment).map((mutation) => ({ tool, mutation })));
    this.#mutations = seededOrder(rows, seed);
  }

  /** Remembers a request and what its response shows. */
  see(exchange: SentExchange, call: Call | undefined): void {
    if (call === undefined || !isCompleted(exchange)) return;
    const { request, response, sender } = exchange;
    const { ok, status } = body(exchange);
    const success = `${status ?? request.tool}`;
    this.#event = response.status !== 200 ? `${response.status}` : ok === true ? success : 'refusal';
    const { odd = false, observes, around, wants429, credential, args, tool, story } = call;
    if (isDispatch(exchange)) this.#used.add(presentedId(exchange));
    const isKnown = (call.invented ?? []).length === 0 && sender.kind === 'key';
    const isPlain = isKnown && args !== undefined && call.body === undefined && call.path === undefined;
    const valid = isPlain && isSuccess(exchange) ? { tool, args, as: credential } : undefined;
    if (valid && isProposal(exchange)) this.#proposals.push({ ...valid, exchange });
    this.#proposals.splice(0, this.#proposals.length - mostProposals);
    // The walk repeats no request that a story sends only to observe, or around another one.
    if (story === walkName || odd || observes || around || wants429 || credential.role === 'throttled') return;
    if (effectOf(call) === undefined) this.#reading.push({ ...call, as: credential });
    if (valid && presentedId(exchange) === undefined) this.#valid.set(tool, [...(this.#valid.get(tool) ?? []), valid]);
  }

  /** Kinds of steps, with their weights. */
  readonly #kinds: readonly (readonly [weight: number, make: () => Step | undefined])[] = [
    [14, () => this.#repeating()],
    [13, () => this.#mutating()],
    [4, () => this.#changing(image)],
    [2, () => this.#changing(creation)],
    [6, () => this.#presenting()],
    [1, () => this.#passing()],
  ];

  /** Returns the next step: of several random steps of one kind, the one with the most uncovered pairs. */
  next(): Step | undefined {
    const make = this.#pick(this.#kinds.flatMap(([weight, each]) => Array.from({ length: weight }, () => each)));
    const steps = Array.from({ length: candidates }, make).filter((step) => step !== undefined);
    const uncovered = (step: Step) => this.#pairsOf(step).filter((pair) => !this.covered.has(pair)).length;
    return steps.toSorted((one, other) => uncovered(other) - uncovered(one))[0];
  }

  async play(step: Step): Promise<void> {
    const { does, requests, how, minutes } = step;
    for (const pair of this.#pairsOf(step)) this.covered.add(pair);
    const [first] = requests;
    if (minutes !== undefined) await this.#t.pass(minutes, does);
    else if (how === 'in parallel') await this.#t.sendInParallel(does, requests);
    else if (how === 'together' && first) await this.#t.sendTogether(does, first, requests.length);
    else for (const asked of requests) await this.#t.send(does, asked);
    if (minutes !== undefined || how !== undefined) this.#event = does;
  }

  #pairsOf({ situations, how }: Step): string[] {
    const all = [...situations, String(how), `after ${this.#event}`];
    return all.flatMap((one, index) => all.slice(index + 1).map((other) => `${one} × ${other}`));
  }

  /** Returns an integer from 0 up to, but not including, `end`. */
  #below(end: number): number {
    this.#draws += 1;
    return Math.floor(seededFraction(this.#seed, `walk ${this.#draws}`) * end);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T; // the index is within the list, which may contain undefined
  }

  /** Returns a valid request of a tool, sometimes by another key. The rules judge the response. */
  #validOf(tool: string): Valid | undefined {
    const asked = this.#pick(this.#valid.get(tool) ?? [undefined]);
    return asked && this.#below(3) === 0 ? { ...asked, as: this.#pick(this.#keys) } : asked;
  }

  /** Sends requests of the stories again and again, in turn or at once: one request must not affect another. */
  #repeating(): Step | undefined {
    if (this.#reading.length === 0) return undefined;
    const asked = Array.from({ length: this.#pick([1, 1, 2, 3, 5]) }, () => this.#pick(this.#reading));
    const times = asked.length === 1 ? this.#pick(repetitions) : 2;
    const how = this.#below(4) === 0 ? 'in parallel' : undefined;
    const requests = Array.from({ length: times }, () => asked).flat();
    return { does: 'repeat', requests, how, situations: asked.flatMap(inWords) };
  }

  /** Applies the next row of the table. A refusal proves something only beside a valid request. */
  #mutating(): Step | undefined {
    const next = this.#mutations.shift();
    if (next === undefined) return undefined;
    this.#mutations.push(next);
    const { tool, mutation } = next;
    const base = this.#validOf(tool);
    const requests = base === undefined ? [] : mutation.requests(base);
    if (base === undefined || requests.length === 0) return undefined;
    const change = mutation.argument === undefined ? mutation.row : `${mutation.row} as ${mutation.argument}`;
    const control = tool === creation ? [] : [base];
    return {
      does: `send ${change}`,
      requests: [...control, this.#pick(requests)],
      situations: [change, ...inWords(base)],
    };
  }

  /** Proposes or creates, with at most one changed argument. */
  #changing(tool: string): Step | undefined {
    const base = this.#validOf(tool);
    if (base === undefined) return undefined;
    const { runId, startedAt, shapes } = this.#t.deployment;
    const text = Array.from({ length: 1 + this.#below(6) }, () => this.#pick(characters)).join(this.#pick([' ', '']));
    const title = `tck ${runId} ${text}.`;
    const day = dayAfter(startedAt, this.#pick([2, 3, 5, 8, 30, 60]));
    const ofContent = [{ title }, { title }, { title }, { title: undefined }, { day }, { format: this.#pick(formats) }];
    const more = [{ count: Number(base.args.count) + 1 }, { brief: `${base.args.brief} ${text}`.trim() }];
    const ofImages = [{}, {}, {}, {}, ...more, { shape: this.#pick(shapes) }, { confirmation_id: this.#pick(words) }];
    const change = this.#pick<Args>(tool === image ? ofImages : ofContent);
    const invented = Object.keys(change).filter((name) => name === 'confirmation_id');
    const asked = { ...base, args: { ...base.args, ...change }, invented };
    return { does: `change ${tool}`, requests: [asked], situations: [...Object.keys(change), ...inWords(base)] };
  }

  /** Presents the ID of an earlier proposal: as proposed, by another key, changed, or several times at once. */
  #presenting(): Step | undefined {
    const proposal = this.#pick([...this.#proposals, undefined]);
    if (proposal === undefined) return undefined;
    const { exchange, args } = proposal;
    const id = issuedId(exchange) ?? '';
    const never = resemblingId(id, this.#t.text(`never issued like ${id}`));
    const similar = allResembling(id, ['identifier.shorter']).flat();
    const { shapes, otherBoard, secondBoard } = this.#t.deployment;
    const more = [{ count: Number(args.count) + 1 }, { count: Number(args.count) + 2 }, { brief: `${args.brief}.` }];
    const { args: elsewhere = {} } = this.#validOf(image) ?? {};
    const change = this.#pick<Args>([
      ...[{}, {}, {}, {}, {}, ...more, { shape: this.#pick(shapes) }, { board: this.#pick([otherBoard, secondBoard]) }],
      ...['board', 'brief', 'count', 'shape'].map((name) => ({ [name]: undefined })),
      ...[elsewhere, { workspace: elsewhere.workspace, board: elsewhere.board }],
      ...[never, this.#pick([never, ...similar])].map((other) => ({ confirmation_id: other })),
    ]);
    const as = this.#below(4) === 0 ? this.#pick(this.#keys) : proposal.as;
    const isRace = Object.keys(change).length === 0 && this.#below(6) === 0;
    const invented = change.confirmation_id === never ? ['confirmation_id'] : [];
    const request = { tool: image, as, args: { ...args, confirmation_id: id, ...change }, invented };
    const minutes = ages.find((age) => age > this.#t.minutesSince(exchange)) ?? 'many';
    const state = `${this.#used.has(id) ? 'used' : 'unused'}, less than ${minutes} minutes`;
    return {
      does: 'confirm',
      confirms: true,
      requests: Array.from({ length: isRace ? mostRunners : 1 }, () => request),
      how: isRace ? 'together' : undefined,
      situations: ['confirm', state, Object.keys(change).join() || 'as proposed', ...inWords(request)],
    };
  }

  #passing(): Step | undefined {
    if (this.#t.target.clock === undefined) return undefined;
    const minutes = this.#pick(ages);
    return { does: `let ${minutes} minutes pass`, requests: [], minutes, situations: [`${minutes} minutes`] };
  }
}

const inWords = ({ tool, as, args = {} }: Sent) => [tool, as.label, `${as.label} in ${brief(args.workspace)}`];

/** Images in reserve. A request with an invalid confirmation ID needs budget, because the server might dispatch it. */
const keptBack = 4;

/** Images that suffice for confirmations in any situation. */
const plenty = 12;

/** Number of consecutive steps without a response after which exploring stops. */
const mostUnanswered = 3;

interface Exploring {
  readonly steps: Steps;
  readonly session: Session;
  readonly seed: number;
  readonly requests: number;
  /** Called after each step. */
  readonly onStep: () => void;
}

/** Sends generated requests, which the rules of the run judge. Returns notices. */
export async function explore({ steps, session, seed, requests, onStep }: Exploring): Promise<string[]> {
  const { keys, allow, maxImages } = steps.target;
  if (keys.primary === undefined) return ["exploring needs a key for the role 'primary'"];
  const walk = new Walk(steps, session, seed);
  session.listen((exchange) => walk.see(exchange, session.calls[exchange.number]));
  const { images } = session.spending;
  const { left } = images;
  let [sent, unanswered] = [0, 0];
  while (sent < requests && !session.isInterrupted) {
    const step = walk.next();
    // A deployment that allows almost nothing must not keep the walk running forever.
    sent += step?.requests.length || 1;
    if (step === undefined || sent > requests) continue;
    // The images last for the whole walk.
    if (step.confirms && left - images.left >= ((left - keptBack) * sent) / requests) continue;
    try {
      await walk.play(step);
      unanswered = 0;
    } catch (error) {
      if (!(error instanceof NotTested || error instanceof Unanswered)) throw error;
      unanswered += error instanceof Unanswered ? 1 : 0;
      if (unanswered === mostUnanswered) return [`--explore stopped: ${error.message}`];
    }
    onStep();
  }
  const needed = maxImages - left + keptBack + plenty;
  const few = `--explore confirmed few images or none: set maxImages, which is ${maxImages}, to ${needed} or more`;
  return [
    `--explore covered ${walk.covered.size.toLocaleString('en')} pairs of situations`,
    ...(allow.includes('spending') && maxImages < needed ? [few] : []),
  ];
}
