/** Where the control plane lives, beside the API and not below it. */
export const controlPath = '/__control/';
export const advancePath = `${controlPath}advance`;
/** Where the description of the control plane is. */
export const controlDescriptionPath = `${controlPath}openapi.json`;
/** Where the page lives. */
export const pagePath = `${controlPath}ui`;
/** The header that carries the control token, in lower case. */
export const controlHeader = 'x-control-token';
