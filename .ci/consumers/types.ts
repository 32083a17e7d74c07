import type { paths } from './generated/types.ts';

type ResultOf<Path extends keyof paths> = paths[Path]['post']['responses'][200]['content']['application/json'];

/** Compiles only if `ok` and `status` discriminate the forms of a response. */
export function told(
  images: ResultOf<'/api/v1/tools/images.generate'>,
  status: ResultOf<'/api/v1/tools/content.status'>,
): string[] {
  if (!status.ok) return [status.code, ...(status.workspaces ?? [])];
  if (!images.ok) return [images.code, images.message];
  const next: string = images.status === 'dispatched' ? images.run_id : images.confirmation_id;
  return [status.workspace, status.working_in.label, next];
}
