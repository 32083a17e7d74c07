import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UsageError } from '../../suites/usage/usage-error.ts';
import type { StubResponse } from '../server/handle.ts';

export const viewerPath = '/viewer';

/** Files by URL path. */
export type Files = ReadonlyMap<string, StubResponse>;

const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const pageWith = (key: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tool-call API of the content workspace service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${viewerPath}/swagger-ui.css">
</head>
<body>
<div id="viewer" data-key="${key.replace(/[^\w-]/g, (sign) => `&#${sign.charCodeAt(0)};`)}"></div>
<script src="${viewerPath}/swagger-ui-bundle.js"></script>
<script src="${viewerPath}/start.js"></script>
</body>
</html>
`;

/**
 * Reads Swagger UI from the package swagger-ui-dist. It loads nothing from other servers. Rejects with a UsageError if
 * the package is not installed.
 */
export async function loadViewer(): Promise<Files> {
  const read = async (name: string, type: string): Promise<[string, StubResponse]> => {
    const text = await readFile(join(folder(), name), 'utf8');
    return [`${viewerPath}/${name}`, file(type, text)];
  };
  return new Map([
    ...(await Promise.all([read('swagger-ui.css', 'text/css'), read('swagger-ui-bundle.js', 'text/javascript')])),
  ]);
}

/**
 * Returns the viewer page. Its requests use the key until a person enters another one. An empty string means no key.
 */
export function viewerPage(key: string): StubResponse {
  return file('text/html', pageWith(key));
}

/**
 * Returns the script that opens a description in the viewer. The key is in the page, because any origin can load a
 * script.
 */
export function viewerStart(description: string): [string, StubResponse] {
  const options = JSON.stringify({ url: description, dom_id: '#viewer', tryItOutEnabled: true, validatorUrl: null });
  const script = [
    `const { key } = document.querySelector('#viewer').dataset;`,
    `const onComplete = () => key && ui.preauthorizeApiKey('apiKey', key);`,
    `const ui = SwaggerUIBundle({ ...${options}, onComplete });\n`,
  ].join('\n');
  return [`${viewerPath}/start.js`, file('text/javascript', script)];
}

function folder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    throw new UsageError(
      '--viewer needs the package swagger-ui-dist: install it beside this one (npm install swagger-ui-dist)',
    );
  }
}

function file(type: string, body: string): StubResponse {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy };
  return { status: 200, headers: { ...headers, 'cache-control': 'no-store' }, body };
}
