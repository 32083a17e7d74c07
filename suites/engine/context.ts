import type { ToolName } from '../../fixtures/contract/tools.ts';
import type { RequirementId } from '../../fixtures/requirements/index.ts';
import type { Role } from '../../fixtures/roles.ts';
import type { Effect } from '../../fixtures/side-effects.ts';
import { type Setting, settings } from '../check.ts';
import type { Answered, Credential } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import type { Missing } from '../result.ts';
import { NotTested } from '../session/budget.ts';
import type { Call } from '../session/call.ts';
import type { Turn } from '../session/gate.ts';
import type { Session } from '../session/session.ts';
import { requireSendable } from '../session/too-large.ts';
import type { RoleKey, Target } from '../target.ts';
import type { Ground } from './ground.ts';
import { seededText } from './random.ts';

export type Args = Readonly<Record<string, unknown>>;

export interface CallOptions extends Omit<Call, 'tool' | 'credential' | 'args'> {
  /** Whose key; `primary` unless said otherwise. */
  as?: Role | Credential;
  /** Sent although the same call was sent before. */
  fresh?: boolean;
}

/** Something that is made once in a run. */
export interface Shared {
  made: Promise<unknown>;
  /** The turn of whoever makes it, until it is made. */
  turn: Turn | undefined;
}

/** What an attempt at a check shares with other checks, and what it may ask for. */
export interface Surroundings {
  session: Session;
  target: Target;
  ground: Ground;
  seed: number;
  /** Calls drawn by chance: how many a run makes, and which draws have been made. */
  fuzz: { calls: number; drawn: Set<string> };
  /** Open questions are answered too, so that a scene may make a few more calls for their sake. */
  observing: boolean;
  /** Calls of lower rank go first. */
  rank: number;
  /** Shared answers and scenes, by what they are; an attempt that must not share brings an empty one. */
  shared: Map<string, Shared>;
  /** Findings of requirements other than the one under test. */
  onControl(requirement: RequirementId, finding: Finding): void;
}

/** What a check is given: calls to make, and a place for what it finds. */
export class Context {
  readonly findings: Finding[] = [];
  /** Answers 5xx to calls of this check, but for those that it leaves to others. */
  readonly serverErrors = new Map<number, Answered>();
  readonly ground: Ground;
  readonly session: Session;
  readonly target: Target;
  readonly observing: boolean;
  readonly fuzz: Surroundings['fuzz'];
  readonly #around: Surroundings;
  readonly #turn: Turn;
  #latest: Answered | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#turn = { rank: around.rank };
    this.ground = around.ground;
    this.session = around.session;
    this.target = around.target;
    this.observing = around.observing;
    this.fuzz = around.fuzz;
  }

  /** The answer that the check got last. */
  get latest(): Answered | undefined {
    return this.#latest;
  }

  /**
   * Calls a tool and returns its answer. Reading calls that are the same are sent once in a run and shared, unless
   * `fresh`.
   */
  call(tool: ToolName | (string & {}), args?: Args, options: CallOptions = {}): Promise<Answered> {
    return optional(this.#call(tool, args, options));
  }

  async #call(tool: string, args: Args | undefined, options: CallOptions): Promise<Answered> {
    const { as = 'primary', fresh = false, ...rest } = options;
    const credential = typeof as === 'string' ? this.credential(as) : as;
    const call: Call = { ...rest, tool, credential, ...(args === undefined ? {} : { args }), turn: this.#turn };
    const changing = credential.good && (tool === 'content.create_request' || tool === 'images.generate');
    requireSendable(call);
    const answered =
      fresh || changing || rest.wants429 === true
        ? await this.session.send(call)
        : await this.once(JSON.stringify([credential.label, { ...call, credential: null, turn: null }]), () =>
            this.session.send(call),
          );
    this.#latest = answered;
    this.#met(answered);
    return answered;
  }

  /**
   * Something that several checks need and that is made once in a run. Whoever makes it is, from then on, as urgent as the most urgent
   * of those that wait for it.
   */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const { shared } = this.#around;
    const known = shared.get(name);
    if (known !== undefined) {
      if (known.turn !== undefined) known.turn.rank = Math.min(known.turn.rank, this.#turn.rank);
      // The name says what was made: the same name always stands for the same type.
      return known.made as Promise<T>;
    }
    const made = make();
    const making: Shared = { made, turn: this.#turn };
    shared.set(name, making);
    const over = (): void => {
      making.turn = undefined;
    };
    made.then(over, over);
    return made;
  }

  /** Notes a deviation of the requirement under test. */
  expect(...verdicts: readonly (Finding | undefined)[]): void {
    for (const verdict of verdicts) if (verdict !== undefined) this.findings.push(verdict);
  }

  /**
   * A control: the call that ought to succeed, without which a refusal proves nothing. Where it fails, that is a finding
   * of the requirement which promises it, and the check at hand cannot be judged.
   */
  control(promisedBy: RequirementId, verdict: Finding | undefined): void {
    if (verdict === undefined) return;
    this.#around.onControl(promisedBy, verdict);
    throw new NotTested(`precondition failed, see ${promisedBy}: ${verdict.actual}`);
  }

  /** Answers that the check does not look at, because another requirement asks for what they ought to be. */
  leaveToOthers(answers: readonly Answered[]): void {
    for (const { seq } of answers) this.serverErrors.delete(seq);
  }

  /** Ends the check as not tested. */
  cannot(reason: string, ...missing: readonly Missing[]): never {
    throw new NotTested(reason, missing);
  }

  /** Ends the check as not tested for want of a key of any of these roles, of which the first that is free is suggested. */
  lacksKeyOf(reason: string, ...roles: readonly Role[]): never {
    const role = roles.find((each) => !this.has(each));
    return this.cannot(reason, ...(role === undefined ? [] : [{ kind: 'role' as const, role }]));
  }

  allows(effect: Effect): boolean {
    return this.session.budget.allows(effect);
  }

  has(role: Role): boolean {
    return this.target.keys[role] !== undefined;
  }

  key(role: Role): RoleKey {
    const key = this.target.keys[role];
    if (key === undefined) throw new NotTested(`no key for the role '${role}'`, [{ kind: 'role', role }]);
    return key;
  }

  credential(role: Role): Credential {
    this.key(role);
    const credential = this.session.credential(role);
    if (credential === undefined) throw new NotTested(`no key for the role '${role}'`, [{ kind: 'role', role }]);
    return credential;
  }

  /** What is known under a setting; a check that uses it says so in its needs. */
  setting(name: Setting): string {
    const value = this.ground[name];
    return value ?? this.cannot(`not known: ${settings[name]}`, { kind: 'setting', setting: settings[name] });
  }

  /** Arguments that put a call of `primary` into the workspace worked in. */
  here(args: Args = {}): Args {
    return this.ground.workspace === undefined ? args : { workspace: this.ground.workspace, ...args };
  }

  /** Arguments that put a call of `primary` into the other workspace. */
  there(args: Args = {}): Args {
    return { workspace: this.setting('otherWorkspace'), ...args };
  }

  /** A text that nobody has used, the same for the same seed and purpose. */
  text(purpose: string, length = 16): string {
    return seededText(this.#around.seed, purpose, length);
  }

  #met(answered: Answered): void {
    if (answered.answer.status >= 500) this.serverErrors.set(answered.seq, answered);
  }
}

/** A promise that may be left alone: a check that ended early has calls under way, whose failure is nobody's any more. */
function optional<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
