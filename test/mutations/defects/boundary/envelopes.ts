import { result, writing } from '../../../../stub/variants/changes/responses.ts';
import { defect } from '../../../../stub/variants/defect.ts';

/** Defects in status, content type and form of responses. */
export const envelopeDefects = {
  'last-byte-lost': defect('drops the last byte of the response body of content.status')
    .breaks('envelopes.json-200', 'content-status.answers')
    .by(writing(result('content.status'), (text) => text.slice(0, -1))),
};
