import { Ajv2020 } from 'ajv/dist/2020.js';
import { validate as isCtrf } from 'ctrf';
import { parse as parseJunit } from 'junit2json';
import schema from '../../fixtures/report.schema.json' with { type: 'json' };
import type { RunResult } from '../../suites/result.ts';
import { reportForms } from '../report-forms.ts';
import { keyForms } from './keys.ts';
import type { AttackedRun } from './run.ts';

const isReport = new Ajv2020().compile(schema);

const mostMegabytes = 400;

/** Describes every forbidden effect of a server on the kit; empty if the kit withstood the attack. */
export async function problemsOf(run: AttackedRun): Promise<string[]> {
  const { code, peakMegabytes, attacked, strayed, imagesDispatched, maxImages, stderr } = run;
  const texts = [['stdout', run.stdout] as const, ['stderr', stderr] as const, ...run.files];
  const broken = await brokenFiles(run.files);
  return [
    ...(attacked > 0 ? [] : ['the attack was never met']),
    ...(code === 1 || code === 3 ? [] : [`exit code ${code}: ${stderr.slice(0, 500)}`]),
    ...(peakMegabytes === 'aborted' ? ['no peak of memory: the process was aborted'] : []),
    ...(typeof peakMegabytes === 'number' && peakMegabytes >= mostMegabytes ? [`${Math.round(peakMegabytes)} MB`] : []),
    ...strayed.map((request) => `sent elsewhere: ${request.split('\r\n')[0]}`),
    ...(imagesDispatched <= maxImages ? [] : [`${imagesDispatched} images dispatched, of ${maxImages}`]),
    ...(/ at .+:\d+:\d+|itself broke|error of the kit/.test(run.stdout + stderr) ? ['a fault of the kit'] : []),
    ...(broken.length > 0 ? broken : unshown(run.files.get('report.json') ?? '')),
    ...texts.flatMap(([name, text]) => [
      ...controlsIn(text).map((control) => `${name}: control character ${control}`),
      ...commandsIn(text).map((command) => `${name}: workflow command ${command}`),
      ...keysIn(text, run.keys).map((form) => `${name}: a key ${form}`),
    ]),
  ];
}

/** Returns the requirements that errored without a reference to an exchange. */
function unshown(json: string): string[] {
  const { requirements, exchanges }: RunResult = JSON.parse(json);
  const known = new Set(exchanges.map(({ id }) => id));
  return requirements
    .filter(({ status }) => status === 'errored')
    .filter(({ exchanges: shown = [] }) => shown.length === 0 || !shown.every((id) => known.has(id)))
    .map(({ id, reason }) => `${id}: errored without an exchange, ${reason}`);
}

async function brokenFiles(files: ReadonlyMap<string, string>): Promise<string[]> {
  const missing = reportForms.filter((name) => !files.has(name)).map((name) => `${name}: missing`);
  if (missing.length > 0) return missing;
  const text = (name: string) => files.get(name) ?? '';
  const checks: Readonly<Record<string, () => unknown>> = {
    'report.json': () => isReport(JSON.parse(text('report.json'))),
    'ctrf.json': () => isCtrf(JSON.parse(text('ctrf.json'))).valid,
    'junit.xml': async () =>
      (await parseJunit(text('junit.xml'))) && text('junit.xml').trimEnd().endsWith('</testsuites>'),
    'report.html': () => /^<!doctype html>[\s\S]*<\/html>\s*$/i.test(text('report.html')),
  };
  const broken = await Promise.all(
    Object.entries(checks).map(async ([name, isWhole]) => {
      const whole = await Promise.resolve()
        .then(isWhole)
        .catch(() => false);
      return whole ? [] : [`${name}: not valid`];
    }),
  );
  return broken.flat();
}

/** Returns control characters except line feeds and tabs. */
function controlsIn(text: string): string[] {
  const found = text.match(/(?![\n\t])\p{Cc}/gu) ?? [];
  return [...new Set(found)].map((character) => JSON.stringify(character));
}

/** Returns commands that build servers execute: at the start of a line after blanks, or anywhere in the older forms. */
function commandsIn(text: string): string[] {
  const found = text.match(/^\s*::[a-z][^\n]{0,40}|##(?:vso)?\[[^\n]{0,40}/gim) ?? [];
  return [...new Set(found.map((command) => command.trim()))].slice(0, 3);
}

/** Returns the forms in which a text contains any of the keys. */
function keysIn(text: string, keys: readonly string[]): string[] {
  return Object.entries(keyForms)
    .filter(([, form]) => keys.some((key) => text.includes(form(key))))
    .map(([name]) => name);
}
