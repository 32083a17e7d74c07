import { effects } from '../fixtures/side-effects.ts';
import { exitCodes } from '../suites/exit-codes.ts';
import { UsageError } from '../suites/usage/usage-error.ts';
import { command } from './command-line/command.ts';
import type { Form } from './command-line/declaration.ts';
import { required } from './command-line/declaration.ts';
import { commands, isCommand } from './commands.ts';

const bash = `_tck() {
  local IFS=$'\\n'
  local words=$(tck completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tck tck
`;

/** For each shell, the script that completes the command line of `tck`. */
const scripts: Readonly<Record<string, string>> = {
  bash,
  zsh: `autoload -U +X bashcompinit && bashcompinit\n${bash}`,
  fish: 'complete -c tck -a "(tck completion fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)"\n',
};

export const completion = command({
  name: 'completion',
  positionals: { shell: required('Shell: bash, zsh or fish') },
  options: {},
  program: 'optional',
  examples: [['tck completion bash >> ~/.bashrc', 'Complete commands, options and IDs in every new bash']],

  /** Prints the script of a shell or, for the words after `--`, the completions of the last word. */
  async run({ shell, program }, { stdout }) {
    const script = scripts[shell];
    if (script === undefined) throw new UsageError(`shell: expected bash, zsh or fish, got '${shell}'`);
    const words = await (program.length === 0 ? undefined : candidates(program));
    stdout.write(words === undefined ? script : words.map((word) => `${word}\n`).join(''));
    return exitCodes.ok;
  },
});

/** Completions of the last word. Empty if only a path or a program can follow. */
async function candidates(words: readonly string[]): Promise<readonly string[]> {
  const [name = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  const among = (all: readonly string[]) => all.filter((each) => each.startsWith(last));
  if (rest.length === 0) return among(['help', ...Object.keys(commands)]);
  if (name === 'help') return among(Object.keys(commands));
  if (!isCommand(name) || rest.slice(0, -1).includes('--')) return [];
  const { form } = await commands[name].load();
  if (last.startsWith('-')) return among(optionsOf(form));
  const before = rest.at(-2)?.replace(/^--/, '') ?? '';
  return among(await valuesOf(form, rest.at(-2)?.startsWith('--') === true ? before : `tck ${name}`));
}

function optionsOf({ options }: Form): string[] {
  const named = Object.entries(options).map(([name, { initially }]) => (initially === true ? `no-${name}` : name));
  return ['help', ...named].map((name) => `--${name}`);
}

/** Values of an option, or arguments of a command. */
async function valuesOf({ options }: Form, name: string): Promise<readonly string[]> {
  switch (name) {
    case 'allow':
      return [...effects, 'all', 'none'];
    case 'only':
    case 'skip':
    case 'require': {
      const { topics } = await import('../fixtures/requirements/model.ts');
      return name === 'require' ? ['all', ...topics] : topics;
    }
    case 'defect': {
      const { defects } = await import('../stub/variants/defects/index.ts');
      return Object.keys(defects);
    }
    case 'variant': {
      const { variants } = await import('../stub/variants/conforming/index.ts');
      return ['random', ...Object.keys(variants)];
    }
    case 'tck explain': {
      const { requirements } = await import('../suites/requirements.ts');
      return requirements.map(({ id }) => id);
    }
    default:
      return options[name]?.choices ?? [];
  }
}
