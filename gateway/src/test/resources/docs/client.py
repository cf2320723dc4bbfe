"""Creates, shows, lists and reads new values with the client that was generated from /openapi.json.

client.py BASE_URL API_KEY PLATFORM_ID
"""
import sys
from uuid import UUID

from ligeiro_client import AuthenticatedClient
from ligeiro_client.api.transactions import create_cashin, create_cashout, list_transactions, show_transaction
from ligeiro_client.models import CashinCreate, CashoutCreate, CashoutCreateKeyType, Problem, Transaction, TransactionEvent

base_url, key, platform = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key, raise_on_unexpected_status=True)
payer = {
    "name": "Maria Silva",
    "email": "maria@example.com",
    "phone": "11987654321",
    "document": "52998224725",
    "platform": UUID(platform),
}

cashin = CashinCreate(**payer, description="Order 77", amount="150.75", reference="generated-client")
created = create_cashin.sync(client=client, body=cashin, idempotency_key="generated-client").transaction[0]
assert created.amount == "150.75" and created.status == "pending", created

repeated = create_cashin.sync_detailed(client=client, body=cashin, idempotency_key="generated-client")
assert repeated.parsed.transaction[0].id == created.id and repeated.headers["Idempotent-Replayed"] == "true", repeated

cashout = CashoutCreate(**payer, description="Payout 12", amount="80.00", pix_key="maria@example.com", key_type=CashoutCreateKeyType.EMAIL)
paid_out = create_cashout.sync(client=client, body=cashout).transaction[0]
assert paid_out.pix_key == "maria@example.com", paid_out

shown = show_transaction.sync(id=created.id, client=client).transaction[0]
assert shown == created, (shown, created)

page = list_transactions.sync(client=client, reference="generated-client")
assert page.total == 1 and page.transactions == [created], page

refused = create_cashin.sync(client=client, body=cashin)
assert isinstance(refused, Problem) and refused.transaction_id == created.id, refused
newer = Transaction.from_dict(created.to_dict() | {"status": "disputed"})
assert newer.status == "disputed", newer
event = {"type": "transaction.disputed", "timestamp": "2026-11-21T13:31:28.630Z"}
data = newer.to_dict() | {"previous_status": None, "sequence": 1}
assert TransactionEvent.from_dict(event | {"data": data}).data.status == "disputed"
problem = Problem.from_dict(refused.to_dict() | {"code": "a_new_code"})
assert problem.code == "a_new_code", problem
print("created, shown, listed, and new values read")
