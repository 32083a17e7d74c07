import { combineDefects } from '../../../stub/defects/index.ts';
import { createStub } from '../../../stub/index.ts';
import { audit } from '../../engine/audit.ts';
import { inProcess } from '../stub-target.ts';
import { skippingTimer } from '../skipping-timer.ts';
const [defect, ...only] = process.argv.slice(2);
const stub = createStub({ seed: 1, rateCap: 5000, ...(defect ? { rules: combineDefects([defect] as never) } : {}) });
const r = await audit(inProcess(stub, { shape: '1:1' }), { seed: 1, observe: false, fuzz: 0, timer: skippingTimer(() => undefined), ...(only.length ? { only } : {}) });
for (const q of r.requirements) if (q.status !== 'passed' && !q.id.startsWith('arguments.') && q.reason !== 'not selected') {
  console.log(q.id, q.status, q.reason);
  for (const f of q.checks.flatMap(c => c.findings)) { console.log('   ', f.expected, '|', f.actual, f.times ?? ''); for (const n of f.exchanges) { const e = r.exchanges[n - 1]; console.log('      ', n, e?.credential, e?.request.url.split('/').at(-1), e?.request.body, '=>', e?.response?.status, e?.response?.body.slice(0, 300)); } }
}
console.log(r.summary);
process.exit(0);
