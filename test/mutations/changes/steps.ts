import type { Call, Steps } from '../../../stub/server/behavior.ts';
import type { KeyState } from '../../../stub/server/state/state.ts';
import type { Body } from '../../../stub/variants/changes/responses.ts';
import { around, type Calls, sent } from '../../../stub/variants/changes/steps.ts';
import type { Deviation } from '../../../stub/variants/defect.ts';

/** Skips a step for some requests. */
export const skipping = (name: keyof Steps, when: Calls): Deviation =>
  around(name, (step) => (call) => (when(call) ? undefined : step(call)));

/** Accepts some malformed bodies. `read` returns the JSON object to use instead. */
export const forgiving = (read: (text: string, call: Call) => Body | undefined): Deviation =>
  around('readBody', (step) => (call) => {
    const response = step(call);
    const given = response === undefined ? undefined : read(sent(call), call);
    if (given === undefined) return response;
    call.body = given;
    return undefined;
  });

/** Returns the credential in the Authorization header, after the scheme. `any` also accepts other schemes, or none. */
export function presented({ request }: Call, scheme: 'bearer' | 'any' = 'bearer'): string | undefined {
  const { authorization } = request.headers;
  const pattern = scheme === 'any' ? /^(?:\S+ +)?(\S+)$/ : /^bearer +(\S+)$/i;
  return typeof authorization === 'string' ? pattern.exec(authorization)?.[1] : undefined;
}

/**
 * Handles requests without a valid key as if they used the key that `find` returns. If it returns none, the response is
 * unchanged.
 */
export const admitting = (find: (call: Call) => KeyState | undefined): Deviation =>
  around('authenticate', (authenticate) => (call) => {
    const response = authenticate(call);
    const key = response === undefined ? undefined : find(call);
    if (key === undefined) return response;
    call.key = key;
    return undefined;
  });
