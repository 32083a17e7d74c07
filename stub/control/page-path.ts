/** Where the page lives. */
export const pagePath = '/__control/ui';
