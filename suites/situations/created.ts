import { body, type Completed, isSuccess, precedes } from '../history/exchange.ts';
import { areStrangers, type Knowledge, ownerOf } from '../history/history.ts';
import { normalizedSlug } from './slugs.ts';

/** A piece that a content request created, with a text that no other piece contains. */
export interface Created {
  readonly exchange: Completed;
  readonly workspace: string;
  readonly mark: string;
}

/** Tools whose results show pieces. */
const showing: readonly (string | null)[] = ['content.status', 'schedule.read', 'library.search'];

/** Bounds the time to search each response. */
const mostRemembered = 64;

/** Titles that only one content request of a run has. */
const onlyTitle = /^tck \S+ the only piece /;

/** Shorter IDs may occur in other texts. */
const leastMark = 12;

/** Created pieces, to find them in results of other workspaces and accounts. */
export class CreatedPieces {
  readonly #knowledge: Knowledge;
  readonly #created: { exchange: Completed; workspace: string; title: string | undefined; id: string }[] = [];
  /** Tools that showed a piece in its own workspace, by mark. */
  readonly #shown = new Set<string>();

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  add(exchange: Completed): void {
    const { request } = exchange;
    if (request.tool === 'content.create_request') this.#addRequest(exchange);
    const workspace = placeShown(exchange);
    if (workspace === undefined) return;
    for (const piece of this.#marked()) {
      if (piece.workspace === workspace && !this.#mayDiffer(piece, exchange) && holds(exchange, piece))
        this.#shown.add(`${request.tool} ${piece.mark}`);
    }
  }

  #addRequest(exchange: Completed): void {
    const { title } = exchange.request.args ?? {};
    const { workspace, piece_id: id } = body(exchange);
    const isCreated = isSuccess(exchange) && typeof workspace === 'string' && typeof id === 'string';
    if (!isCreated || this.#created.length >= mostRemembered) return;
    this.#created.push({
      exchange,
      workspace: normalizedSlug(workspace),
      title: typeof title === 'string' ? title : undefined,
      id,
    });
  }

  /** Returns the created pieces with a unique text: a title that says so, or an ID that no counter issued. */
  #marked(): Created[] {
    const forms = new Set(this.#created.map(({ id }) => id.replaceAll(/\d/g, '')));
    return this.#created.flatMap(({ exchange, workspace, title, id }) => {
      if (title !== undefined && onlyTitle.test(title))
        return [{ exchange, workspace, mark: JSON.stringify(title).slice(1, -1) }];
      return forms.size > 1 && id.length >= leastMark ? [{ exchange, workspace, mark: JSON.stringify(id) }] : [];
    });
  }

  /** Returns the pieces of other workspaces, or of other accounts, that this result must not show. */
  #foreign(exchange: Completed, of: 'workspace' | 'account'): Created[] {
    const workspace = placeShown(exchange);
    if (workspace === undefined) return [];
    return this.#marked().filter(
      (piece) =>
        // Accounts may share a workspace, so an equal slug says nothing.
        piece.workspace !== workspace &&
        precedes(piece.exchange, exchange) &&
        this.#mayDiffer(piece, exchange) === (of === 'account'),
    );
  }

  /** Returns a piece of another place that the result shows. */
  shownElsewhere(exchange: Completed, of: 'workspace' | 'account'): Created | undefined {
    return this.#foreign(exchange, of).find((piece) => holds(exchange, piece));
  }

  /** Whether the tool showed such a piece in its own workspace, so that its absence elsewhere says something. */
  isControlled(exchange: Completed, of: 'workspace' | 'account'): boolean {
    return this.#foreign(exchange, of).some(({ mark }) => this.#shown.has(`${exchange.request.tool} ${mark}`));
  }

  #mayDiffer(piece: Created, { sender }: Completed): boolean {
    const { role } = piece.exchange.sender;
    if (areStrangers(role, sender.role)) return false;
    return ownerOf(role, this.#knowledge) !== ownerOf(sender.role, this.#knowledge);
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
