package dev.ligeiro.processor.resolve;

import dev.ligeiro.message.RailCallKind;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.decide.RecordedPayment;
import dev.ligeiro.processor.decide.UnmatchedPayment;
import dev.ligeiro.processor.rail.RailFacts;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.RailRequest;
import dev.ligeiro.processor.rail.Rails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankFields;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Asks a rail whether an unmatched payment is still there, with its amount, and what was moved back of it. Not asked are the simulator about
 * cashins, whose payments it does not keep, a rail that is asked by resubmission about cashouts, and any about what has moved back.
 */
@Component
class AskAboutPayment {

    /** The call may wait behind those of transactions. */
    private static final Duration START_WITHIN = Duration.ofMinutes(1);

    /** What is reported from outside may have any text, which must not become another path. */
    private static final Pattern END_TO_END_ID = Pattern.compile("[a-zA-Z0-9]{1,64}");

    private final Rails rails;
    private final LiveRails live;

    AskAboutPayment(Rails rails, LiveRails live) {
        this.rails = rails;
        this.live = live;
    }

    /**
     * What a rail knows of a payment.
     *
     * @param isThere whether it knows the payment, with its amount
     * @param isMoving whether a refund of it is under way
     * @param returned what was moved back
     */
    record Found(boolean isThere, boolean isMoving, List<RailOutcome.Returned> returned) {

        static final Found NOTHING = new Found(false, false, List.of());
        private static final Found NOT_ASKED = new Found(true, false, List.of());
    }

    /**
     * Fails with a {@link RailFault} if the rail cannot be asked.
     *
     * @param own the transaction that the rail has named; null if it is not stored
     */
    Mono<Found> find(RecordedPayment recorded, @Nullable Transaction own) {
        UnmatchedPayment payment = recorded.payment();
        if (own != null && own.operation() == Operation.CASHOUT) {
            return recorded.isOutgoing(own) ? cashout(own) : Mono.just(Found.NOT_ASKED);
        }
        return recorded.isOutgoing(own) || payment.rail().equals(RailProperties.SIMULATOR)
                ? Mono.just(Found.NOT_ASKED)
                : received(payment);
    }

    private Mono<Found> cashout(Transaction own) {
        RailFacts facts = rails.facts(own)
                .orElseThrow(() -> new RailFault("rail: " + own.terms().rail() + " (expected: one of this processor)"));
        if (facts.inquiry() != RailFacts.Inquiry.BY_ID) {
            return Mono.just(Found.NOT_ASKED);
        }
        RailRequest request =
                new RailRequest(RailCallKind.INQUIRE, null, 1, own.history().sequence());
        return Mono.fromFuture(() -> rails.ask(request, own)).map(outcome -> {
            if (outcome instanceof RailOutcome.Unknown
                    || outcome instanceof RailOutcome.Pending
                    || outcome instanceof RailOutcome.InReview) {
                throw new RailFault("outcome: " + outcome.code() + " (expected: a final one)");
            }
            return outcome instanceof RailOutcome.Settled settled
                    ? new Found(true, false, settled.returned())
                    : Found.NOTHING;
        });
    }

    private Mono<Found> received(UnmatchedPayment payment) {
        BankAccount bank = live.accounts().get(payment.rail());
        if (bank == null) {
            return Mono.error(new RailFault("rail: " + payment.rail() + " (expected: one of this processor)"));
        }
        if (!END_TO_END_ID.matcher(payment.endToEndId()).matches()) {
            return Mono.just(Found.NOTHING);
        }
        String path = bank.properties().kind().pixPath() + "/pix/" + payment.endToEndId();
        return call(payment, bank.get("payment_inquiry", path)).map(answer -> found(answer, payment));
    }

    /**
     * What became of an order to send a payment back.
     *
     * @param amount as the bank has it; null unless the outcome is settled
     */
    record SentBack(RailOutcome outcome, @Nullable Amount amount) {

        private static SentBack of(RailOutcome outcome) {
            return new SentBack(outcome, null);
        }
    }

    /**
     * Asks what became of the order. Its id is fixed by the decision, so the money moves at most once.
     *
     * @return settled, pending, rejected or not found. It fails with a {@link RailFault} if nothing is known
     */
    Mono<SentBack> readSentBack(UnmatchedPayment payment, UUID resolution) {
        if (!END_TO_END_ID.matcher(payment.endToEndId()).matches()) {
            return Mono.just(SentBack.of(new RailOutcome.Rejected("no_payment")));
        }
        BankAccount bank = live.accounts().get(payment.rail());
        return bank == null
                ? Mono.error(new RailFault("rail: " + payment.rail() + " (expected: one of this processor)"))
                : call(payment, readSentBack(bank, path(bank, payment, resolution)));
    }

    /** Orders the bank to send {@code amount} back, which does not know the order yet. The outcome is never settled: it is read later. */
    Mono<RailOutcome> sendBack(UnmatchedPayment payment, UUID resolution, Amount amount) {
        BankAccount bank = Objects.requireNonNull(live.accounts().get(payment.rail()));
        String path = path(bank, payment, resolution);
        Mono<RailOutcome> read = readSentBack(bank, path).map(SentBack::outcome);
        return call(
                payment,
                bank.put("refund", path, Map.of("valor", amount.toString()))
                        .flatMap(answer -> answer.isDone()
                                ? Mono.just(new RailOutcome.Pending())
                                : answer.ofWrite(read, bank.properties().rejections())));
    }

    private static String path(BankAccount bank, UnmatchedPayment payment, UUID resolution) {
        return bank.properties().kind().pixPath() + "/pix/" + payment.endToEndId() + "/devolucao/"
                + RecordedPayment.returnId(resolution);
    }

    private static Mono<SentBack> readSentBack(BankAccount bank, String path) {
        return bank.get("refund_inquiry", path)
                .map(answer -> answer.isDone() ? returned(answer.json()) : SentBack.of(answer.ofRead()));
    }

    private <A> Mono<A> call(UnmatchedPayment payment, Mono<A> call) {
        return rails.make(payment.rail(), call, START_WITHIN);
    }

    private static SentBack returned(JsonNode back) {
        return switch (BankFields.text(back, "status")) {
            case "EM_PROCESSAMENTO" -> SentBack.of(new RailOutcome.Pending());
            case "DEVOLVIDO" -> new SentBack(RailOutcome.Settled.asAgreed(), BankFields.amount(back, "valor"));
            case "NAO_REALIZADO" -> SentBack.of(new RailOutcome.Rejected(BankFields.reason(back)));
            default -> throw BankFields.unknown(back, "status", "EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO");
        };
    }

    private static Found found(BankAnswer answer, UnmatchedPayment payment) {
        if (!answer.isDone()) {
            if (answer.ofRead() instanceof RailOutcome.NotFound) {
                return Found.NOTHING;
            }
            throw new RailFault("status: " + answer.status() + " (expected: the payment)");
        }
        JsonNode pix = answer.json();
        boolean isItsAmount =
                payment.amount() == null || BankFields.amount(pix, "valor").equals(payment.amount());
        boolean isMoving = BankFields.list(pix, "devolucoes").stream()
                .anyMatch(back -> BankFields.text(back, "status").equals("EM_PROCESSAMENTO"));
        return BankFields.id(pix, "endToEndId").equals(payment.endToEndId()) && isItsAmount
                ? new Found(true, isMoving, BankFields.returned(pix))
                : Found.NOTHING;
    }
}
