import { expect, test } from 'vitest';
import { good, mistakes } from '../../test/clients/table.ts';
import { judged, missingLanguages } from '../../test/judge/judged-client.ts';

for (const [language, mistake, scenarios, ...told] of mistakes) {
  const findings = told.filter((each) => typeof each === 'string');
  const [person] = told.flatMap((each) => (typeof each === 'string' ? [] : [each.person]));
  const name = `a client in ${language}: ${mistake}, in ${scenarios}`;
  test.skipIf(missingLanguages.includes(language))(`${name} (needs ${language})`, { timeout: 60_000 }, async () => {
    expect((await judged(language, mistake, { only: scenarios.split(','), person })).broken).toEqual(findings);
  });
}

for (const [language, habits, person] of good) {
  const habit = habits.join(' + ');
  const name = `a good client in ${language}: ${habit} ${person?.proposals ?? ''}`;
  test.skipIf(missingLanguages.includes(language))(`${name} (needs ${language})`, { timeout: 60_000 }, async () => {
    expect(await judged(language, habit, { person })).toMatchObject({ trouble: undefined, broken: [] });
  });
}
