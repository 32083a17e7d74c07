import type { Args, Context } from '../engine/context.ts';
import { isProposal } from './images.ts';

/** A shape other than the one asked for, in the hope that it is allowed too. */
export function otherShape(t: Context, args: Args): string {
  return t.ground.shapes.find((shape) => shape !== args.shape) ?? '1:1';
}

/** The most shapes that are tried before a service is taken to offer one only. */
const mostShapes = 4;

/** Another shape with which a proposal is not refused; any other where none of the first few is offered. */
export async function offeredShape(t: Context, args: Args): Promise<string> {
  for (const shape of t.ground.shapes.filter((each) => each !== args.shape).slice(0, mostShapes)) {
    const asked = await t.once(`proposed as ${shape}`, () => t.call('images.generate', { ...args, shape }));
    if (isProposal(asked)) return shape;
  }
  return otherShape(t, args);
}
