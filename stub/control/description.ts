import { z } from 'zod';
import { kit } from '../../suites/kit.ts';
import { controlHeader, controlPath } from './paths.ts';
import { createResponses } from './responses.ts';
import type { Route } from './route.ts';

const problems: Readonly<Record<number, string>> = {
  400: 'The request is invalid; `problem` says why.',
  401: 'The header does not carry the token.',
  403: 'A page of another site sent the request.',
  404: 'There is no such path or sandbox.',
  409: 'The sandbox is not in the expected state.',
};

/** Returns the OpenAPI 3.1 description of the routes. */
export function controlDescription(routes: readonly Route[]): object {
  const schemas = Object.fromEntries(
    Object.entries(createResponses()).map(([name, shape]) => [name, schemaFor(shape)]),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of the reference stub',
      version: kit.version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: 'Moves clocks, queues faults and shows what a client did. It is no part of the tool-call API.',
    },
    servers: [{ url: controlPath.replace(/\/$/, '') }],
    security: [{ token: [] }],
    paths,
    components: { schemas, securitySchemes: { token: { type: 'apiKey', in: 'header', name: controlHeader } } },
  };
}

function operation({ path, about }: Route): object {
  const { name, what, gives, status = 200, takes, example, after } = about;
  const sandbox = { name: 'sandbox', in: 'path', required: true, schema: { type: 'string' }, example: 'main' };
  const since = {
    name: 'after',
    in: 'query',
    schema: { type: 'integer', minimum: 0 },
    description: 'After this event',
  };
  const parameters = [...(path.includes('{sandbox}') ? [sandbox] : []), ...(after === true ? [since] : [])];
  const content =
    gives === 'text/event-stream'
      ? { [gives]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: { $ref: `#/components/schemas/${gives}` } } };
  return {
    operationId: name,
    summary: what,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(takes === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaFor(takes), example } } } }),
    responses: {
      [status]: { description: 'Done', content },
      ...Object.fromEntries(Object.entries(problems).map(([code, text]) => [code, problem(text)])),
    },
  };
}

function problem(description: string): object {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/problem' } } } };
}

function schemaFor(shape: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input' });
  return schema;
}
