/**
 * Words to avoid, as patterns, each with its replacement. Patterns match whole words in any case. `docs/glossary.md`
 * defines the replacements.
 */
export const terms: readonly (readonly [avoid: string, say: string])[] = [
  // One term for each concept
  ['not exercised', 'not tested'],
  ['exercised', 'tested'],
  ['blames', 'reports a finding against'],
  ['blame', 'report a finding against'],
  ['blamed', 'false finding'],
  ['(?:is|are|was|were) answered with', 'gets'],
  ['answers? with', 'returns'],
  ['(?:is|are|was|were) answered', 'gets a response'],
  ['boundary errors?', 'error response'],
  ['dialects?', 'variant'],
  ['slips', 'defects'],
  ['hold-?outs?', 'held-out set'],
  ['nonsense', 'malformed'],
  ['likeness(?:es)?', 'normalized form'],
  ['(?:is|are|was|were) drawn', 'is generated'],
  ['out of reach', 'inaccessible'],
  ['told apart', 'distinguished'],
  ['tells? apart', 'distinguishes'],
  ['tells? (?:them|these|those|two|both) apart', 'distinguishes'],
  ['shaky', 'refutable'],
  ['suspicions?', 'refutable finding'],
  // Technical terms instead of paraphrases
  ['(?:it|that|which|what) comes to its end', 'finishes'],
  ['comes? to (?:its|an) end', 'finishes'],
  ['begins? again', 'resets'],
  ['begins? (?:the|a|its) world', 'resets the sandbox'],
  ['made anew', 'reset'],
  ['ends with (?:exit code )?\\d', 'exits with'],
  ['by chance', 'at random'],
  ['all chance', 'randomness'],
  ['unless given', 'by default'],
  ['in so far as', 'if'],
  ['whoever', 'the person who'],
  ['nobody', 'no person'],
  ['the very answer', 'this response'],
  ['that there are', 'that exist'],
  ['where there is none', 'if none exists'],
  ['where there are none', 'if none exist'],
  ['is none', 'does not exist'],
  ['what (?:came|comes) of', 'the result of'],
  ['what (?:was|is) told', 'the events'],
  ['(?:a|its) word of its own', 'a separate word'],
  ['makes no sense', 'is invalid'],
  ['make no sense', 'are invalid'],
  ['as it is meant', 'as intended'],
  // Requests match faults; they do not meet them
  ['meets? (?:a|the|its|no) faults?', 'matches a fault'],
  ['met (?:a|the|its|no) faults?', 'matched a fault'],
  // Google developer documentation style
  ['behaviour', 'behavior'],
  ['behaviours', 'behaviors'],
  ['colours?', 'color'],
  ['licence', 'license'],
  ['utili[sz]e', 'use'],
  ['in order to', 'to'],
  ['via', 'through'],
];

/**
 * Openings that hide the subject of a comment. `(?-i:…)` makes a pattern case-sensitive. The linter looks up the
 * replacement with the text `xyz MATCH xyz`.
 */
export const openings: readonly (readonly [avoid: string, say: string])[] = [
  ['(?<=^|xyz )(?-i:The same)\\b', 'the noun'],
  ['(?<=^|xyz )(?-i:Of|What|Whose|Those|Such|Whatever|Whoever|Where)\\b', 'the subject first'],
];
