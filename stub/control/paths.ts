/** Where the control plane lives, beside the API and not below it. */
export const controlPath = '/__control/';
export const advancePath = `${controlPath}advance`;
/** Where the page lives. */
export const pagePath = `${controlPath}ui`;
/** The header that carries the control token, in lower case. */
export const controlHeader = 'x-control-token';
