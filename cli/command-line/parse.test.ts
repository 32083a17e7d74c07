import { expect, test } from 'vitest';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { type Form, optional, required, several } from './declaration.ts';
import { choice, flag, integer, list, text, words } from './option.ts';
import { parse as parsed } from './parse.ts';

const parse = (its: Form, args: readonly string[]) => parsed(its, args).read();

const form = {
  name: 'try',
  positionals: { first: required(''), second: optional('') },
  options: {
    port: integer('', 0, 65_535),
    out: text('', 'here'),
    only: list(''),
    bail: flag(''),
    observe: flag('', true),
    'rate-limit': integer('', 1, 9, 3),
    format: choice('', ['text', 'json']),
  },
  program: 'optional',
} satisfies Form;

test('what is not given has its default', () => {
  expect(parse(form, ['a'])).toEqual({
    first: 'a',
    second: undefined,
    port: undefined,
    out: 'here',
    only: undefined,
    bail: false,
    observe: true,
    rateLimit: 3,
    format: undefined,
    program: [],
  });
});

test('what is given is read as what it is', () => {
  const given = '1 --port 0 --out=x -- y'.split(' ');
  expect(parse(form, given)).toMatchObject({ first: '1', port: 0, out: 'x', program: ['y'] });
  const more = 'a b --only c --only d,e --bail --no-observe --rate-limit 4 --format json'.split(' ');
  const expected = { second: 'b', only: ['c', 'd,e'], bail: true, observe: false, rateLimit: 4, format: 'json' };
  expect(parse(form, more)).toMatchObject(expected);
});

test.each<[string, string]>([
  ['a --port', '--port: expected a value'],
  ['a --port --bail', '--port: expected a value'],
  ['a --port=', "--port: expected an integer from 0 to 65535, got ''"],
  ['a --port -1', "--port: expected an integer from 0 to 65535, got '-1'"],
  ['a --port 1.5', "--port: expected an integer from 0 to 65535, got '1.5'"],
  ['a --port 65536', "--port: expected an integer from 0 to 65535, got '65536'"],
  ['a --port 1e3', "--port: expected an integer from 0 to 65535, got '1e3'"],
  ['a --port 1 --port 2', '--port: expected once, got 2 times'],
  ['a --format xml', 'wrong value: --format: got "xml", expected one of "text", "json"'],
  ['a --onyl x', 'unknown option --onyl (did you mean --only?)'],
  ['a --output x', 'unknown option --output (did you mean --out?)'],
  ['a --defect x', 'unknown option --defect (it is an option of tck stub)'],
  ['a --zebra', 'unknown option --zebra (tck try --help lists the options)'],
  ['a -x', 'unknown option -x (tck try --help lists the options)'],
  ['--bail', '<first> is missing: tck try <first> [second] [options] [-- <command>]'],
  ['a b c', "unexpected argument 'c': tck try <first> [second] [options] [-- <command>]"],
  ['a --', 'expected a command after --: tck try <first> [second] [options] [-- <command>]'],
])('%s is wrong usage', (line, message) => {
  expect(() => parse(form, line.split(' '))).toThrow(new UsageError(message));
});

test('--out is known even if the rest is wrong, so that an earlier report is renamed', () => {
  expect(parsed(form, ['a', '--out', 'there', '--zebra']).out).toBe('there');
  expect(parsed(form, ['a', 'b', 'c']).out).toBe('here');
});

test('some commands take several arguments, words one after the other, or a program', () => {
  const options = { 'key-env': words('') };
  const many: Form = { name: 'many', positionals: { each: several('') }, options };
  expect(parse(many, ['a', 'b', '--key-env', 'C', 'D'])).toMatchObject({ each: ['a', 'b'], keyEnv: ['C', 'D'] });
  expect(() => parse(many, ['a', '--key-env'])).toThrow('--key-env: expected at least one value');
  expect(() => parse(many, ['a', '--key-env', 'C', '--', 'b'])).toThrow('tck many runs no command');
  expect(() => parse({ name: 'runs', options: {}, program: 'required' }, [])).toThrow('expected a command after --');
});
