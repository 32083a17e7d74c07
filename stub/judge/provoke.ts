import type { Judgement, Session } from '../../fixtures/judgement.ts';
import { roleEnv } from '../../fixtures/roles.ts';
import { createControlled } from '../controlled.ts';
import { createCore, type StubCore } from '../core.ts';
import { controlOf } from '../serve/announce.ts';
import { environmentOf, runCommand } from '../serve/command.ts';
import { changing } from '../variants/changes/responses.ts';
import { together } from '../variants/deviation.ts';
import { deviationOf } from '../variants/index.ts';
import { sessionOf } from '../worlds/session.ts';
import { judge } from './judge.ts';
import { leftOut } from './outcomes.ts';
import { plainAgain, type Scene, scenes } from './scenes.ts';
import { togetherMs } from './turn.ts';

export interface ProvokeOptions {
  /** The client: a program with its arguments. */
  readonly command: readonly string[];
  readonly seed: number;
  /** Most that one run of the client may take. */
  readonly timeoutSeconds: number;
  /** Whether a person's word is given over the control plane: what is confirmed or chosen without it then fails. */
  readonly attended: boolean;
}

export interface ProvokeIo {
  readonly stop: AbortSignal;
  /** File descriptor that the client's own output goes to. */
  readonly output: number | 'ignore';
  readonly onScene: (scene: Scene, session: Session) => void;
}

export interface Provoked {
  readonly sessions: readonly Session[];
  readonly judgement: Judgement;
  /** Why the client could not be judged properly, if so. */
  readonly trouble: string | undefined;
}

/** Runs a client once in every scene, each in a stub of its own, and judges it by what they saw. Rejects with a UsageError for a command that cannot be started. */
export async function provoke(options: ProvokeOptions, io: ProvokeIo): Promise<Provoked> {
  const sessions: Session[] = [];
  let trouble: string | undefined;
  let choices: readonly string[] = [];
  for (const [index, scene] of scenes.entries()) {
    if (io.stop.aborted || trouble !== undefined) break;
    // What is unknown is to be all that is different from the plain run.
    let seed = scene.kind === 'unknown-fields' ? options.seed : options.seed + index;
    if (scene.role === 'ambiguous') {
      // Of two lists of choices the second has to begin and to end otherwise.
      const sameEnds = (other: readonly string[]) => choices[0] === other[0] || choices.at(-1) === other.at(-1);
      while (choices.length > 0 && sameEnds(choicesOf(seed))) seed += scenes.length;
      choices = choicesOf(seed);
    }
    const session = await play(scene, seed, options, io);
    sessions.push(session);
    io.onScene(scene, session);
    trouble = troubleIn(session);
    if (scene.kind === 'unknown-fields' && leftOut(sessions.slice(0, 1), session).length > 0) {
      const again = await play(plainAgain, options.seed, options, io);
      sessions.push(again);
      io.onScene(plainAgain, again);
    }
  }
  return { sessions, judgement: judge(sessions), trouble };
}

async function play(scene: Scene, seed: number, options: ProvokeOptions, io: ProvokeIo): Promise<Session> {
  const deviation = together(deviationOf({ seed, variants: scene.variants }), unhurried);
  await using stub = createControlled({ seed, control: true, deviation });
  const { baseUrl } = await stub.listen();
  scene.prepare(stub);
  const env = environmentFor(scene, stub, baseUrl);
  const limit = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const stop = AbortSignal.any([io.stop, limit]);
  const { command } = options;
  const ended = await runCommand({ command, env, stop, stdio: ['ignore', io.output, io.output] });
  return {
    ...sessionOf(stub),
    name: scene.name,
    attended: options.attended || stub.attended(),
    command: { exitCode: limit.aborted ? null : ended, scene: scene.kind },
  };
}

const resultMs = 50;

/** Answers take their time, as they do elsewhere; those that say no so long that what comes after can be told from what was made together with the call. */
const unhurried = changing(
  () => true,
  (response) => {
    const delayMs = response.body.ok === true ? resultMs : togetherMs;
    return { ...response, delivery: { ...response.delivery, delayMs } };
  },
);

/** The client gets one key, so that it need not know which of them to use, and is told of no workspace where it is to ask for one. */
function environmentFor(scene: Scene, stub: StubCore, baseUrl: string): Record<string, string | undefined> {
  const all: Record<string, string | undefined> = environmentOf(stub, baseUrl, controlOf({ stub, baseUrl }));
  for (const role of stub.roles) all[roleEnv(role)] = undefined;
  all.TCK_KEY_PRIMARY = stub.keys[scene.role];
  if (scene.role === 'ambiguous') all.TCK_WORKSPACE = undefined;
  return all;
}

/** The list of choices in the world of a seed. */
function choicesOf(seed: number): readonly string[] {
  const { keys, handle } = createCore({ seed });
  const headers = { authorization: `Bearer ${keys.ambiguous}` };
  const { body } = handle({ method: 'POST', path: '/api/v1/tools/schedule.read', headers, body: null });
  return JSON.parse(body).workspaces;
}

function troubleIn({ command, events }: Session): string | undefined {
  if (command?.scene !== 'plain') return undefined;
  if (command.exitCode === null) return 'the client did not end in time where nothing was done to it';
  if (command.exitCode !== 0) return `the client ended with ${command.exitCode} where nothing was done to it`;
  return events.some(({ kind }) => kind === 'exchange') ? undefined : 'the client made no call';
}
