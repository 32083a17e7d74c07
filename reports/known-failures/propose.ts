import { isSeq, parseDocument } from 'yaml';
import { byTopic } from '../../suites/causes/order.ts';
import { member } from '../../suites/json.ts';
import type { RunResult } from '../../suites/result.ts';
import { whyNotWritten, writeWhole } from '../../suites/usage/files.ts';
import { UsageError } from '../../suites/usage/usage-error.ts';
import { safeJson } from '../json.ts';
import { plain } from '../plain.ts';
import { listText, readingYaml } from './known-failures.ts';

export interface Proposal {
  /** New contents of the file. */
  text: string;
  /** IDs of added requirements. */
  added: string[];
}

/**
 * Adds an entry for each failed requirement that the list does not contain. Reason, issue, owner and expiration date
 * are empty, so the list is invalid until a person fills them in. Keeps existing entries and comments.
 */
export function proposeKnownFailures(result: RunResult, format: 'yaml' | 'json', existing = ''): Proposal {
  const name = 'the file of known failures';
  const given = existing.trim() === '' ? '[]' : existing;
  const document = readingYaml(name, () => parseDocument(given, { prettyErrors: false }));
  if (document.errors.length > 0 || !isSeq(document.contents)) {
    throw new UsageError('The file of known failures is not a list: make it a list, so that entries can be added');
  }
  const listed: unknown = readingYaml(name, () => document.toJS());
  const entries: unknown[] = Array.isArray(listed) ? listed : [];
  const failed = result.requirements
    .filter(({ id, status }) => status === 'failed' && !entries.some((entry) => member(entry, 'requirement') === id))
    .toSorted(byTopic);
  const added = failed.map(({ id }) => id);
  if (format === 'json') return { text: safeJson([...entries, ...added.map(emptyEntry)]), added };

  document.contents.flow = entries.length === 0 && added.length === 0;
  for (const requirement of failed) {
    const node = document.createNode(emptyEntry(requirement.id));
    const [finding] = requirement.findings;
    if (finding !== undefined) {
      node.commentBefore = ` expected ${plain(finding.expected, 200)}\n got ${plain(finding.actual, 200)}`;
    }
    document.add(node);
  }
  return { text: document.toString({ lineWidth: 0 }), added };
}

function emptyEntry(requirement: string) {
  return { requirement, reason: '', issue: '', owner: '', expires: '' };
}

/** Adds failed requirements to a list of known failures. Creates the file if necessary. Returns the added IDs. */
export async function updateKnownFailures(result: RunResult, path: string): Promise<string[]> {
  const existing = await listText(path, true);
  const { text, added } = proposeKnownFailures(result, path.endsWith('.json') ? 'json' : 'yaml', existing);
  if (added.length === 0) return added;
  await writeWhole(path, text).catch((error: unknown) => {
    throw new UsageError(`Cannot write the known failures: '${path}': ${whyNotWritten(error)}`);
  });
  return added;
}
