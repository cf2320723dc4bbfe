import { isAxiosError } from 'axios';
import { readFileSync } from 'node:fs';
import { Configuration, SandboxApi, TransactionsApi, type Problem, type TransactionEvent } from './ligeiro/index.js';

const [basePath, accessToken, platform, webhook, newerPath] = process.argv.slice(2) as [string, string, string, string, string];
const configuration = new Configuration({ basePath, accessToken });
const transactions = new TransactionsApi(configuration);
const cashin = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  phone: '11987654321',
  document: '52998224725',
  description: 'Order 77',
  amount: '150.75',
  platform,
  reference: 'axios',
};
const created = (await transactions.createCashin(cashin, 'axios')).data.transaction[0]!;
console.log('created', created.amount, created.status);

await new SandboxApi(configuration).sandboxPay(created.id);
let shown = created;
while (shown.status === 'pending') {
  shown = (await transactions.showTransaction(created.id)).data.transaction[0]!;
}
console.log('shown', shown.status);

const page = (await transactions.listTransactions(undefined, 'axios', undefined, undefined, 'cashin', 'paid')).data;
console.log('listed', page.total, page.transactions[0]!.reference);

const event = JSON.parse(readFileSync(webhook, 'utf8')) as TransactionEvent;
console.log('webhook', event.type, event.data.previous_status, event.data.status);

const newer = new TransactionsApi(new Configuration({ basePath: newerPath, accessToken }));
console.log('newer', (await newer.showTransaction(created.id)).data.transaction[0]!.status);
try {
  await newer.createCashin(cashin);
} catch (refused) {
  if (isAxiosError<Problem>(refused)) {
    console.log('newer', refused.response!.status, refused.response!.data.code);
  }
}
