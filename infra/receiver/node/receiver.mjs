// Receives Ligeiro's webhooks. Node.js 18 or later, nothing to install.
//
// WEBHOOK_SECRET=whsec_... node receiver.mjs 9000
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 64 * 1024; // mostly 2 kB; 32 kB at most
const KEY_BYTES_MIN = 24; // without a check, an empty secret would verify what anybody has signed with an empty key

/**
 * Throws if the webhook was not signed with the secret in the last 5 minutes.
 *
 * @param headers with lower-case names, as node:http gives them
 * @param {Buffer} body the received bytes, not parsed and written again
 */
export function verify(secret, headers, body) {
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new Error('webhook-timestamp is missing or more than 5 minutes off');
  }
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64');
  if (key.length < KEY_BYTES_MIN) {
    throw new Error("the receiver's secret is not whsec_ and the base64 of at least 24 bytes");
  }
  const expected = createHmac('sha256', key).update(`${headers['webhook-id']}.${timestamp}.`).update(body).digest();
  // While a secret is rotated, the header has a signature for each of the two secrets, separated by a space.
  const fits = (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const [version, value] = signature.split(',');
    const given = Buffer.from(value ?? '', 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!fits) {
    throw new Error('no signature in webhook-signature fits the secret');
  }
}

/** Stores each webhook once. In production a table with webhook-id as its primary key: what is in memory is lost in a crash. */
class Inbox {
  static IDS_MAX = 10_000;
  #webhooks = new Map();

  /** Returns false for a repetition. A repetition is normal: the response to the first one may have been lost. */
  store(id, body) {
    if (this.#webhooks.has(id)) {
      return false;
    }
    if (this.#webhooks.size === Inbox.IDS_MAX) {
      this.#webhooks.delete(this.#webhooks.keys().next().value);
    }
    this.#webhooks.set(id, body);
    return true;
  }
}

async function bytesOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) {
      throw new Error('the body is too large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function receive(port, secret, verify) {
  const inbox = new Inbox();
  createServer(async (request, response) => {
    try {
      const body = await bytesOf(request);
      verify(secret, request.headers, body);
      // Respond at once: the work on a stored webhook comes later.
      const id = request.headers['webhook-id'];
      console.log(`${inbox.store(id, body) ? 'stored' : 'repeated'}: ${id}`);
      response.writeHead(204).end();
    } catch (reason) {
      console.log(`refused: ${reason.message}`);
      response.writeHead(400).end();
    }
  }).listen(port, '127.0.0.1', () => console.log(`receiving on port ${port}`));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  receive(Number(process.argv[2]), process.env.WEBHOOK_SECRET, verify);
}
