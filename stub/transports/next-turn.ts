/**
 * Calls back on a later turn of the event loop. It is taken as it is before any test begins: where timers are made to
 * stand still, which is how waits are tested, answers come all the same.
 */
export const nextTurn = setImmediate;
