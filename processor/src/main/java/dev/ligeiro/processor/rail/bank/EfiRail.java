package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * An account at Efí: cashins and refunds by the Pix API, cashouts by {@code PUT /v3/gn/pix/{idEnvio}}. The {@code idEnvio} is our UUID
 * without hyphens. The receiver's tax id, which the bank compares with the key's owner, is sent only for the tenants whose cashouts have it:
 * the {@code document} of all others is the payer's.
 */
final class EfiRail extends PixRail {

    private final BankProperties properties;
    private final BankAccount bank;

    EfiRail(BankAccount bank, Clock clock) {
        super(bank, clock);
        this.properties = bank.properties();
        this.bank = bank;
    }

    @Override
    public boolean comparesOwner(Transaction cashout) {
        return properties.receiverDocumentOf().contains(cashout.tenant().key());
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN ? super.submit(transaction) : send(transaction);
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN
                ? super.inquire(transaction)
                : read(transaction).toFuture();
    }

    private CompletableFuture<RailOutcome> send(Transaction cashout) {
        Map<String, Object> payment = Map.of(
                "valor", cashout.terms().amount().toString(),
                "pagador", Map.of("chave", properties.receiverKey()),
                "favorecido", receiver(cashout));
        return bank.put("cashout", "/v3/gn/pix/" + id(cashout), payment)
                .flatMap(answer -> answer.isDone()
                        ? Mono.just(outcome(answer.body(), cashout))
                        : answer.ofWrite(read(cashout), properties.rejections()))
                .toFuture();
    }

    private Map<String, String> receiver(Transaction cashout) {
        PixKey key = Objects.requireNonNull(cashout.terms().pixKey());
        if (!comparesOwner(cashout)) {
            return Map.of("chave", key.value());
        }
        TaxId document = new TaxId(cashout.terms().payer().document());
        String kind = document.kind() == TaxId.Kind.CPF ? "cpf" : "cnpj";
        return Map.of("chave", key.value(), kind, document.value());
    }

    private Mono<RailOutcome> read(Transaction cashout) {
        return bank.get("cashout_inquiry", "/v2/gn/pix/enviados/id-envio/" + id(cashout))
                .map(answer -> answer.isDone() ? outcome(answer.body(), cashout) : answer.ofRead());
    }

    private static RailOutcome outcome(JsonNode sent, Transaction cashout) {
        BankFields.requireAsked(sent, "idEnvio", cashout.id().value());
        if (!BankFields.amount(sent, "valor").equals(cashout.terms().amount())) {
            throw new RailFault("valor: another one (expected: that of the cashout with this id)");
        }
        return switch (BankFields.text(sent, "status")) {
            case "EM_PROCESSAMENTO" -> new RailOutcome.Pending();
            case "REALIZADO" -> new RailOutcome.Settled(settlement(sent), BankFields.returned(sent));
            case "NAO_REALIZADO" -> new RailOutcome.Rejected(BankFields.reason(sent));
            default -> throw BankFields.unknown(sent, "status", "EM_PROCESSAMENTO", "REALIZADO", "NAO_REALIZADO");
        };
    }

    private static Settlement settlement(JsonNode sent) {
        JsonNode times = sent.path("horario");
        return new Settlement(
                // the answer to the submission and the look-up name it differently
                BankFields.id(sent, sent.has("e2eId") ? "e2eId" : "endToEndId"),
                BankFields.time(times, times.has("liquidacao") ? "liquidacao" : "solicitacao"));
    }

    private static String id(Transaction transaction) {
        return BankFields.id(transaction.id().value());
    }
}
