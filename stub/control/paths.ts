/** Path of the control plane, outside the path of the API. */
export const controlPath = '/__control/';
/** Moves the clock of the main sandbox. */
export const advancePath = `${controlPath}worlds/main/clock`;
export const pagePath = `${controlPath}ui`;
/** Header with the control token, in lower case. */
export const controlHeader = 'x-control-token';
