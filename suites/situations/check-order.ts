import { refusalCodes } from '../../fixtures/contract/codes.ts';
import { type Completed, isRefusal, type KeyName } from '../history/exchange.ts';
import { runsInWorkspace } from './scope.ts';
import { brokenFields } from './violations.ts';

/** Whether the server checks the arguments before it looks for the workspace. The specification leaves this open. */
export class CheckOrder {
  /** Keys whose workspace is ambiguous if the request names none. */
  readonly #ambiguous = new Set<KeyName>();
  /** Keys whose invalid arguments were refused in a request that names no workspace. */
  readonly #argumentsRefused = new Set<KeyName>();

  add(exchange: Completed): void {
    const { sender, request } = exchange;
    if (sender.kind !== 'key' || sender.role === null || request.args?.workspace !== undefined) return;
    if (!runsInWorkspace(exchange)) return;
    if (isRefusal(exchange, refusalCodes.workspaceAmbiguous)) this.#ambiguous.add(sender.role);
    const isRefused = isRefusal(exchange, refusalCodes.invalidArguments) && brokenFields(exchange).length > 0;
    if (isRefused) this.#argumentsRefused.add(sender.role);
  }

  /** Whether a request with both errors was refused for its arguments. */
  get argumentsFirst(): boolean {
    return [...this.#ambiguous].some((role) => this.#argumentsRefused.has(role));
  }
}
