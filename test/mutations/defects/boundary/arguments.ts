import { boundaryError } from '../../../../stub/server/responses.ts';
import { calls, instead } from '../../../../stub/variants/changes/steps.ts';
import { defect } from '../../../../stub/variants/defect.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Defects on rare argument values. */
export const argumentDefects = {
  'apostrophes-in-briefs-malformed': defect(
    'treats a body as malformed, and returns a 400, if a brief contains an apostrophe',
  )
    .breaks('arguments.valid-never-refused', 'image-proposals.proposed')
    .by(
      instead(
        'checkArguments',
        (call) => calls('images.generate')(call) && text(call.body.brief).includes("'"),
        ({ behavior }) => boundaryError(400, behavior.codes.malformedBody, 'The body is not a JSON object.'),
      ),
    ),
};
