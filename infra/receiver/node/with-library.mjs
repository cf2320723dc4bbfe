// The same receiver with the official library: npm ci
import { Webhook } from 'standardwebhooks';
import { receive } from './receiver.mjs';

function verify(secret, headers, body) {
  new Webhook(secret).verify(body, headers);
}

receive(Number(process.argv[2]), process.env.WEBHOOK_SECRET, verify);
