import { readingTools } from '../../../fixtures/contract/tools.ts';
import type { Completed } from '../../history/exchange.ts';

export const readsOnly = ({ request }: Completed) => readingTools.some((tool) => tool === request.tool);
