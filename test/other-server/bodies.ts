import { boundaryCodes } from '../../fixtures/contract/codes.ts';
import { type Answer, boundaryError } from './answer.ts';
import { isJsonObject, type JsonObject, parseJson } from './json.ts';
import type { World } from './world.ts';

/** Returns the arguments in a body, or a 400 ("Boundary errors"). An omitted body means no arguments. */
export const readArguments = (world: World, body: Buffer): { args: JsonObject } | { refused: Answer } => {
  const { options } = world;
  const malformed = {
    refused: boundaryError(world, 400, 'malformed-body', boundaryCodes.malformedBody, 'Send a JSON object or no body.'),
  };
  if (body.length === 0) return { args: {} };
  if (options.invalidUtf8 === 'malformed' && !isUtf8(body)) return malformed;
  const text = body.toString('utf8');
  if (text.trim() === '' && options.bodyWhitespace === 'no-body') return { args: {} };
  const value = parseJson(text);
  if (Array.isArray(value) && options.batchLimit > 0 && value.length > options.batchLimit) {
    const message = 'Fewer messages at once, please.';
    return { refused: boundaryError(world, 400, 'batch-too-large', boundaryCodes.batchTooLarge, message) };
  }
  return isJsonObject(value) ? { args: value } : malformed;
};

const isUtf8 = (body: Buffer) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
};
