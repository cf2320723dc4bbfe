import { readFileSync } from 'node:fs';
import {
  Configuration, ProblemFromJSON, ResponseError, SandboxApi, TransactionEventFromJSON, TransactionsApi,
} from './ligeiro/index.js';

const [basePath, accessToken, platform, webhook, newerPath] = process.argv.slice(2) as [string, string, string, string, string];
const configuration = new Configuration({ basePath, accessToken });
const transactions = new TransactionsApi(configuration);
const cashinCreate = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  phone: '11987654321',
  document: '52998224725',
  description: 'Order 77',
  amount: '150.75',
  platform,
  reference: 'fetch',
};
const created = (await transactions.createCashin({ cashinCreate, idempotencyKey: 'fetch' })).transaction[0]!;
console.log('created', created.amount, created.status);

await new SandboxApi(configuration).sandboxPay({ id: created.id });
let shown = created;
while (shown.status === 'pending') {
  shown = (await transactions.showTransaction({ id: created.id })).transaction[0]!;
}
console.log('shown', shown.status);

const page = await transactions.listTransactions({ reference: 'fetch', operation: 'cashin', status: 'paid' });
console.log('listed', page.total, page.transactions[0]!.reference);

const event = TransactionEventFromJSON(JSON.parse(readFileSync(webhook, 'utf8')));
console.log('webhook', event.type, event.data.previousStatus, event.data.status);

const newer = new TransactionsApi(new Configuration({ basePath: newerPath, accessToken }));
console.log('newer', (await newer.showTransaction({ id: created.id })).transaction[0]!.status);
try {
  await newer.createCashin({ cashinCreate });
} catch (refused) {
  const { response } = refused as ResponseError;
  console.log('newer', response.status, ProblemFromJSON(await response.json()).code);
}
