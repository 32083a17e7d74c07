import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { envelopeSchema, envelopeText, isSignedBy, preAuthEncoding, statementType } from './dsse.ts';

/** Test vector of protocol.md, DSSE 1.0. Its signature is `r` and `s` in 32 bytes each. */
const vector = {
  type: 'http://example.com/HelloWorld',
  body: Buffer.from('hello world'),
  x: 46950820868899156662930047687818585632848591499744589407958293238635476079160n,
  y: 5640078356564379163099075877009565129882514886557779369047442380624545832820n,
  sig: 'A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA==',
};

test('the encoding is that of the protocol, with lengths in bytes', () => {
  expect(preAuthEncoding(vector.type, vector.body).toString()).toBe(
    'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  );
  expect(preAuthEncoding('é', Buffer.from('–')).toString()).toBe('DSSEv1 2 é 3 –');
  expect(preAuthEncoding('', Buffer.alloc(0)).toString()).toBe('DSSEv1 0  0 ');
});

test('the signature of the test vector is valid for the encoding', () => {
  const coordinate = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(vector.x), y: coordinate(vector.y) };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const bytes = preAuthEncoding(vector.type, vector.body);
  expect(verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(vector.sig, 'base64'))).toBe(true);
});

test('one valid signature of several is enough, in either alphabet of Base64', () => {
  const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const payload = Buffer.from('{"a":"???>>>"}');
  const text = envelopeText(payload, sign(null, preAuthEncoding(statementType, payload), own.privateKey));
  const given = JSON.parse(text);
  const urlSafe = (value: string) => value.replaceAll('+', '-').replaceAll('/', '_');
  const envelope = envelopeSchema.parse({
    ...given,
    payload: urlSafe(given.payload),
    signatures: [{ keyid: 'x', sig: Buffer.alloc(64).toString('base64') }, { sig: urlSafe(given.signatures[0].sig) }],
  });
  expect(isSignedBy(envelope, own.publicKey)).toBe(true);
  expect(isSignedBy(envelope, other.publicKey)).toBe(false);
  expect(isSignedBy({ ...envelope, payload: Buffer.from('{}') }, own.publicKey)).toBe(false);
  expect(isSignedBy({ ...envelope, payloadType: 'text/plain' }, own.publicKey)).toBe(false);
});
