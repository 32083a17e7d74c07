import type { PresentationKind } from './confirmation-ids.ts';

/** Limits how many things a run creates at a deployment, at worst: what a request may create is reserved before it. */
export class Allowance {
  readonly most: number;
  #made = 0;
  #reserved = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Things left to create if no open reservation is used. */
  get left(): number {
    return Math.max(0, this.most - this.#made);
  }

  /** Things left to create if every open reservation is used. */
  get free(): number {
    return this.left - this.#reserved;
  }

  /** Things that the run may have created, including all open reservations. */
  get atWorst(): number {
    return this.#made + this.#reserved;
  }

  reserve(count: number): void {
    this.#reserved += count;
  }

  /** Ends a reservation. `made` is how many things may have been created. */
  settle(reserved: number, made: number): void {
    this.#reserved -= reserved;
    this.#made += made;
  }
}

/** Most simultaneous requests that present one ID, because each of them may dispatch. */
export const mostRunners = 4;

/** Images to reserve for `runners` requests. `wait`: open reservations may leave room later. */
type Plan = { readonly runners: number; readonly images: number } | 'wait' | 'too many';

interface ReservationRequest {
  readonly way: PresentationKind | 'proposal';
  readonly worst: number;
  readonly times: number;
  /** Whether the request contains more than the specification describes. */
  readonly unusual: boolean;
}

/**
 * Plans a reservation.
 * @param left images that the run may still spend
 * @param free images that no open reservation holds
 */
export function planReservation({ way, worst, times, unusual }: ReservationRequest, left: number, free: number): Plan {
  if (way === 'proposal') {
    // A proposal must not spend, so it needs no room. It waits for room only while other reservations are open.
    // An unusual one needs room: the server may treat it as confirmed, although it treats others correctly.
    if (unusual && left < worst * times) return 'too many';
    const images = Math.min(worst * times, left);
    return images <= free || free === left ? { runners: times, images } : 'wait';
  }
  const least = Math.min(2, times);
  const most = Math.min(times, mostRunners, worst === 0 ? times : Math.floor(left / worst));
  if (most < least) return 'too many';
  const runners = worst === 0 ? most : Math.min(most, Math.floor(free / worst));
  return runners < least || runners < most / 2 ? 'wait' : { runners, images: worst * runners };
}
