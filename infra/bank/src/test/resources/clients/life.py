"""The life of a charge and a refund with pypix-api over mutual TLS. Writes each call to a file, so that it can be validated.

pypix-api, but not its requests, is somebody else's reading of the Pix API: what it refuses, the bank does wrong.
"""

import json
import os
import sys
import time
import types
import urllib.request

# pypix-api imports it for PFX files, which are not used here; it needs compiled code that fits one version of Python only
sys.modules["requests_pkcs12"] = types.ModuleType("requests_pkcs12")

from pypix_api.auth.oauth2 import OAuth2Client  # noqa: E402
from pypix_api.banks.sicoob import SicoobPixAPI  # noqa: E402
from pypix_api.exceptions import PixErroValidacaoException, PixRecursoNaoEncontradoException  # noqa: E402

BANK = json.loads(os.environ["BANK"])
CALLS = open(BANK["calls"], "w", encoding="utf-8")


class Bank(SicoobPixAPI):
    BASE_URL = BANK["pix_url"]
    TOKEN_URL = BANK["token_url"]


def write(response, **_):
    request = response.request
    CALLS.write(
        json.dumps(
            {
                "method": request.method,
                "url": request.url,
                "request": request.body.decode() if isinstance(request.body, bytes) else request.body,
                "status": response.status_code,
                "type": response.headers.get("Content-Type"),
                "response": response.text,
            }
        )
        + "\n"
    )


def control(path, body):
    request = urllib.request.Request(BANK["control_url"] + path, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def refused(error, call, *arguments):
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError(f"{call.__name__} was not refused")


oauth = OAuth2Client(
    BANK["token_url"], BANK["client_id"], BANK["cert"], BANK["key"], client_secret=BANK["client_secret"]
)
api = Bank(oauth)
api.session.hooks["response"].append(write)

key, txid = BANK["pix_key"], BANK["txid"]
api.configurar_webhook(key, "https://localhost:1/notices")
assert api.consultar_webhook(key)["webhookUrl"] == "https://localhost:1/notices"

location = api.criar_location("cob")
charge = {
    "calendario": {"expiracao": 3600},
    "valor": {"original": "10.00"},
    "chave": key,
    "loc": {"id": location["id"]},
}
created = api.criar_cob(txid, charge)
assert created["status"] == "ATIVA" and created["loc"]["id"] == location["id"], created
assert api.criar_cob(txid, charge)["revisao"] == 0
refused(PixErroValidacaoException, api.criar_cob, txid + "x", {**charge, "valor": {"original": "0.00"}})
refused(PixRecursoNaoEncontradoException, api.consultar_cob, "f" * 32)

e2e_id = control("/payer/pay", {"qr_code": created["pixCopiaECola"], "document": "52998224725"})["e2e_id"]
paid = api.consultar_cob(txid)
assert paid["status"] == "CONCLUIDA" and paid["pix"][0]["endToEndId"] == e2e_id, paid
assert api.consultar_pix_por_e2eid(e2e_id)["valor"] == "10.00"
refused(PixErroValidacaoException, api.revisar_cob, txid, {"status": "REMOVIDA_PELO_USUARIO_RECEBEDOR"})

assert api.solicitar_devolucao_pix(e2e_id, "refund1", {"valor": "5.00"})["status"] == "EM_PROCESSAMENTO"
refused(PixErroValidacaoException, api.solicitar_devolucao_pix, e2e_id, "refund2", {"valor": "5.01"})
refused(PixErroValidacaoException, api.solicitar_devolucao_pix, e2e_id, "refund1", {"valor": "5.00"})
refused(PixRecursoNaoEncontradoException, api.consultar_devolucao_pix, e2e_id, "refund2")
for _ in range(100):
    refund = api.consultar_devolucao_pix(e2e_id, "refund1")
    if refund["status"] == "DEVOLVIDO":
        break
    time.sleep(0.1)
assert refund["status"] == "DEVOLVIDO" and refund["horario"]["liquidacao"], refund

span = ("2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z")
found = api.consultar_pix(*span, txid=txid, devolucao_presente=True, cpf="52998224725", pagina_atual=0, itens_por_pagina=10)
assert [pix["endToEndId"] for pix in found["pix"]] == [e2e_id], found
without_location = {name: value for name, value in charge.items() if name != "loc"}
other = "a" * 32
assert api.criar_cob(other, without_location)["pixCopiaECola"]
assert api.revisar_cob(other, {"status": "REMOVIDA_PELO_USUARIO_RECEBEDOR"})["revisao"] == 1
assert api.excluir_webhook(key)
refused(PixRecursoNaoEncontradoException, api.consultar_webhook, key)
CALLS.close()
print("done")
