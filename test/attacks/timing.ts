import { pace } from './run.ts';
import { type Attacks, head, pour, raw, responseText } from './wire.ts';

/** Slow responses. */
export const timing: Attacks = {
  'nothing, ever': () => undefined,
  'headers byte by byte': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    pour(socket, 'x', 20);
  },
  'a body byte by byte': (socket, { headers }) => {
    socket.write(head(200, { ...headers, 'content-length': '1000' }));
    pour(socket, ' ', 20);
  },
  'a body of blanks without end': (socket, { headers }) => {
    socket.write(head(200, { ...headers, 'transfer-encoding': 'chunked' }));
    pour(socket, '1\r\n \r\n', 10);
  },
  'headers, and then nothing': raw(({ headers }) => [head(200, { ...headers, 'content-length': '10' })]),
  'half a second for every response': (socket, good) => {
    setTimeout(() => socket.write(responseText({ ...good, status: 500 })), 500);
  },
  'a response after the time is up': (socket, good) => {
    setTimeout(() => socket.write(responseText(good)), pace.timeoutSeconds * 1000 + 200);
  },
};
