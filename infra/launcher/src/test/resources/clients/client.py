import sys

from openapi_client import ApiClient, ApiException, CashinCreate, Configuration, SandboxApi, TransactionEvent, TransactionsApi

base_url, key, platform, webhook, newer_url = sys.argv[1:]
client = ApiClient(Configuration(host=base_url, access_token=key))
transactions = TransactionsApi(client)
cashin = CashinCreate(
    name="Maria Silva",
    email="maria@example.com",
    phone="11987654321",
    document="52998224725",
    description="Order 77",
    amount="150.75",
    platform=platform,
    reference="python",
)
created = transactions.create_cashin(cashin, idempotency_key="python").transaction[0]
print("created", created.amount, created.status)

SandboxApi(client).sandbox_pay(created.id)
shown = created
while shown.status == "pending":
    shown = transactions.show_transaction(created.id).transaction[0]
print("shown", shown.status)

page = transactions.list_transactions(reference="python", operation="cashin", status="paid")
print("listed", page.total, page.transactions[0].reference)

with open(webhook, encoding="utf-8") as body:
    event = TransactionEvent.from_json(body.read())
print("webhook", event.type, event.data.previous_status, event.data.status)

newer = TransactionsApi(ApiClient(Configuration(host=newer_url, access_token=key)))
print("newer", newer.show_transaction(created.id).transaction[0].status)
try:
    newer.create_cashin(cashin)
except ApiException as refused:
    print("newer", refused.status, refused.data.code)
