// Adds `comparison.md` of `tck compare --out` to a pull request, or updates the comment of an earlier run. The
// step `comment` of action.yml runs this script without installed dependencies, so it imports only Node.js modules.
import { readFile } from 'node:fs/promises';

interface Comment {
  id: number;
  body: string | null;
}

/** Maximum length of a comment. GitHub rejects comments with more than 65,536 characters. */
const mostCharacters = 65_000;

const perPage = 100;

async function main(env: NodeJS.ProcessEnv): Promise<string> {
  const event = JSON.parse(await readFile(needed(env, 'GITHUB_EVENT_PATH'), 'utf8'));
  const number: unknown = event.pull_request?.number;
  if (typeof number !== 'number') return 'this job does not run for a pull request: no comment';
  const text = await readFile(needed(env, 'COMMENT_FILE'), 'utf8');
  // Each use of the action in a pull request has a separate comment.
  const marker = `<!-- content-workspace-tck: ${needed(env, 'COMMENT_KEY').replaceAll('--', '-')} -->`;
  const body = `${marker}\n${text.slice(0, mostCharacters)}\n\n[Report](${needed(env, 'REPORT_URL')})\n`;

  const issues = `/repos/${needed(env, 'GITHUB_REPOSITORY')}/issues`;
  for (const { id } of await commentsWith(marker, `${issues}/${number}/comments`, env)) {
    // Other users can write comments with the marker. GitHub rejects changes to these comments.
    const updated = await ask('PATCH', `${issues}/comments/${id}`, env, { body }).catch(() => undefined);
    if (updated !== undefined) return `updated the comment ${id}`;
  }
  await ask('POST', `${issues}/${number}/comments`, env, { body });
  return 'added a comment';
}

async function commentsWith(marker: string, path: string, env: NodeJS.ProcessEnv): Promise<Comment[]> {
  const marked: Comment[] = [];
  for (let page = 1; ; page += 1) {
    const comments: Comment[] = await ask('GET', `${path}?per_page=${perPage}&page=${page}`, env);
    marked.push(...comments.filter(({ body }) => body?.startsWith(marker)));
    if (comments.length < perPage) return marked;
  }
}

async function ask(method: string, path: string, env: NodeJS.ProcessEnv, body?: object) {
  const response = await fetch(`${needed(env, 'GITHUB_API_URL')}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${needed(env, 'GITHUB_TOKEN')}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'content-workspace-tck',
    },
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  const hint = response.status === 403 ? ' The job needs `permissions: pull-requests: write`.' : '';
  throw new Error(`${method} ${path} returned ${response.status}.${hint}`);
}

function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

// A failure only prints a warning, because the exit code of the action is the exit code of the run.
try {
  console.log(await main(process.env));
} catch (error) {
  console.log(`::warning::No comment on the pull request: ${error instanceof Error ? error.message : String(error)}`);
}
