export const theRequest = {
  topic: 'content-requests',
  tools: ['content.create_request'],
  source: 'content.create_request, request',
} as const;

/**
 * Whether a value is plain ASCII. The specification does not define how to count other characters, or how patterns
 * treat a trailing line break.
 */
export const isAscii = (value: unknown) => /^[ -~]*$/.test(String(value).replace(/\n(?=.)/g, ' '));
