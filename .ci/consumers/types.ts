import type { components } from './generated/control.ts';
import type { paths } from './generated/types.ts';

type ResultOf<Path extends keyof paths> = paths[Path]['post']['responses'][200]['content']['application/json'];

/** Compiles only where `ok` and `status` tell the forms of a response apart. */
export function told(
  images: ResultOf<'/api/v1/tools/images.generate'>,
  status: ResultOf<'/api/v1/tools/content.status'>,
): string[] {
  if (!status.ok) return [status.code, ...(status.workspaces ?? [])];
  if (!images.ok) return [images.code, images.message];
  const next: string = images.status === 'dispatched' ? images.run_id : images.confirmation_id;
  return [status.workspace, status.working_in.label, next];
}

/** The journal of the control plane tells its events apart by `kind`. */
export function tools({ events }: components['schemas']['journal']): (string | null)[] {
  return events.flatMap((event) => (event.kind === 'exchange' ? [event.tool] : []));
}
