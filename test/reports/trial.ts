import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { isRole, roleEnv } from '../../fixtures/roles.ts';
import { createStub, type Stub } from '../../stub/index.ts';
import { audit } from '../../suites/engine/audit.ts';
import type { RunResult } from '../../suites/result.ts';
import { defaultPace } from '../../suites/target/target.ts';
import { combineDefects, type DefectId } from '../mutations/defects/index.ts';
import { skippingTimer } from '../skipping-timer.ts';
import { inProcess } from '../stub-target.ts';

/** A stub with a frozen clock, so the speed of a script does not matter. */
export function standingStub(defect: DefectId | null): Stub {
  const started = Date.now();
  return createStub({
    seed: 1,
    clock: { now: () => started },
    rateLimit: 3000,
    ...(defect === null ? {} : { deviation: combineDefects([defect]) }),
  });
}

/** Result of a run against a stub with a defect, for all requirements or for `only`. */
export async function resultOf(defect: DefectId, only?: readonly string[]): Promise<RunResult> {
  const pace = { ...defaultPace, maxWaitSeconds: 1 };
  return audit(inProcess(standingStub(defect), { pace, shape: '1:1' }), {
    seed: 1,
    timer: skippingTimer(() => undefined),
    observe: false,
    ...(only === undefined ? {} : { only: [...only] }),
  });
}

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a script against a new stub over HTTP, with a defect or without. Answers questions and advances the clock. */
export async function runAgainst(file: string, defect: DefectId | null): Promise<Ended> {
  const stub = standingStub(defect);
  const { baseUrl } = await stub.listen();
  const keys = Object.entries(stub.keys).flatMap(([role, key]) => (isRole(role) ? [[roleEnv(role), key]] : []));
  try {
    return await runScript(file, { ...Object.fromEntries(keys), TCK_BASE_URL: baseUrl }, (minutes) =>
      stub.advance(minutes * 60),
    );
  } finally {
    await stub.close();
  }
}

/** Runs a script in bash. Its environment contains only `env` and `PATH`. */
export function runScript(
  file: string,
  env: Record<string, string>,
  advance: (minutes: number) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: 50_000 };
    const child = execFile('bash', [file], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 99;
      resolve({ code, output: stdout + stderr });
    });
    child.stdout?.on('data', (text: string) => {
      const [, minutes] = /Let (\d+) minutes pass/.exec(text) ?? [];
      if (minutes !== undefined) advance(Number(minutes));
      if (minutes !== undefined || text.includes('Continue?')) child.stdin?.write('y\n');
    });
  });
}

/** Writes an executable script and returns its path. */
export function written(folder: string, name: string, script: string): string {
  const file = `${folder}/${name}.sh`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}
