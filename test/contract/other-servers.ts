import { audit } from '../../suites/engine/audit.ts';
import { createOtherServer, otherTarget } from '../other-target.ts';
import { startThirdServer } from '../third-server/server.ts';
import { thirdTarget } from '../third-server/target.ts';

// Runs the kit against the second and the third server, and prints what failed. Both have to follow the contract.

const options = { seed: 1, observe: false };

const second = await createOtherServer({ cap: { calls: 5000, windowMs: 60_000, style: 'fixed' } });
const third = await startThirdServer();
const results = [await audit(otherTarget(second), options), await audit(thirdTarget(third), options)];
await Promise.all([second.close(), third.close()]);

const failed = results.map(({ requirements }) =>
  requirements.filter(({ status }) => status === 'failed' || status === 'errored').map(({ id }) => id),
);
console.info(JSON.stringify(failed));
