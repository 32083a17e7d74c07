import { runThird, withStatus } from '../third-server/measure.ts';

// Runs the kit against the third server and prints what failed. The third server follows the contract.

console.info(JSON.stringify(withStatus(await runThird(), 'failed', 'errored')));
