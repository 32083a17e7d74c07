import { z } from 'zod';
import { imagesGenerate } from '../../../fixtures/contract/tools/images-generate.ts';

/** Limits of this stub. The specification defines none ("images.generate"). */
const mostImages = 12;
const shapes = ['1:1', '4:5', '5:4', '3:4', '4:3', '2:3', '3:2', '9:16', '16:9', '21:9'];

const { shape: contract } = imagesGenerate.arguments;

/** Argument schema of the contract, with the stub's limits. */
export const boundedImagesArguments = z.looseObject({
  ...contract,
  count: contract.count.refine((value) => value >= 1 && value <= mostImages, { error: `expected 1 to ${mostImages}` }),
  shape: contract.shape.refine((value) => shapes.includes(value), { error: `expected one of ${shapes.join(', ')}` }),
});
