import { boundaryCodes, refusalCodes } from '../../fixtures/contract/codes.ts';
import { responseHeaders } from '../../fixtures/contract/headers.ts';
import { type Answering, type Asked, type Attacks, changed, like, withBody } from './wire.ts';

const spends = ({ tool, body }: Asked) => tool === 'images.generate' && body.includes('"confirmation_id"');

/** Lies only about responses to confirmations that the stub has dispatched. */
const confirmed =
  (lie: Answering): Answering =>
  (socket, good, asked) => {
    const dispatched = spends(asked) && good.body.includes('"dispatched"');
    (dispatched ? lie : like(() => ({})))(socket, good, asked);
  };

const refusal = (code: string) => JSON.stringify({ ok: false, code, message: 'no' });

/** False responses about spending. */
export const money: Attacks = {
  'confirmations said to be over the limit': confirmed((socket, { headers }) => {
    const body = { error: { code: boundaryCodes.rateLimited, message: 'later', retry_after_seconds: 1 } };
    socket.write(withBody(429, { ...headers, [responseHeaders.retryAfter]: '1' }, Buffer.from(JSON.stringify(body))));
  }),
  'confirmations said to be invalid': confirmed(like(() => ({ body: refusal(refusalCodes.confirmationInvalid) }))),
  'confirmations said to be unknown boards': confirmed(like(() => ({ body: refusal(refusalCodes.boardNotFound) }))),
  'confirmations said to be proposals': confirmed(
    changed((body, { nth }) => ({
      ...body,
      status: 'confirmation_required',
      run_id: null,
      confirmation_id: `c${nth}`,
    })),
  ),
  'confirmations said to have failed': confirmed(like(() => ({ status: 500, body: refusal('failed') }))),
  'confirmations without a response': confirmed((socket) => void socket.destroy()),
  'confirmations with a late response': confirmed((socket, good, asked) => {
    setTimeout(() => like(() => ({}))(socket, good, asked), 1500);
  }),
  'confirmations of no images': confirmed(changed((body) => ({ ...body, count: 0 }))),
  'confirmations of fewer than no images': confirmed(changed((body) => ({ ...body, count: -100 }))),
  'confirmations of more images than there are': confirmed(changed((body) => ({ ...body, count: 1e15 }))),
  'one run for all confirmations': confirmed(changed((body) => ({ ...body, run_id: 'run' }))),
  'every response a dispatched run of many images': changed((body) => ({
    ...body,
    ok: true,
    status: 'dispatched',
    run_id: 'r',
    count: 1_000_000,
  })),
  'a balance that falls with every request': changed((body, { nth }) =>
    'balance' in body ? { ...body, balance: 1_000_000 - nth } : body,
  ),
  'pieces without end': changed((body, { nth }) => ({ ...body, ok: true, piece_id: `p${nth}` })),
};
