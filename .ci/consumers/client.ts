import { imagesGenerate } from './generated/client/index.ts';
import { zImagesGenerateResult } from './generated/client/zod.gen.ts';

/** Compiles only if the generated types distinguish the forms of a response. */
export async function told(): Promise<string> {
  const { data } = await imagesGenerate({ body: { board: 'b', brief: 'a cup', count: 1, shape: '1:1' } });
  if (data === undefined) return 'turned away';
  if (!data.ok) return data.code;
  const parsed = zImagesGenerateResult.parse(data);
  return parsed.status === 'dispatched' ? parsed.run_id : parsed.confirmation_id;
}
