/**
 * Runs a callback on a later turn of the event loop. Keeps the original `setImmediate`, so that responses arrive even
 * if a test uses fake timers.
 */
export const nextTurn = setImmediate;
