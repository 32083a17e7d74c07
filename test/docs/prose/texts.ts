import jsTokens from 'js-tokens';

/**
 * Extracts comments and string literals of a TypeScript file. Each text keeps its line and is a separate paragraph, so
 * a prose linter reports correct line numbers. Skips string literals without spaces, because they are identifiers.
 */
export function textsOf(source: string): string {
  const lines = source.split('\n').map(() => '');
  let line = 0;
  const add = (text: string) => {
    for (const [offset, part] of text.split('\n').entries()) {
      const plain = part.trim();
      if (plain !== '') lines[line + offset] = [lines[line + offset], plain].filter(Boolean).join('. ');
    }
  };
  for (const { type, value } of jsTokens(source)) {
    if (type === 'SingleLineComment') add(value.slice(2));
    else if (type === 'MultiLineComment') add(value.slice(2, -2).replaceAll(/^\s*\*/gm, ''));
    else if (isLiteral(type) && value.includes(' '))
      add(
        value
          .replace(/^./, '')
          .replace(/(?:\$\{|.)$/, '')
          .replaceAll('\\n', ' '),
      );
    line += value.split('\n').length - 1;
  }
  return lines.join('\n');
}

const isLiteral = (type: string) =>
  type === 'StringLiteral' || type === 'NoSubstitutionTemplate' || type.startsWith('Template');
