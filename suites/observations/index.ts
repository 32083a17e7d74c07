import type { QuestionId } from '../../fixtures/open-questions.ts';
import { isCompleted } from '../exchange/exchange.ts';
import { boundary } from './boundary.ts';
import { content } from './content.ts';
import { images } from './images.ts';
import { type Answer, type Answers, type Observation, outcome, sentFor } from './observation.ts';

const answers: Answers = { ...boundary, ...content, ...images };

/** Returns what answers a question. Default: the outcome of each request that was sent for the question. */
export function answerTo(question: QuestionId): Answer {
  return answers[question] ?? outcomes(question);
}

/** Returns the outcome of each request that was sent for a question, labeled with what the request tried. */
function outcomes(question: QuestionId): Answer {
  return (history) =>
    sentFor(history, question).map((exchange): Observation => {
      const what = exchange.observes?.what === '' ? '' : `${exchange.observes?.what}: `;
      return isCompleted(exchange) ? [`${what}${outcome(exchange)}`, exchange] : [`${what}no response`];
    });
}
