import { type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';

/** Payload type of an in-toto statement. */
export const statementType = 'application/vnd.in-toto+json';

const base64 = z
  .string('a text in Base64')
  .regex(/^[\w+/-]+={0,2}$/, 'a text in Base64')
  .transform((text) => Buffer.from(text, 'base64')); // reads both alphabets

/** Envelope of the Dead Simple Signing Envelope protocol (DSSE 1.0), decoded. */
export const envelopeSchema = z.object(
  {
    payloadType: z.string('a text'),
    payload: base64,
    signatures: z
      .array(z.object({ sig: base64 }, 'an object with "sig"'), 'an array of signatures')
      .min(1, 'at least one signature'),
  },
  'an object',
);

export type Envelope = z.infer<typeof envelopeSchema>;

/** The bytes that DSSE signs: `PAE(type, body)` of protocol.md in github.com/secure-systems-lab/dsse. */
export function preAuthEncoding(type: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.byteLength} `), body]);
}

/** Text of an envelope with one signature. Without a key ID, because the verifier names the key. */
export function envelopeText(payload: Uint8Array, signature: Uint8Array): string {
  const envelope = {
    payloadType: statementType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ sig: Buffer.from(signature).toString('base64') }],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** Whether the key made one of the signatures. Ed25519 hashes the message itself; other keys sign a SHA-256 hash. */
export function isSignedBy({ payloadType, payload, signatures }: Envelope, key: KeyObject): boolean {
  const bytes = preAuthEncoding(payloadType, payload);
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return signatures.some(({ sig }) => verify(algorithm, bytes, key, sig));
}
