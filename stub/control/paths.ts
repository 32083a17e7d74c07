/** Path of the control plane, outside the path of the API. */
export const controlPath = '/__control/';
export const advancePath = `${controlPath}advance`;
/** Path of the OpenAPI description of the control plane. */
export const controlDescriptionPath = `${controlPath}openapi.json`;
export const pagePath = `${controlPath}ui`;
/** Header with the control token, in lower case. */
export const controlHeader = 'x-control-token';
