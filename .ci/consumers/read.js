// Third-party tools load the published descriptions: a validator and a mock server.
import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createMockServer } from '@scalar/mock-server';

const { paths } = await SwaggerParser.validate('openapi.json');
const mock = await createMockServer({ specification: JSON.parse(readFileSync('openapi.json', 'utf8')) });
const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
for (const path of Object.keys(paths)) {
  const response = await mock.request(path, { method: 'POST', headers, body: '{}' });
  const { ok } = await response.json();
  console.log(response.status, ok, path);
  if (response.status !== 200 || typeof ok !== 'boolean') process.exitCode = 1;
}
