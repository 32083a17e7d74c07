/** Exports for custom stories; see `docs/own-stories.md`. */
export type { Requirement, RequirementId, Severity } from '../fixtures/requirements/model.ts';
export type { Role } from '../fixtures/roles.ts';
export type { Effect } from '../fixtures/side-effects.ts';
export { isPlainRequest } from './expectations/answers.ts';
export { fieldIs, fieldIsArray, fieldIsText } from './expectations/fields.ts';
export { byOthers, type Finding, first } from './expectations/finding.ts';
export { boundaryError, carries, describe, refuses, succeeds } from './expectations/responses.ts';
export type { Rule, Twin } from './expectations/rule.ts';
export { body, type Completed, type Exchange, header, isRefusal, isSuccess } from './history/exchange.ts';
export { durationMs, hasHeader, respondsWithin } from './own-stories/expectations.ts';
export { must, type OwnJudging, rule, should } from './own-stories/requirement.ts';
export { type OwnStoryParts, story } from './own-stories/story.ts';
export type { Seen } from './situations/seen.ts';
export type { Needs } from './topics/needs.ts';
export type { Args, Steps, StoryRequest } from './topics/steps.ts';
export type { Story, Turn } from './topics/story.ts';
