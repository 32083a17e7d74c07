import { createStub } from '../stub/index.ts';
import { conformance } from '../stub/vitest.ts';
import { embeddedTarget } from './target/embedded.ts';
import { loadKnownTarget, loadTarget } from './target/load.ts';

// One test per requirement, by default against the stub. To test a deployment:
//   TCK_CONFIG=tck.config.json npx vitest run suites/conformance.test.ts
//   TCK_TARGET=https://api.example.test TCK_KEY_PRIMARY=… npx vitest run suites/conformance.test.ts -t schedule
const { TCK_CONFIG: config, TCK_TARGET: url } = process.env;

conformance(
  async () => {
    const around = { env: process.env, cwd: process.cwd(), consent: () => true };
    if (config !== undefined || url !== undefined) return (await loadTarget({ config, url }, around)).target;
    return (await loadKnownTarget(embeddedTarget(createStub()), {}, around)).target;
  },
  { observe: false },
);
