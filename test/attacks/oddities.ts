import { type Attacks, head, responseText } from './wire.ts';

/** Unusual behavior that violates no requirement, so the kit must accept it. */
export const oddities: Attacks = {
  'a tenth of a second of silence': (socket, good) => {
    setTimeout(() => socket.write(responseText(good)), 100);
  },
  'HTTP/1.0': (socket, good) => {
    socket.end(responseText(good, '1.0'));
  },
  'an end after the response': (socket, good) => {
    socket.end(responseText(good));
  },
  'early hints first': (socket, good) => {
    socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), responseText(good)]));
  },
  'a body without length': (socket, { status, headers, body }) => {
    socket.end(Buffer.concat([head(status, { ...headers, connection: 'close' }), Buffer.from(body)]));
  },
  'white space around the values of headers': (socket, good) => {
    const headers = Object.fromEntries(Object.entries(good.headers).map(([name, value]) => [name, ` \t${value}\t `]));
    socket.end(responseText({ ...good, headers }));
  },
};
