package dev.ligeiro.processor.rail.efi;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.pix.PixKey;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.processor.rail.bank.BankProperties;
import dev.ligeiro.processor.rail.pix.PixRail;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Refund;
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
public final class EfiRail implements PaymentRail {

    private final PixRail pix;
    private final BankProperties properties;
    private final BankAccount bank;

    public EfiRail(String name, BankProperties properties, BankAccount bank, Clock clock) {
        this.pix = new PixRail(name, properties, bank, clock);
        this.properties = properties;
        this.bank = bank;
    }

    @Override
    public RailFacts facts() {
        return pix.facts();
    }

    @Override
    public String account(Transaction transaction) {
        return pix.account(transaction);
    }

    @Override
    public boolean comparesOwner(Transaction cashout) {
        return properties.receiverDocumentOf().contains(cashout.tenant().key());
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN ? pix.submit(transaction) : send(transaction);
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        return transaction.operation() == Operation.CASHIN
                ? pix.inquire(transaction)
                : bank.get("cashout_inquiry", "/v2/gn/pix/enviados/id-envio/" + id(transaction))
                        .map(answer -> answer.isDone() ? outcome(answer.body(), transaction) : answer.ofRead())
                        .toFuture();
    }

    @Override
    public CompletableFuture<RailOutcome> cancel(Transaction transaction) {
        return pix.cancel(transaction);
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        return pix.refund(transaction, refund);
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return pix.inquireRefund(transaction, refund);
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
