import { type Requirement, topics } from '../fixtures/requirements/model.ts';
import { rules } from './topics/index.ts';

const inOrder: readonly string[] = topics;

/** All requirements that black-box tests can check, ordered by topic. */
export const requirements: readonly Requirement[] = rules
  .map(({ requirement }) => requirement)
  .sort((a, b) => inOrder.indexOf(a.topic) - inOrder.indexOf(b.topic));
