import { crash, result, writing } from '../../../../stub/variants/changes/responses.ts';
import { calls, instead } from '../../../../stub/variants/changes/steps.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Defects in status, content type and form of responses. */
export const envelopeDefects = {
  'last-byte-lost': defect('drops the last byte of the response body of content.status')
    .breaks('envelopes.json-200', 'content-status.answers')
    .by(writing(result('content.status'), (text) => text.slice(0, -1))),
  'crash-on-missing-id': defect('fails with a 500 if a library.get request has no argument id')
    .breaks('envelopes.no-server-error', 'library.id-missing-refused')
    .by(instead('checkArguments', (call) => calls('library.get')(call) && call.body.id === undefined, crash)),
};
