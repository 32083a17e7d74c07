/** Places of secrets in recorded traffic. `$` stands for the secret. */
export const carriers: Readonly<Record<string, Partial<Carrier>>> = {
  'X-Api-Key': { headers: [['X-Api-Key', '$']] },
  'a header of a gateway': { headers: [['X-Edge-Access', '$']] },
  'a cookie': { headers: [['Cookie', 'a=b; session=$']] },
  '?access_token=': { query: '?access_token=$' },
  '?api_key= and a fragment': { query: '?api_key=$#$' },
  'a parameter without a name': { query: '?$' },
  'an unknown parameter': { query: '?verbose=$' },
  'the password of a form': { type: 'application/x-www-form-urlencoded', body: 'user=me&password=$' },
  'a field of a multipart body': {
    type: 'multipart/form-data; boundary=b',
    body: '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n$\r\n--b--\r\n',
  },
  'a member of the body': { body: '{"api_key":"$"}' },
  'a text that is no JSON': { isEchoed: false, body: 'my secret is $' },
  'a text in JSON': { isEchoed: false, body: '["$"]' },
  'Bearer with a pipe': { headers: [['Authorization', 'Bearer 12|$']] },
  'the scheme Token': { headers: [['Authorization', 'Token $']] },
  'a tab behind the scheme': { headers: [['Authorization', 'Bearer\t$']] },
  'no scheme': { headers: [['Authorization', '$']] },
  'a scheme and parameters': { headers: [['Authorization', 'Bearer <$>, note']] },
  'a key with the word secret': { headers: [['Authorization', 'Bearer sk_secret_$']] },
  'a key with crosses': { headers: [['Authorization', 'Bearer xxxx$']] },
  'user name and password in the address': { userinfo: 'me:$@' },
  'a header of a response': { responseHeaders: [['X-Session', '$']] },
  'a redirect': { status: 302, responseHeaders: [['Location', 'https://other.example.test/reset/$?code=$']] },
  'a cookie that is set': { responseHeaders: [['Set-Cookie', 'session=$; HttpOnly']] },
  'a member of a response': { response: '{"ok":true,"balance":"1","access_token":"$"}' },
  'credentials in a response': { response: '{"ok":true,"balance":"1","hint":"you sent Bearer 12|$ and Basic $"}' },
  'parameters in a page': { response: '<a href="/x?token=$&a=b">login</a> password=$' },
};

interface Carrier {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: string;
  /** True if the server repeats the request. Nothing identifies an ordinary text as a secret. */
  readonly isEchoed: boolean;
  readonly type: string;
  readonly body: string;
  readonly userinfo: string;
  readonly status: number;
  readonly responseHeaders: readonly (readonly [string, string])[];
  readonly response: string;
}

/** Returns a response that repeats the request. */
export const echo = (sent: string) => JSON.stringify({ ok: true, balance: `you sent ${sent}`, hint: sent });

/** Returns an entry of a HAR file with a secret in one place. */
export function entryWith(carrier: Partial<Carrier>, secret: string, at = 0) {
  const { headers = [], query = '', type = 'application/json', body = '{}', userinfo = '', status = 503 } = carrier;
  const { isEchoed = true } = carrier;
  const put = (text: string) => text.replaceAll('$', secret);
  const pairs = (list: Carrier['headers']) => list.map(([name, value]) => ({ name, value: put(value) }));
  const isSecretOfServer = carrier.response !== undefined || carrier.responseHeaders !== undefined;
  const sent = isEchoed && !isSecretOfServer ? put([...headers.map(([, value]) => value), query, body].join(' ')) : '';
  const text = carrier.response === undefined ? echo(sent) : put(carrier.response);
  return {
    startedDateTime: new Date(Date.UTC(2027, 0, 4, 10, 0, at)).toISOString(),
    time: 20,
    request: {
      method: 'POST',
      url: `https://${put(userinfo)}api.example.test/api/v1/tools/credits.balance${put(query)}`,
      headers: [{ name: 'Content-Type', value: type }, ...pairs(headers)],
      postData: { mimeType: type, text: put(body) },
    },
    response: {
      status,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Service-Api', value: 'beta' },
        ...pairs(carrier.responseHeaders ?? []),
      ],
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
    },
  };
}
