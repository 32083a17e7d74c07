import type { Headers } from '../suites/history/exchange.ts';
import type { Recorded } from '../suites/recorded/recorded.ts';

/** Start and end of a HAR file in the format of Chromium's developer tools. */
export const harBegin =
  '{\n  "log": {\n    "version": "1.2",\n    "creator": { "name": "WebInspector", "version": "537.36" },\n' +
  '    "pages": [],\n    "entries": [';
export const harEnd = '\n    ]\n  }\n}\n';

const listed = (headers: Headers = []) => headers.map(([name, value]) => ({ name, value }));

/** HAR entry of a request, in the format of Chromium's developer tools. */
export function entryOf({ method, url, requestHeaders, requestBody, response, sentAt, receivedAt }: Recorded) {
  const time = receivedAt - sentAt;
  return {
    _initiator: {
      type: 'script',
      stack: {
        callFrames: [
          {
            functionName: 'call',
            scriptId: '12',
            url: 'https://app.example.test/app.js',
            lineNumber: 214,
            columnNumber: 30,
          },
        ],
      },
    },
    _priority: 'High',
    _resourceType: 'fetch',
    cache: {},
    connection: '443',
    request: {
      method,
      url,
      httpVersion: 'http/2.0',
      headers: listed(requestHeaders),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: Buffer.byteLength(requestBody ?? ''),
      postData: { mimeType: 'application/json', text: requestBody },
    },
    response: {
      status: response?.status,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: listed(response?.headers),
      cookies: [],
      content: { size: Buffer.byteLength(response?.text ?? ''), mimeType: 'application/json', text: response?.text },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 700,
      _error: null,
    },
    serverIPAddress: '127.0.0.1',
    startedDateTime: new Date(sentAt).toISOString(),
    time,
    timings: {
      blocked: 0.9,
      dns: -1,
      ssl: -1,
      connect: -1,
      send: 0.2,
      wait: time - 1.4,
      receive: 0.3,
      _blocked_queueing: 0.5,
    },
  };
}
