package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.pix.TaxId;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.RailCall;
import dev.ligeiro.transaction.Refund;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Cashins and refunds by the BACEN Pix API. The {@code txid} of a charge and the id of a refund are our UUIDs without hyphens. A charge
 * that may be registered is read before it is registered again: a repeated PUT would change it.
 */
class PixRail implements PaymentRail {

    private static final Logger LOG = LoggerFactory.getLogger(PixRail.class);

    /** 256 payments with some refunds are below the bound of an answer. */
    private static final int LISTED_MAX = 256;

    private static final String ACTIVE = "ATIVA";
    private static final String REMOVED = "provider_removed";
    private static final Pattern END_TO_END_ID = Pattern.compile("[a-zA-Z0-9]{1,64}");

    private final RailFacts facts;
    private final String path;
    private final BankAccount bank;
    private final Clock clock;

    PixRail(BankAccount bank, Clock clock) {
        this.facts = bank.properties().facts(bank.rail());
        this.path = bank.properties().kind().pixPath();
        this.bank = bank;
        this.clock = clock;
    }

    @Override
    public RailFacts facts() {
        return facts;
    }

    @Override
    public String account(Transaction transaction) {
        return facts.name();
    }

    @Override
    public CompletableFuture<RailOutcome> submit(Transaction transaction) {
        if (transaction.operation() == Operation.CASHOUT) {
            // a wrong route: the Pix API cannot send
            return CompletableFuture.completedFuture(new RailOutcome.Rejected("cashout_not_supported"));
        }
        boolean mayBeRegistered = transaction
                .railCall(null)
                .map(RailCall::submissions)
                .filter(submissions -> submissions > 1)
                .isPresent();
        Mono<RailOutcome> registered = Mono.defer(() -> register(transaction));
        return (mayBeRegistered
                        ? charge(transaction)
                                .flatMap(found -> found instanceof RailOutcome.NotFound ? registered : Mono.just(found))
                        : registered)
                .toFuture();
    }

    @Override
    public CompletableFuture<RailOutcome> inquire(Transaction transaction) {
        return transaction.operation() == Operation.CASHOUT
                ? CompletableFuture.completedFuture(new RailOutcome.NotFound())
                : charge(transaction)
                        .flatMap(outcome -> withPayer(transaction, outcome))
                        .toFuture();
    }

    /** A bank answers 400 when the charge is paid or removed already. So whatever it answers, the charge is read. */
    @Override
    public CompletableFuture<RailOutcome> cancel(Transaction transaction) {
        return bank.patch("cancel", charges(transaction), Map.of("status", "REMOVIDA_PELO_USUARIO_RECEBEDOR"))
                .flatMap(answer -> charge(transaction))
                .toFuture();
    }

    @Override
    public CompletableFuture<RailOutcome> refund(Transaction transaction, Refund refund) {
        return bank.put(
                        "refund",
                        refunds(transaction, refund),
                        Map.of("valor", refund.amount().toString()))
                .flatMap(answer -> answer.isDone()
                        ? Mono.just(refundOutcome(answer.body(), refund))
                        : answer.ofWrite(
                                readRefund(transaction, refund),
                                bank.properties().rejections()))
                .toFuture();
    }

    @Override
    public CompletableFuture<RailOutcome> inquireRefund(Transaction transaction, Refund refund) {
        return readRefund(transaction, refund).toFuture();
    }

    private Mono<RailOutcome> readRefund(Transaction transaction, Refund refund) {
        return bank.get("refund_inquiry", refunds(transaction, refund))
                .map(answer -> answer.isDone() ? refundOutcome(answer.body(), refund) : answer.ofRead());
    }

    private Mono<RailOutcome> register(Transaction cashin) {
        long validSeconds =
                Duration.between(clock.instant(), cashin.terms().expiresAt()).toSeconds();
        if (validSeconds < 1) {
            return Mono.just(new RailOutcome.NotStarted());
        }
        Map<String, Object> charge = new HashMap<>();
        charge.put("calendario", Map.of("expiracao", validSeconds));
        // the payer may not change the amount
        charge.put("valor", Map.of("original", cashin.terms().amount().toString(), "modalidadeAlteracao", 0));
        charge.put("chave", bank.properties().receiverKey());
        if (cashin.terms().locationId() != null) {
            charge.put("loc", Map.of("id", cashin.terms().locationId()));
        }
        return bank.put("charge", charges(cashin), charge).flatMap(answer -> {
            if (!answer.isDone()) {
                return answer.ofWrite(charge(cashin), bank.properties().rejections());
            }
            BankFields.requireAsked(answer.body(), "txid", cashin.id().value());
            // the answer to a PUT has no payments
            return BankFields.text(answer.body(), "status").equals(ACTIVE)
                    ? Mono.just(new RailOutcome.Pending())
                    : charge(cashin);
        });
    }

    private Mono<RailOutcome> charge(Transaction cashin) {
        return bank.get("charge_inquiry", charges(cashin)).flatMap(answer -> {
            RailOutcome outcome = answer.isDone() ? chargeOutcome(answer.body(), cashin, List.of()) : answer.ofRead();
            return isPaidByAnother(cashin, answer)
                    ? bank.get("payment_inquiry", path + "/pix/" + cashin.endToEndId())
                            .map(payment -> withPayment(payment, answer, cashin, outcome))
                    : Mono.just(outcome);
        });
    }

    /** With the answer to the question who has paid, if the call asks it and the bank has not named the payer in full. */
    private Mono<RailOutcome> withPayer(Transaction cashin, RailOutcome outcome) {
        if (outcome instanceof RailOutcome.Surplus surplus) {
            return withPayer(cashin, surplus.outcome()).map(with -> new RailOutcome.Surplus(surplus.payments(), with));
        }
        String document = cashin.terms().payer().document();
        if (!(outcome instanceof RailOutcome.Settled settled)
                || settled.settlement() == null
                || cashin.railCall(null).filter(RailCall::checksPayer).isEmpty()
                || settled.settlement().payer() != null
                        && settled.settlement().payer().has(document) != null) {
            return Mono.just(outcome);
        }
        return isPaidBy(document, cashin, settled.settlement())
                .<RailOutcome>map(is -> new RailOutcome.Settled(settled.settlement(), settled.returned(), is))
                .defaultIfEmpty(outcome);
    }

    /**
     * Whether the bank lists the payment among those of the payer with this tax id; empty if it cannot tell. That the payment is missing there
     * counts only once the same list has had it without the tax id: the first list may be from before the payment. A failure must not hide the
     * rest of the answer.
     */
    private Mono<Boolean> isPaidBy(String document, Transaction cashin, Settlement payment) {
        String payer = new TaxId(document).kind() == TaxId.Kind.CPF ? "cpf" : "cnpj";
        Mono<Boolean> isOfPayer = Mono.defer(() -> lists(Map.of(payer, document), payment));
        // one that operators have assigned is not of the charge
        Mono<Boolean> isListed = Mono.defer(
                        () -> lists(Map.of("txid", BankFields.id(cashin.id().value())), payment))
                .filter(isOfCharge -> isOfCharge)
                .switchIfEmpty(Mono.defer(() -> lists(Map.of(), payment)))
                .filter(is -> is);
        return isOfPayer
                .flatMap(is -> is ? Mono.just(true) : isListed.flatMap(listed -> isOfPayer))
                .timeout(facts.callTimeout().dividedBy(2))
                .onErrorResume(failure -> {
                    LOG.atInfo()
                            .addKeyValue("event.action", "payer_unknown")
                            .addKeyValue("rail", facts.name())
                            .addKeyValue("cause", RailFault.describe(failure))
                            .log("A bank does not tell whether a payer has the document of the transaction");
                    return Mono.empty();
                });
    }

    /**
     * Whether the bank's list of that second has the payment. Fails if the payment may be on a further page.
     *
     * @param filter what the listed ones have in common
     */
    private Mono<Boolean> lists(Map<String, String> filter, Settlement payment) {
        Instant from = payment.at().truncatedTo(ChronoUnit.SECONDS);
        Map<String, String> query = new HashMap<>(filter);
        query.put("inicio", from.toString());
        query.put("fim", from.plusSeconds(1).toString());
        query.put("paginacao.paginaAtual", "0");
        query.put("paginacao.itensPorPagina", Integer.toString(LISTED_MAX));
        return bank.get("payer_inquiry", path + "/pix", query).map(answer -> {
            List<JsonNode> listed = BankFields.list(answer.json(), "pix");
            boolean isListed = listed.stream()
                    .anyMatch(pix -> pix.path("endToEndId").asString("").equals(payment.endToEndId()));
            if (!isListed && BankLists.total(answer.json()) > listed.size()) {
                throw new RailFault("pix: more (expected: <= " + LISTED_MAX + " of one second)");
            }
            return isListed;
        });
    }

    /** Whether the cashin is paid by a payment that its charge does not have: operators have assigned one. */
    private static boolean isPaidByAnother(Transaction cashin, BankAnswer charge) {
        return (cashin.status() == Status.PAID || cashin.status() == Status.REFUND)
                && END_TO_END_ID.matcher(cashin.endToEndId()).matches()
                && BankFields.list(charge.body(), "pix").stream()
                        .noneMatch(pix -> pix.path("endToEndId").asString("").equals(cashin.endToEndId()));
    }

    /** @param unpaid the outcome without the payment, if the bank does not know that either */
    private static RailOutcome withPayment(
            BankAnswer payment, BankAnswer charge, Transaction cashin, RailOutcome unpaid) {
        if (!payment.isDone()) {
            return payment.ofRead() instanceof RailOutcome.NotFound ? unpaid : new RailOutcome.Unknown();
        }
        Received paid = Received.of(payment.json());
        return charge.isDone() ? chargeOutcome(charge.body(), cashin, List.of(paid)) : paid.settled();
    }

    private String charges(Transaction cashin) {
        return path + "/cob/" + BankFields.id(cashin.id().value());
    }

    private String refunds(Transaction cashin, Refund refund) {
        return path + "/pix/" + cashin.endToEndId() + "/devolucao/"
                + BankFields.id(refund.id().value());
    }

    /**
     * The payments count more than the status, which some banks change minutes later.
     *
     * @param assigned the payment that operators have assigned, beside those of the charge
     */
    private static RailOutcome chargeOutcome(JsonNode charge, Transaction cashin, List<Received> assigned) {
        BankFields.requireAsked(charge, "txid", cashin.id().value());
        List<Received> received = Stream.concat(
                        BankFields.list(charge, "pix").stream().map(Received::of), assigned.stream())
                .sorted(Comparator.comparing((Received pix) -> pix.settlement().at())
                        .thenComparing(pix -> pix.settlement().endToEndId()))
                .toList();
        Optional<Received> agreed = agreed(received, cashin);
        RailOutcome outcome = agreed.map(Received::settled).orElseGet(() -> unpaid(charge, received));
        List<RailOutcome.Payment> surplus = new ArrayList<>();
        for (Received pix : received) {
            if (agreed.isEmpty() || pix != agreed.get()) {
                surplus.add(new RailOutcome.Payment(pix.settlement().endToEndId(), pix.amount()));
            }
        }
        return surplus.isEmpty() ? outcome : new RailOutcome.Surplus(surplus, outcome);
    }

    /** The payment that is known already, otherwise the first one of the agreed amount. */
    private static Optional<Received> agreed(List<Received> received, Transaction cashin) {
        List<Received> ofAmount = received.stream()
                .filter(pix -> pix.amount().equals(cashin.terms().amount()))
                .toList();
        return ofAmount.stream()
                .filter(pix -> pix.settlement().endToEndId().equals(cashin.endToEndId()))
                .findFirst()
                .or(() -> ofAmount.stream().findFirst());
    }

    private static RailOutcome unpaid(JsonNode charge, List<Received> received) {
        String status = BankFields.text(charge, "status");
        return switch (status) {
            case ACTIVE -> new RailOutcome.Pending();
            case "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP" -> new RailOutcome.Rejected(REMOVED);
            case "CONCLUIDA" -> {
                if (received.isEmpty()) {
                    throw new RailFault("pix: missing (expected: the payments of a charge that is CONCLUIDA)");
                }
                // paid with another amount only
                yield new RailOutcome.Pending();
            }
            default -> throw BankFields.unknown(charge, "status", ACTIVE, "CONCLUIDA", "REMOVIDA_PELO_…");
        };
    }

    private static RailOutcome refundOutcome(JsonNode answer, Refund refund) {
        BankFields.requireAsked(answer, "id", refund.id().value());
        if (!BankFields.amount(answer, "valor").equals(refund.amount())) {
            throw new RailFault("valor: another one (expected: that of the refund with this id)");
        }
        return switch (BankFields.text(answer, "status")) {
            case "EM_PROCESSAMENTO" -> new RailOutcome.Pending();
            case "DEVOLVIDO" -> RailOutcome.Settled.asAgreed();
            case "NAO_REALIZADO" -> new RailOutcome.Rejected(BankFields.reason(answer));
            default -> throw BankFields.unknown(answer, "status", "EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO");
        };
    }

    /** A payment of a charge, with what was moved back of it. */
    private record Received(Settlement settlement, Amount amount, List<RailOutcome.Returned> returned) {

        static Received of(JsonNode pix) {
            return new Received(
                    new Settlement(
                            BankFields.id(pix, "endToEndId"), BankFields.time(pix, "horario"), BankFields.payer(pix)),
                    BankFields.amount(pix, "valor"),
                    BankFields.returned(pix));
        }

        RailOutcome settled() {
            return new RailOutcome.Settled(settlement, returned);
        }
    }
}
