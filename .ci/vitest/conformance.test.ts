// Runs the kit in a test runner, as users of the package do.
import { defineTarget } from 'content-workspace-tck';
import { createStub } from 'content-workspace-tck/stub';
import { conformance } from 'content-workspace-tck/vitest';

conformance(
  () => {
    const { baseUrl, keys, dispatcher } = createStub();
    return defineTarget({ baseUrl, keys, dispatcher });
  },
  { only: ['schedule'] },
);
