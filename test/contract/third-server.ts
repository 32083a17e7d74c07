import { idsWith } from '../output.ts';
import { runThird } from '../third-server/measure.ts';

// Runs the kit against the third server and prints what failed. The third server follows the contract.

console.info(JSON.stringify(idsWith(await runThird(), 'failed', 'errored')));
