import { body, type Completed, isSuccess, precedes } from '../../exchange/exchange.ts';
import { areStrangers, type Knowledge, mayDiffer, ownerOf } from '../../exchange/history.ts';
import { isDispatch } from './ids.ts';
import { itemsIn } from './items.ts';
import { normalizedSlug } from './scope.ts';

/** Returns the piece that a content request created, by account: two accounts may use equal IDs. */
export function pieceIn(exchange: Completed, knowledge: Knowledge): string | undefined {
  const { sender, request } = exchange;
  const { piece_id: id } = body(exchange);
  if (request.tool !== 'content.create_request' || !isSuccess(exchange) || typeof id !== 'string') return undefined;
  return JSON.stringify([ownerOf(sender.role, knowledge), id]);
}

/** A piece or an image that the kit created, with a text that no other one contains. */
export interface Created {
  readonly exchange: Completed;
  readonly workspace: string;
  readonly mark: string;
}

/** Tools whose results show pieces. */
const showing: readonly (string | null)[] = ['content.status', 'schedule.read', 'library.search'];

/** Bounds the time to search each response. */
const mostRemembered = 64;

const onlyTitle = 'the only piece';

/** Returns a title that only one content request of a run has. */
export const onlyTitled = (runId: string, name: string) => `tck ${runId} ${onlyTitle} ${name}`;

/** Words of all these titles. */
export const wordsOfOnlyTitles = (runId: string) => onlyTitled(runId, '').trimEnd();

const isOnlyTitle = (title: unknown): boolean =>
  typeof title === 'string' && new RegExp(`^tck \\S+ ${onlyTitle} `).test(title);

/** Shorter IDs may occur in other texts. */
const leastMark = 12;

/** An image that only another workspace shows (`there`): a search for its brief finds nothing in its own. */
export interface Strayed extends Created {
  readonly there: Completed;
}

/**
 * A piece of another place that a result shows, or a strayed image. True if it shows none, but the tool showed such a
 * piece in its own workspace, so that the absence says something.
 */
type Elsewhere = Created | Strayed | boolean;

/** Created pieces and images, to find them in results of other workspaces and accounts. */
export class CreatedPieces {
  readonly #knowledge: Knowledge;
  readonly #pieces: Omit<Created, 'mark'>[] = [];
  /** The pieces with a unique text: a title that says so, or an ID that no counter issued. */
  #marked: readonly Created[] = [];
  readonly #images: Created[] = [];
  /** Results that show an image in another workspace of its account. */
  #strayed: readonly Strayed[] = [];
  /** Tools that showed a piece in its own workspace, by mark. */
  readonly #shown = new Set<string>();

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  add(exchange: Completed): void {
    const { tool } = exchange.request;
    if (tool === 'content.create_request') this.#addRequest(exchange);
    if (isDispatch(exchange)) this.#addImages(exchange);
    const workspace = placeShown(exchange);
    if (workspace === undefined) return;
    for (const piece of [...this.#marked, ...this.#images]) {
      if (this.#isOfOtherAccount(piece, exchange) || !holds(exchange, piece)) continue;
      if (piece.workspace === workspace) this.#shown.add(`${tool} ${piece.mark}`);
      else if (isDispatch(piece.exchange) && precedes(piece.exchange, exchange))
        this.#strayed = [...this.#strayed.slice(-mostRemembered), { ...piece, there: exchange }];
    }
  }

  /** Returns what a result shows of the pieces of other places; undefined if it shows no pieces. */
  elsewhere(exchange: Completed, owner: 'workspace' | 'account'): Elsewhere | undefined {
    const workspace = placeShown(exchange);
    if (workspace === undefined) return undefined;
    const strayed = owner === 'workspace' ? this.#strayedFrom(exchange, workspace) : undefined;
    if (strayed !== undefined) return strayed;
    const ofAccount = owner === 'account';
    const foreign = [...this.#marked, ...(ofAccount ? this.#images : [])].filter(
      (piece) =>
        // Accounts may share a workspace, so an equal slug says nothing.
        piece.workspace !== workspace &&
        precedes(piece.exchange, exchange) &&
        this.#isOfOtherAccount(piece, exchange) === ofAccount,
    );
    return (
      foreign.find((piece) => holds(exchange, piece)) ??
      foreign.some(({ mark }) => this.#shown.has(`${exchange.request.tool} ${mark}`))
    );
  }

  #strayedFrom(exchange: Completed, workspace: string): Strayed | undefined {
    if (exchange.request.tool !== 'library.search' || itemsIn(exchange).length > 0) return undefined;
    const query = JSON.stringify(exchange.request.args?.query);
    return this.#strayed.find((image) => image.workspace === workspace && query === `"${image.mark}"`);
  }

  /** Adds images by their brief. Workspaces of an account may share a library. */
  #addImages(exchange: Completed): void {
    const { brief } = exchange.request.args ?? {};
    const { workspace } = body(exchange);
    const isKnown = typeof brief === 'string' && typeof workspace === 'string' && /^tck \S+: .*\)$/.test(brief);
    if (!isKnown || this.#images.length >= mostRemembered) return;
    this.#images.push({ exchange, workspace: normalizedSlug(workspace), mark: JSON.stringify(brief).slice(1, -1) });
  }

  #addRequest(exchange: Completed): void {
    const { workspace, piece_id: id } = body(exchange);
    const isCreated = isSuccess(exchange) && typeof workspace === 'string' && typeof id === 'string';
    if (!isCreated || this.#pieces.length >= mostRemembered) return;
    this.#pieces.push({ exchange, workspace: normalizedSlug(workspace) });
    const ids = this.#pieces.map(({ exchange }) => String(body(exchange).piece_id));
    const forms = new Set(ids.map((id) => id.replaceAll(/\d/g, '')));
    const areRandom = forms.size > 1 && new Set(ids).size === ids.length;
    this.#marked = this.#pieces.flatMap((piece, index) => {
      const { title } = piece.exchange.request.args ?? {};
      const { [index]: id = '' } = ids;
      if (isOnlyTitle(title)) return { ...piece, mark: JSON.stringify(title).slice(1, -1) };
      return areRandom && id.length >= leastMark ? { ...piece, mark: JSON.stringify(id) } : [];
    });
  }

  #isOfOtherAccount(piece: Created, { sender }: Completed): boolean {
    const { role } = piece.exchange.sender;
    return !areStrangers(role, sender.role) && mayDiffer(role, sender.role, this.#knowledge);
  }
}

/** Returns the workspace that a result of a showing tool names. */
function placeShown(exchange: Completed): string | undefined {
  const { workspace } = body(exchange);
  const isShowing = showing.includes(exchange.request.tool) && exchange.sender.kind === 'key' && isSuccess(exchange);
  return isShowing && typeof workspace === 'string' ? normalizedSlug(workspace) : undefined;
}

const holds = ({ request, response }: Completed, { mark }: Created) =>
  // A search may echo its query.
  response.text.includes(mark) && !JSON.stringify(request.args).includes(mark);
